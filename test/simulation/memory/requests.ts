import { isAhead } from '../../../src/domain/ahead.ts'
import type { RequestStore } from '../../../src/store/accounts/requests.ts'
import type { Tables } from './rows.ts'

/** The index of the first time after `since`, in times that are in order. */
const firstAfter = (times: readonly number[], since: Date): number => {
  const sinceMs = since.getTime()
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) > sinceMs) high = middle
    else low = middle + 1
  }
  return low
}

export const memoryRequests = ({ accounts, requests }: Tables): RequestStore => {
  const timesOf = (accountId: string) => requests.get(accountId)?.times ?? []
  const countsOf = (accountId: string, since: readonly Date[]): number[] => {
    const times = timesOf(accountId)
    return since.map((time) => times.length - firstAfter(times, time))
  }

  const count = (accountId: string, at: Date): void => {
    const times = timesOf(accountId)
    requests.set(accountId, { accountId, times: times.toSpliced(firstAfter(times, at), 0, at.getTime()) })
  }

  return {
    countIfRoom: async (accountId, at, rooms) => {
      const counts = countsOf(
        accountId,
        rooms.map(({ since }) => since),
      )
      const { frozenUntil = null } = accounts.get(accountId) ?? {}
      if (frozenUntil && isAhead(frozenUntil, 'frozenUntil', at)) return false
      if (rooms.some(({ most }, index) => (counts[index] ?? 0) >= most)) return false
      count(accountId, at)
      return true
    },

    count: async (accountId, at) => count(accountId, at),

    countsSince: async (accountId, since) => countsOf(accountId, since),
    usageSince: async (accountId, since) => ({
      counts: countsOf(accountId, since),
      frozenUntil: accounts.get(accountId)?.frozenUntil ?? null,
    }),

    nthSince: async (accountId, since, skip) => {
      const times = timesOf(accountId)
      const time = times[firstAfter(times, since) + skip]
      return time === undefined ? null : new Date(time)
    },

    keepBetween: async (since, until) => {
      const isKept = (time = since.getTime()) => time >= since.getTime() && time <= until.getTime()
      for (const { accountId, times } of requests.all()) {
        if (isKept(times[0]) && isKept(times.at(-1))) continue
        requests.set(accountId, { accountId, times: times.filter(isKept) })
      }
    },
  }
}
