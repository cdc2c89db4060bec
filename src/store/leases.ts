import type { Client } from './database.ts'

/** Who does what only one process may do at a time, and until when unless it says so again. */
interface Tenure {
  token: string
  until: Date
}

/** Leases by name. Only a holder that still stands as it was read is replaced, so of two that try one succeeds. */
export const leaseStore = (client: Client) => ({
  holder: async (name: string): Promise<Tenure | null> => {
    const row = await client.lease.findUnique({ where: { name } })
    return row && { token: row.token, until: row.until }
  },

  /** @returns whether `next` holds it now. */
  pass: async (name: string, from: Tenure | null, next: Tenure): Promise<boolean> => {
    if (from === null) return take(client, name, next)
    const { count } = await client.lease.updateMany({ where: { name, ...from }, data: next })
    return count === 1
  },

  release: async (name: string, token: string): Promise<void> => {
    await client.lease.deleteMany({ where: { name, token } })
  },
})

// Plain SQL: a refused insert would end the transaction that it stands in.
const take = async (client: Client, name: string, { token, until }: Tenure): Promise<boolean> => {
  const count = await client.$executeRaw`
    INSERT INTO "Lease" ("name", "token", "until") VALUES (${name}, ${token}, ${until}) ON CONFLICT DO NOTHING`
  return count === 1
}

export type LeaseStore = ReturnType<typeof leaseStore>
