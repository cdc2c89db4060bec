import type { Locks } from '../../../src/database/locks.ts'
import type { Tables } from './rows.ts'

/** Several locks at once, as PostgreSQL keeps them. */
export type ManyLocks = Pick<Locks, 'takeAll' | 'giveAll'>

/** @param onTakenOver called for each lock that goes from one token to another. */
export const memoryLocks = (
  { leases }: Tables,
  now: () => Date,
  onTakenOver: (name: string, from: string) => void,
): ManyLocks => ({
  takeAll: async (names, { token, ms, ended }) => {
    const holders = new Map<string, string>()
    for (const name of names) {
      const held = leases.get(name)
      const isFree = !held || held.until <= now() || held.token === token || ended.includes(held.token)
      if (isFree && held && held.token !== token) onTakenOver(name, held.token)
      if (isFree) leases.set(name, { name, token, until: new Date(now().getTime() + ms) })
      holders.set(name, leases.get(name)?.token ?? token)
    }
    return holders
  },
  giveAll: async (names, token) => {
    for (const name of names) if (leases.get(name)?.token === token) leases.delete(name)
  },
})
