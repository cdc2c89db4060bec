/**
 * The provider's status words (API §3), ranked, and how reports of them are merged.
 *
 * Callbacks are unsigned, may be repeated, and may arrive out of order. Polls are the provider's own word, but may be
 * older than a callback that overtook them. So a callback never lowers the rank, a final status known only from a
 * callback is `reported` until a poll confirms it, and a poll counts only if it began after the newest callback
 * arrived.
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

export const finalStatuses: readonly string[] = [...ranks]
  .filter(([, rank]) => rank >= 2)
  .map(([status]) => status)

/** Whether a status ends the order. After another final status, `refunded` may still follow. */
export const isTerminal = (status: string | null): boolean => status !== null && rankOf(status) >= 2

/**
 * If polls show a lower rank than a callback has reported, they are believed once the report is this old, ms. The
 * person is then told of the contradiction.
 */
export const contradictionMs = 10 * 60_000

/** The status of an order so far, and how it became known. */
export interface KnownStatus {
  /** Null until the provider has given a status. */
  status: string | null
  reported: boolean
  /** When the status became known to the bot. */
  since: Date | null
  /** When the newest callback arrived. */
  newestCallbackAt: Date | null
}

/** A status from outside. `at` is when it arrived, but for a poll when the request began. */
export type IncomingStatus =
  | { source: 'callback'; status: string; at: Date }
  | { source: 'answer'; status: string; at: Date }
  | { source: 'poll'; status: string; at: Date }

/** What a report changes. */
export type Merge =
  /** Nothing new. `again`: a poll still has to confirm the status. */
  | { kind: 'same'; again: boolean }
  /** A poll confirmed the reported status. The card shows that, without a new message. */
  | { kind: 'confirmed' }
  | { kind: 'changed'; status: string; reported: boolean; contradicts: boolean }

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
