import { summaryOf } from '../domain/notice.ts'
import { quietUntil } from '../messaging/quiet-hours.ts'
import { nextAt } from '../messaging/time-zone.ts'
import type { Preferences } from '../store/chats/preferences.ts'
import type { Queries, Store } from '../store/store.ts'

/** In ms. A summary that is later than this, because the bot did not run, is skipped. The next one covers its time. */
export const latestMs = 12 * 60 * 60_000
/** In ms. A summary covers the time since the end of the last one, but no more than this. */
export const maxMs = 48 * 60 * 60_000
const dayMs = 24 * 60 * 60_000
const maxTogether = 100

/** Queues the summaries that are due. @returns how many. */
export const enqueueSummaries = async (store: Store, now: () => Date): Promise<number> => {
  let owed = 0
  for (;;) {
    const due = await store.preferences.dueSummaries(now(), maxTogether)
    for (const preferences of due) {
      const accountId = (await store.accounts.member(preferences.userId))?.accountId ?? null
      const accounts = accountId === null ? [] : [accountId]
      const isOwed = await store.transaction((tx) => enqueueSummary(tx, preferences, accountId, now()), {
        accounts,
      })
      if (isOwed) owed += 1
    }
    if (due.length < maxTogether) return owed
  }
}

/**
 * Queues one summary and sets the time of the next in the same commit, on condition that the row still has the old
 * time. So exactly one summary is made, even with two processes or after a crash.
 * @param accountId the person's account when it was last read; it is checked again here
 */
const enqueueSummary = async (
  tx: Queries,
  preferences: Preferences,
  accountId: string | null,
  at: Date,
): Promise<boolean> => {
  const { userId, summaryHour, summaryAt, timeZone } = preferences
  if (summaryAt === null) return false
  const next = summaryHour === null ? null : nextAt(timeZone, summaryHour * 60, at)
  const isLate = at.getTime() - summaryAt.getTime() >= latestMs
  const isMember = accountId !== null && (await tx.accounts.memberIn(userId, accountId)) !== null
  const isTold = !isLate && isMember && next !== null
  const isMine = await tx.preferences.advanceSummary(userId, summaryAt, {
    summaryAt: next,
    ...(isTold && { summaryToldTo: at }),
  })
  if (!isMine || !isTold) return false
  await tx.notices.enqueue(
    userId,
    summaryOf(summaryFrom(preferences, at), at),
    at,
    null,
    quietUntil(preferences, at),
  )
  return true
}

/** The start of the period of a summary: the end of the last summary, or a day ago for the first one. */
export const summaryFrom = ({ summaryToldTo }: Pick<Preferences, 'summaryToldTo'>, at: Date): Date =>
  new Date(Math.max(summaryToldTo?.getTime() ?? at.getTime() - dayMs, at.getTime() - maxMs))
