import { maxOffsetMs } from '../../../src/database/whole-number.ts'
import { maxAheadMs, type SetBack } from '../../../src/store/set-back.ts'
import type { Tables } from './rows.ts'
import type { Table } from './table.ts'

/** Brings times back as the real store does. */
export const memorySetBack = ({
  accounts,
  members,
  purchases,
  orders,
  events,
  notices,
  chats,
  requests,
  preferences,
}: Tables): SetBack => ({
  newest: async () => {
    const times = [
      ...requests.all().flatMap(({ times }) => times.slice(-1)),
      ...events.all().map(({ receivedAt }) => receivedAt.getTime()),
    ]
    return times.length === 0 ? null : new Date(Math.max(...times))
  },

  bringBack: async (byMs, now) => {
    const isAhead = (at: Date | null): at is Date => at !== null && at > now
    const back = <T extends Date | null>(at: T): T => (isAhead(at) ? new Date(at.getTime() - byMs) : at) as T
    const due = (at: Date | null, isWrong: boolean): Date | null =>
      isWrong && isAhead(at) ? new Date(Math.max(now.getTime(), at.getTime() - byMs)) : at
    const offset = (ms: number | null): number | null =>
      ms !== null && ms > -maxOffsetMs && ms < maxOffsetMs - byMs ? ms + byMs : null
    const change = <Key, Row extends object>(table: Table<Key, Row>, of: (row: Row) => Row) => {
      for (const [key, row] of table.entries()) table.set(key, of(row))
    }

    const within = (at: Date | null, maxMs: number): Date | null =>
      at !== null && at.getTime() - now.getTime() > maxMs ? new Date(now.getTime() + maxMs) : at
    /** Leaves out notices that are held until somebody lets them go. */
    const quiet = (at: Date | null): Date | null =>
      at !== null && at.getUTCFullYear() < 9000 ? within(at, maxAheadMs.Preference.summaryAt) : at

    const wrong = new Set(
      requests
        .all()
        .flatMap(({ accountId, times }) => ((times.at(-1) ?? 0) > now.getTime() ? [accountId] : [])),
    )
    change(accounts, (row) => ({
      ...row,
      frozenUntil: within(due(row.frozenUntil, wrong.has(row.id)), maxAheadMs.Account.frozenUntil),
      verifyAt: within(due(row.verifyAt, wrong.has(row.id)), maxAheadMs.Account.verifyAt),
      balanceAt: back(row.balanceAt),
      callbackSeenAt: back(row.callbackSeenAt),
      unauthorizedSince: back(row.unauthorizedSince),
      refusalToldAt: back(row.refusalToldAt),
    }))
    change(members, (row) => ({
      ...row,
      createdAt: back(row.createdAt),
      pausedAt: back(row.pausedAt),
      resumedAt: back(row.resumedAt),
    }))
    change(orders, (row) => {
      const isWrong = row.updatedAt > now
      const { createdAt, sentAt, placedAt, answeredAt, statusAt, callbackAt, extraAt, updatedAt } = row
      const times = [createdAt, sentAt, placedAt, answeredAt, statusAt, callbackAt, extraAt, updatedAt]
      const isAnyWrong = times.some(isAhead)
      return {
        ...row,
        clockOffsetMs: isAhead(row.sentAt) ? offset(row.clockOffsetMs) : row.clockOffsetMs,
        leaseUntil: within(isWrong ? back(row.leaseUntil) : row.leaseUntil, maxAheadMs.Order.leaseUntil),
        notBefore: within(due(row.notBefore, isWrong), maxAheadMs.Order.notBefore),
        nextPollAt: within(due(row.nextPollAt, isAnyWrong), maxAheadMs.Order.nextPollAt),
        settleAt: within(due(row.settleAt, isAnyWrong), maxAheadMs.Order.settleAt),
        refundAt: within(due(row.refundAt, isAnyWrong), maxAheadMs.Order.refundAt),
        createdAt: back(row.createdAt),
        sentAt: back(row.sentAt),
        placedAt: back(row.placedAt),
        answeredAt: back(row.answeredAt),
        extraAt: back(row.extraAt),
        statusAt: back(row.statusAt),
        callbackAt: back(row.callbackAt),
        updatedAt: back(row.updatedAt),
        recipients: row.recipients.map((each) => ({ ...each, statusAt: back(each.statusAt) })),
      }
    })
    change(purchases, (row) => ({
      ...row,
      expiresAt: due(row.expiresAt, row.createdAt > now) as Date,
      createdAt: back(row.createdAt),
      confirmedAt: back(row.confirmedAt),
    }))
    change(events, (row) => ({ ...row, receivedAt: back(row.receivedAt) }))
    change(notices, (row) => ({
      ...row,
      createdAt: back(row.createdAt),
      notBefore: within(due(row.notBefore, row.quietUntil === null), maxAheadMs.Notice.notBefore),
      quietUntil: quiet(row.quietUntil),
    }))
    change(preferences, (row) => ({
      ...row,
      summaryAt: within(row.summaryAt, maxAheadMs.Preference.summaryAt),
    }))
    change(chats, (row) => ({ ...row, mutedAt: back(row.mutedAt) }))
    change(requests, (row) => ({
      ...row,
      times: row.times.map((time) => (time > now.getTime() ? time - byMs : time)),
    }))
  },
})
