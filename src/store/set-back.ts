import type { Client } from '../database/database.ts'
import type { DatabaseKind } from '../database/schema.ts'
import { maxOffsetMs } from '../database/whole-number.ts'
import { sendLeaseMs } from '../journal/placement.ts'

/** Brings stored times back after the clock was set back. */
export interface SetBack {
  /** The newest of the times that the bot records all the time. */
  newest(): Promise<Date | null>
  /**
   * Brings back what stands in the future. To be run in a transaction; run twice, it changes nothing more.
   *
   * | what | is brought back |
   * |---|---|
   * | when something happened (a request, an event, a send, a change), if that is still to come | by `byMs` |
   * | what is planned (a poll, a read, a try, the end of a lease), in a row that was written by the wrong clock | by `byMs` |
   * | an order's polls and reads, also if only something that they count from is still to come | by `byMs` |
   * | the end of a freeze, where the account's newest request was made by the wrong clock | by `byMs` |
   * | what still stands further ahead than its rule can make it | to what the rule allows from now |
   *
   * So budgets and freezes end when they should, and no sooner. The end of quiet hours is a time of day: it stays, if it is
   * within a day.
   */
  bringBack(byMs: number, now: Date): Promise<void>
}

const second = 1_000
const hour = 3_600_000
const day = 24 * hour

/** How far ahead of now each time can be by its own rule. */
export const maxAheadMs = {
  Account: { frozenUntil: hour, verifyAt: hour },
  Order: {
    notBefore: hour,
    leaseUntil: sendLeaseMs,
    nextPollAt: day,
    settleAt: hour,
    refundAt: hour,
  },
  Notice: { notBefore: hour },
  HalfCredential: { expiresAt: 10 * 60 * second },
  Preference: { summaryAt: day },
  Unanswered: { tryAt: hour, until: hour },
} as const

const happened = {
  Account: ['balanceAt', 'callbackSeenAt', 'unauthorizedSince', 'refusalToldAt'],
  // An owner can remove those who came later.
  Member: ['createdAt', 'pausedAt', 'resumedAt'],
  Invitation: ['createdAt'],
  Purchase: ['createdAt', 'confirmedAt'],
  Recipient: ['statusAt'],
  Event: ['receivedAt'],
  Request: ['at'],
  Chat: ['mutedAt'],
  Enquiry: ['createdAt', 'answeredAt'],
  Unanswered: ['createdAt'],
} as const

/** Times as literals, because a transaction of plain SQL binds them differently on the two kinds. */
const dialects = {
  sqlite: {
    time: (at: Date) => `'${at.toISOString().replace('Z', '+00:00')}'`,
    earlier: (column: string, ms: number) =>
      `strftime('%Y-%m-%dT%H:%M:%f+00:00', ${column}, '-${(ms / 1000).toFixed(3)} seconds')`,
  },
  postgresql: {
    time: (at: Date) => `'${at.toISOString().replace('Z', '')}'::timestamp`,
    earlier: (column: string, ms: number) => `(${column} - interval '${Math.round(ms)} milliseconds')`,
  },
} satisfies Record<DatabaseKind, unknown>

/** Brings back the times of the database, with SQL for each kind. */
export const setBackOn = (client: Client, kind: DatabaseKind): SetBack => ({
  newest: async () => {
    const [request, event, notice] = [
      await client.request.findFirst({ orderBy: { id: 'desc' }, select: { at: true } }),
      await client.event.findFirst({ orderBy: { id: 'desc' }, select: { receivedAt: true } }),
      await client.notice.findFirst({ orderBy: { id: 'desc' }, select: { createdAt: true } }),
    ]
    const times = [request?.at, event?.receivedAt, notice?.createdAt].filter((time) => time !== undefined)
    return times.length === 0 ? null : new Date(Math.max(...times.map((time) => time.getTime())))
  },

  bringBack: async (byMs, now) => {
    for (const sql of statements(kind, byMs, now)) await client.$executeRawUnsafe(sql)
  },
})

const statements = (kind: DatabaseKind, byMs: number, now: Date): string[] => {
  const { time, earlier } = dialects[kind]
  const at = time(now)
  const back = (column: string) => earlier(`"${column}"`, byMs)
  /** At least now: a planned time is due then. */
  const dueBack = (column: string) => `CASE WHEN ${back(column)} > ${at} THEN ${back(column)} ELSE ${at} END`
  const past = (column: string) =>
    `"${column}" = CASE WHEN "${column}" > ${at} THEN ${back(column)} ELSE "${column}" END`
  const plan = (column: string, condition: string) =>
    `"${column}" = CASE WHEN ${condition} AND "${column}" > ${at} THEN ${dueBack(column)} ELSE "${column}" END`
  const ofOrder = [
    'createdAt',
    'sentAt',
    'placedAt',
    'answeredAt',
    'statusAt',
    'callbackAt',
    'extraAt',
    'updatedAt',
  ]
  const anyAhead = (columns: readonly string[]) => columns.map((column) => `"${column}" > ${at}`).join(' OR ')
  // An offset beyond the column's range counts as never measured, and so does one that was cut to it.
  const offset = `CASE WHEN "clockOffsetMs" > -${maxOffsetMs} AND "clockOffsetMs" < ${maxOffsetMs - Math.round(byMs)}
        THEN "clockOffsetMs" + ${Math.round(byMs)} END`
  const newestRequest = `(SELECT MAX("at") FROM "Request" WHERE "accountId" = "Account"."id")`
  return [
    // Runs before the requests are brought back, because it compares with them.
    `UPDATE "Account" SET ${plan('frozenUntil', `${newestRequest} > ${at}`)}, ${plan('verifyAt', `${newestRequest} > ${at}`)}`,
    // Polls and reads count from the send or a report. If one was planned after the clock was set back and before
    // that was noticed, it is as wrong as they are. The provider's time of the send stays as it was: our clock's
    // distance to it changes with ours.
    `UPDATE "Order" SET
      "clockOffsetMs" = CASE WHEN "sentAt" > ${at} THEN ${offset} ELSE "clockOffsetMs" END,
      "leaseUntil" = CASE WHEN "updatedAt" > ${at} AND "leaseUntil" > ${at} THEN ${back('leaseUntil')} ELSE "leaseUntil" END,
      ${plan('notBefore', `"updatedAt" > ${at}`)},
      ${['nextPollAt', 'settleAt', 'refundAt'].map((column) => plan(column, `(${anyAhead(ofOrder)})`)).join(', ')},
      ${ofOrder.map(past).join(', ')}
      WHERE ${anyAhead(ofOrder)}`,
    // A draft or an invitation from the wrong clock lasts no longer than one from the right clock.
    `UPDATE "Purchase" SET ${plan('expiresAt', `"createdAt" > ${at}`)}`,
    `UPDATE "Invitation" SET ${plan('expiresAt', `"createdAt" > ${at}`)}`,
    `UPDATE "Unanswered" SET ${plan('tryAt', `"createdAt" > ${at}`)}, ${plan('until', `"createdAt" > ${at}`)}`,
    // Retry delays move back; the end of quiet hours is a time of day and stays.
    `UPDATE "Notice" SET ${past('createdAt')}, ${plan('notBefore', '"quietUntil" IS NULL')} WHERE "notBefore" > ${at} OR "createdAt" > ${at}`,
    ...Object.entries(happened).map(
      ([table, columns]) =>
        `UPDATE "${table}" SET ${columns.map(past).join(', ')} WHERE ${anyAhead(columns)}`,
    ),
    ...Object.entries(maxAheadMs).flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, ms]) => {
        const latest = time(new Date(now.getTime() + ms))
        return `UPDATE "${table}" SET "${column}" = ${latest} WHERE "${column}" > ${latest}`
      }),
    ),
    `UPDATE "Notice" SET "quietUntil" = ${time(new Date(now.getTime() + day))}
      WHERE "quietUntil" > ${time(new Date(now.getTime() + day))} AND "quietUntil" < ${time(new Date(Date.UTC(9000, 0, 1)))}`,
    // What is due is looked at once more.
    `UPDATE "Duty" SET "due" = ${at} WHERE "due" > ${at}`,
  ]
}
