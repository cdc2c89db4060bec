import type { LeaseStore } from '../../../src/store/operators/leases.ts'
import type { Tables } from './rows.ts'

export const memoryLeases = ({ leases }: Tables): LeaseStore => ({
  holder: async (name) => {
    const row = leases.get(name)
    return row ? { token: row.token, until: row.until } : null
  },

  pass: async (name, from, next) => {
    const row = leases.get(name)
    const stands = row?.token === from?.token && row?.until.getTime() === from?.until.getTime()
    if (stands) leases.set(name, { name, ...next })
    return stands
  },

  release: async (name, token) => {
    if (leases.get(name)?.token === token) leases.delete(name)
  },
})
