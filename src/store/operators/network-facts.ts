import { z } from 'zod'
import { type Network, networks } from '../../provider/network.ts'
import type { FactStore } from './facts.ts'

/** What operators have set for each network. A network for which nothing is set is missing. */
export type ByNetwork<Value> = Partial<Record<Network, Value>>

/** Reads and sets a fact that has a value for each network. @param name the fact. @param value what a value may be. */
export const networkFact = <Value>(name: string, value: z.ZodType<Value>) => {
  const schema: z.ZodType<ByNetwork<Value>> = z.partialRecord(z.enum(networks), value)
  const valuesIn = (fact: string | null): ByNetwork<Value> => (fact ? schema.parse(JSON.parse(fact)) : {})
  return {
    read: async ({ facts }: { facts: Pick<FactStore, 'read'> }): Promise<ByNetwork<Value>> =>
      valuesIn(await facts.read(name)),

    /** Sets a network's value; null removes it. Call it in a transaction. */
    set: async (
      { facts }: { facts: Pick<FactStore, 'lock' | 'write'> },
      network: Network,
      next: Value | null,
    ): Promise<void> => {
      const { [network]: _, ...others } = valuesIn(await facts.lock(name)) as Record<string, Value>
      await facts.write(name, JSON.stringify(next === null ? others : { ...others, [network]: next }))
    },
  }
}
