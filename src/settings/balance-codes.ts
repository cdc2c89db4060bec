import { z } from 'zod'
import { type Network, networks } from '../provider/network.ts'
import type { Queries } from '../store/store.ts'

/** The code that customers dial to see what they have, such as `*124#`, for each network. Operators set it. */

/** The name of the fact with the codes. */
const balanceCodesFact = 'balance_codes'

const codesSchema = z.partialRecord(z.enum(networks), z.string())

export type BalanceCodes = z.infer<typeof codesSchema>

const codesIn = (fact: string | null): BalanceCodes => (fact ? codesSchema.parse(JSON.parse(fact)) : {})

export const balanceCodes = async ({
  facts,
}: {
  facts: Pick<Queries['facts'], 'read'>
}): Promise<BalanceCodes> => codesIn(await facts.read(balanceCodesFact))

/** Sets a network's code; null removes it. Call it in a transaction. */
export const setBalanceCode = async (
  { facts }: { facts: Pick<Queries['facts'], 'lock' | 'write'> },
  network: Network,
  code: string | null,
): Promise<void> => {
  const { [network]: _, ...others } = codesIn(await facts.lock(balanceCodesFact))
  await facts.write(balanceCodesFact, JSON.stringify(code === null ? others : { ...others, [network]: code }))
}

const form = /^\*[\d*]{1,18}#$/

/** Reads `MTN *124#`, or `MTN none` to remove the code. Null if it is neither. */
export const readBalanceCode = (text: string): { network: Network; code: string | null } | null => {
  const [name = '', code = '', ...more] = text.trim().split(/\s+/)
  const network = networks.find((each) => each.toLowerCase() === name.toLowerCase())
  if (!network || more.length > 0) return null
  if (code.toLowerCase() === 'none') return { network, code: null }
  return form.test(code) ? { network, code } : null
}
