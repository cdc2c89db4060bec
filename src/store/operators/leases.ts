import type { Client } from '../../database/database.ts'

interface Tenure {
  token: string
  until: Date
}

/**
 * Leases by name. A lease passes on only if it is still as the caller has read it, so only one of two rivals gets it.
 */
export const leaseStore = (client: Client) => ({
  holder: async (name: string): Promise<Tenure | null> => {
    const row = await client.lease.findUnique({ where: { name } })
    return row && { token: row.token, until: row.until }
  },

  /** Gives the lease to another holder, or renews it. @returns false if the lease was no longer as in `from`. */
  pass: async (name: string, from: Tenure | null, next: Tenure): Promise<boolean> => {
    if (from === null) return take(client, name, next)
    const { count } = await client.lease.updateMany({ where: { name, ...from }, data: next })
    return count === 1
  },

  release: async (name: string, token: string): Promise<void> => {
    await client.lease.deleteMany({ where: { name, token } })
  },
})

// Plain SQL, because a refused insert would end the surrounding transaction.
const take = async (client: Client, name: string, { token, until }: Tenure): Promise<boolean> => {
  const count = await client.$executeRaw`
    INSERT INTO "Lease" ("name", "token", "until") VALUES (${name}, ${token}, ${until}) ON CONFLICT DO NOTHING`
  return count === 1
}

export type LeaseStore = ReturnType<typeof leaseStore>
