import type { SetBack } from '../../../src/store/set-back.ts'
import type { Tables } from './rows.ts'
import type { Table } from './table.ts'

/** As the real one brings times back. */
export const memorySetBack = ({
  accounts,
  purchases,
  orders,
  events,
  notices,
  chats,
  requests,
}: Tables): SetBack => ({
  newest: async () => {
    const times = [
      ...requests.all().flatMap(({ times }) => times.slice(-1)),
      ...events.all().map(({ receivedAt }) => receivedAt),
    ]
    return times.length === 0 ? null : new Date(Math.max(...times.map((time) => time.getTime())))
  },

  bringBack: async (byMs, now) => {
    const isAhead = (at: Date | null): at is Date => at !== null && at > now
    const back = <T extends Date | null>(at: T): T => (isAhead(at) ? new Date(at.getTime() - byMs) : at) as T
    const due = (at: Date | null, isWrong: boolean): Date | null =>
      isWrong && isAhead(at) ? new Date(Math.max(now.getTime(), at.getTime() - byMs)) : at
    const change = <Key, Row extends object>(table: Table<Key, Row>, of: (row: Row) => Row) => {
      for (const [key, row] of table.entries()) table.set(key, of(row))
    }

    const wrong = new Set(
      requests.all().flatMap(({ accountId, times }) => (isAhead(times.at(-1) ?? null) ? [accountId] : [])),
    )
    change(accounts, (row) => ({
      ...row,
      frozenUntil: due(row.frozenUntil, wrong.has(row.id)),
      verifyAt: due(row.verifyAt, wrong.has(row.id)),
      balanceAt: back(row.balanceAt),
      callbackSeenAt: back(row.callbackSeenAt),
      unauthorizedSince: back(row.unauthorizedSince),
      refusalToldAt: back(row.refusalToldAt),
    }))
    change(orders, (row) => {
      const isWrong = row.updatedAt > now
      return {
        ...row,
        clockOffsetMs:
          isAhead(row.sentAt) && row.clockOffsetMs !== null ? row.clockOffsetMs + byMs : row.clockOffsetMs,
        leaseUntil: isWrong ? back(row.leaseUntil) : row.leaseUntil,
        notBefore: due(row.notBefore, isWrong),
        nextPollAt: due(row.nextPollAt, isWrong),
        settleAt: due(row.settleAt, isWrong),
        refundAt: due(row.refundAt, isWrong),
        createdAt: back(row.createdAt),
        sentAt: back(row.sentAt),
        placedAt: back(row.placedAt),
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
      closedAt: back(row.closedAt),
    }))
    change(events, (row) => ({ ...row, receivedAt: back(row.receivedAt) }))
    change(notices, (row) => ({
      ...row,
      createdAt: back(row.createdAt),
      notBefore: due(row.notBefore, row.quietUntil === null),
    }))
    change(chats, (row) => ({ ...row, mutedAt: back(row.mutedAt) }))
    change(requests, (row) => ({ ...row, times: row.times.map(back) }))
  },
})
