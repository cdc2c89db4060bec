/**
 * The provider's status words (API §3), ranked, and how reports of them are merged.
 *
 * Callbacks are unsigned, may be repeated, and may arrive out of order. Polls are the provider's own word, but may
 * be older than a callback that overtook them. So a callback never lowers the rank. A final status known from a
 * callback alone is `reported` until a poll confirms it. And a poll counts only if it began after the newest
 * callback arrived.
 */
const ranks = new Map([
  ['placed', 0],
  ['processing', 1],
  ['delivered', 2],
  ['failed', 2],
  ['cancelled', 2],
  ['refunded', 3],
])

/** The rank of a status. An unknown word has the rank of `processing`. */
export const rankOf = (status: string): number => ranks.get(status) ?? 1

/** The statuses that end an order. */
export const ends: readonly string[] = [...ranks].filter(([, rank]) => rank >= 2).map(([status]) => status)

/** Whether a status ends the order. After another final status, `refunded` may still follow. */
export const isTerminal = (status: string | null): boolean => status !== null && rankOf(status) >= 2

/**
 * Polls may keep showing a lower rank than a callback reported. After this time the poll is believed, and the
 * person is told of the contradiction.
 */
export const contradictionMs = 10 * 60_000

/** The status of an order so far, and how it became known. */
export interface KnownStatus {
  /** Null until the provider has given a status. */
  status: string | null
  /** Only a callback has reported the status. */
  reported: boolean
  /** When the status became known to the bot. */
  since: Date | null
  /** When the newest callback arrived. */
  newestCallbackAt: Date | null
}

/** A status from outside. `at` is when it arrived, except for a poll. */
export type IncomingStatus =
  | { source: 'callback'; status: string; at: Date }
  | { source: 'answer'; status: string; at: Date }
  /** `at` is when the request began. */
  | { source: 'poll'; status: string; at: Date }

/** What a report changes. */
export type Merge =
  /** Nothing new. `again`: the status still has to be confirmed by a poll. */
  | { kind: 'same'; again: boolean }
  /** The reported status is confirmed: the card shows that, without a new message. */
  | { kind: 'confirmed' }
  | { kind: 'changed'; status: string; reported: boolean; contradicts: boolean }

/** Decides what a report changes. */
export const mergeStatus = (known: KnownStatus, report: IncomingStatus): Merge => {
  if (known.status === null) return changed(report, false)
  return report.source === 'poll' ? mergePoll(known, report) : mergeHint(known, report)
}

const changed = (report: IncomingStatus, contradicts: boolean): Merge => ({
  kind: 'changed',
  status: report.status,
  reported: report.source === 'callback' && isTerminal(report.status),
  contradicts,
})

const mergeHint = (known: KnownStatus, report: IncomingStatus): Merge => {
  if (report.status === known.status) return { kind: 'same', again: known.reported }
  const [now, then] = [rankOf(report.status), rankOf(known.status ?? '')]
  if (now > then) return changed(report, false)
  // Between different words of the same rank, such as two final ones, the provider's own record decides.
  return { kind: 'same', again: known.reported || now === then }
}

const mergePoll = (known: KnownStatus, report: IncomingStatus): Merge => {
  if (known.newestCallbackAt && report.at <= known.newestCallbackAt) return { kind: 'same', again: true }
  // Another poll overtook this one, and its answer is newer.
  if (known.since && report.at < known.since) return { kind: 'same', again: true }
  if (report.status === known.status) {
    return known.reported ? { kind: 'confirmed' } : { kind: 'same', again: false }
  }
  const lower = rankOf(report.status) < rankOf(known.status ?? '')
  const young = known.since !== null && report.at.getTime() - known.since.getTime() < contradictionMs
  if (lower && known.reported && young) return { kind: 'same', again: true }
  return changed(report, isTerminal(known.status) && rankOf(report.status) <= rankOf(known.status ?? ''))
}

/** One reported status, as it was received. */
export interface StatusReport {
  id: number
  orderId: string
  source: 'callback' | 'poll' | 'answer'
  reference: string
  status: string
  phone: string | null
  happenedAt: Date | null
  receivedAt: Date
}
