import type { Client } from '../../database/database.ts'

/** The operators' changes of prefixes; see `orders/buying/likely-network.ts`. */
export const prefixFact = 'prefixes'
/** The operators' switches; see `orders/permission/switches.ts`. */
export const [maintenanceFact, networksFact] = ['maintenance', 'networks_down'] as const

export const switchFacts = [maintenanceFact, networksFact]

/** Named texts about the database itself, and the operators' switches. */
export const factStore = (client: Client) => ({
  /** The value of a fact; null if it does not exist. */
  read: async (name: string): Promise<string | null> =>
    (await client.fact.findUnique({ where: { name } }))?.value ?? null,

  /**
   * Reads the fact and locks it until the transaction ends, so that other transactions that lock it wait. If it does
   * not exist, it is created with an empty value.
   */
  lock: async (name: string): Promise<string> => {
    const row = await client.fact.upsert({ where: { name }, create: { name, value: '' }, update: { name } })
    return row.value
  },

  /** Maps names to values. Facts that do not exist are left out. */
  readAll: async (names: string[]): Promise<ReadonlyMap<string, string>> => {
    const rows = await client.fact.findMany({ where: { name: { in: names } } })
    return new Map(rows.map(({ name, value }) => [name, value]))
  },

  write: async (name: string, value: string): Promise<void> => {
    await client.fact.upsert({ where: { name }, create: { name, value }, update: { value } })
  },
})

export type FactStore = ReturnType<typeof factStore>
