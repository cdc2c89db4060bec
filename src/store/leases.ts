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
    const { count } = from
      ? await client.lease.updateMany({ where: { name, ...from }, data: next })
      : await client.lease.createMany({ data: [{ name, ...next }] }).catch(noneIfTaken)
    return count === 1
  },

  release: async (name: string, token: string): Promise<void> => {
    await client.lease.deleteMany({ where: { name, token } })
  },
})

const noneIfTaken = (error: unknown): { count: number } => {
  if (error instanceof Error && 'code' in error && error.code === 'P2002') return { count: 0 }
  throw error
}

export type LeaseStore = ReturnType<typeof leaseStore>
