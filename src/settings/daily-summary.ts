import { summaryOf } from '../relay/notice.ts'
import type { Preferences } from '../store/preferences.ts'
import type { Queries, Store } from '../store/store.ts'
import { quietUntil } from './quiet-hours.ts'
import { nextAt } from './time-zone.ts'

/**
 * The daily summary. When it is due, going on to the next one and owing it are one commit, guarded by the time that
 * was due: two processes, or one that dies in between, make exactly one. One that is due for longer than half a day,
 * because the bot did not run, is left out; the next tells of that time too.
 */
export const latestMs = 12 * 60 * 60_000
/** A summary reaches back as far as the last one did, and no farther than this. */
export const longestMs = 48 * 60 * 60_000
const dayMs = 24 * 60 * 60_000
const mostTogether = 100

/** Owes the summaries that are due. @returns how many were. */
export const oweSummaries = async (store: Store, now: () => Date): Promise<number> => {
  let owed = 0
  for (;;) {
    const due = await store.preferences.dueSummaries(now(), mostTogether)
    for (const preferences of due) {
      if (await store.transaction((tx) => oweSummary(tx, preferences, now()))) owed += 1
    }
    if (due.length < mostTogether) return owed
  }
}

const oweSummary = async (tx: Queries, preferences: Preferences, at: Date): Promise<boolean> => {
  const { userId, summaryHour, summaryAt, timeZone } = preferences
  if (summaryAt === null) return false
  const next = summaryHour === null ? null : nextAt(timeZone, summaryHour * 60, at)
  const isLate = at.getTime() - summaryAt.getTime() >= latestMs
  const isMember = (await tx.accounts.member(userId)) !== null
  const isTold = !isLate && isMember && next !== null
  const claimed = await tx.preferences.claimSummary(userId, summaryAt, {
    summaryAt: next,
    ...(isTold && { summaryToldTo: at }),
  })
  if (!claimed || !isTold) return false
  await tx.notices.owe(
    userId,
    summaryOf(summaryFrom(preferences, at), at),
    at,
    null,
    quietUntil(preferences, at),
  )
  return true
}

/** Since the last one; the first tells of a day. */
export const summaryFrom = ({ summaryToldTo }: Pick<Preferences, 'summaryToldTo'>, at: Date): Date =>
  new Date(Math.max(summaryToldTo?.getTime() ?? at.getTime() - dayMs, at.getTime() - longestMs))
