/**
 * The provider's status words (API §3) and how reports of them are merged.
 *
 * Callbacks come from an unsigned sender, repeated and out of order; polls are the provider's own word, but may
 * be older than a callback that overtook them. So a callback never lowers the rank, a terminal status that only
 * a callback told is `reported` until a poll confirms it, and a poll counts only if it began after the newest
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

/** An unknown word ranks with `processing`. */
export const rankOf = (status: string): number => ranks.get(status) ?? 1

/** The words of an end. */
export const ends: readonly string[] = [...ranks].filter(([, rank]) => rank >= 2).map(([status]) => status)

export const isTerminal = (status: string | null): boolean => status !== null && rankOf(status) >= 2

/** After this long a poll that keeps showing a lower rank than was reported is taken, and the contradiction said. */
export const contradictionMs = 10 * 60_000

export interface KnownStatus {
  /** Null before the provider gave one. */
  status: string | null
  /** Only a callback has told it. */
  reported: boolean
  /** When it became known here. */
  since: Date | null
  /** When the newest callback arrived. */
  newestCallbackAt: Date | null
}

export type Report =
  | { source: 'callback'; status: string; at: Date }
  | { source: 'answer'; status: string; at: Date }
  /** `at` is when the request began. */
  | { source: 'poll'; status: string; at: Date }

export type Merge =
  /** Nothing new. `again`: what was reported is still to be confirmed. */
  | { kind: 'same'; again: boolean }
  /** The status that was reported is confirmed: the card says so, silently. */
  | { kind: 'confirmed' }
  | { kind: 'changed'; status: string; reported: boolean; contradicts: boolean }

/** What a report changes. */
export const mergeReport = (known: KnownStatus, report: Report): Merge => {
  if (known.status === null) return changed(report, false)
  return report.source === 'poll' ? mergePoll(known, report) : mergeHint(known, report)
}

const changed = (report: Report, contradicts: boolean): Merge => ({
  kind: 'changed',
  status: report.status,
  reported: report.source === 'callback' && isTerminal(report.status),
  contradicts,
})

const mergeHint = (known: KnownStatus, report: Report): Merge => {
  if (report.status === known.status) return { kind: 'same', again: known.reported }
  const [now, then] = [rankOf(report.status), rankOf(known.status ?? '')]
  if (now > then) return changed(report, false)
  // Between words of one rank, such as two ends or one that nobody knows, the provider's own record decides.
  return { kind: 'same', again: known.reported || now === then }
}

const mergePoll = (known: KnownStatus, report: Report): Merge => {
  if (known.newestCallbackAt && report.at <= known.newestCallbackAt) return { kind: 'same', again: true }
  // It was overtaken by another poll, whose answer is the newer.
  if (known.since && report.at < known.since) return { kind: 'same', again: true }
  if (report.status === known.status) {
    return known.reported ? { kind: 'confirmed' } : { kind: 'same', again: false }
  }
  const lower = rankOf(report.status) < rankOf(known.status ?? '')
  const young = known.since !== null && report.at.getTime() - known.since.getTime() < contradictionMs
  if (lower && known.reported && young) return { kind: 'same', again: true }
  return changed(report, isTerminal(known.status) && rankOf(report.status) <= rankOf(known.status ?? ''))
}
