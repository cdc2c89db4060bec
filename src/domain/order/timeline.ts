import type { Order } from './order.ts'
import type { Placement } from './placement.ts'
import { isFailure } from './recipient-ends.ts'
import type { StatusReport } from './status.ts'
import { isTerminal, rankOf } from './status.ts'

/**
 * The steps of an order as its customer sees them: past, current and future. A stage that was never reported is left
 * out, unless a later one implies it. The times come from two clocks, the provider's and ours, so a time that
 * contradicts the others is not shown.
 */
export type TimelineStep = TimelineStage & {
  /** `now`: the current step. `failed`: the order ended here without a delivery. */
  state: 'past' | 'now' | 'ahead' | 'failed'
  at: Date | null
}

export type TimelineStage =
  | { stage: 'ordered' }
  /** The order was sent, so the provider may have it. */
  | { stage: 'sent' }
  /** There is no status yet, so the step shows the bot's own state. */
  | { stage: 'placement'; placement: Placement }
  /** The provider's status. `reported`: only a callback has reported it. */
  | { stage: 'status'; status: string; reported: boolean }

export type TimelineOrder = Pick<
  Order,
  | 'kind'
  | 'placement'
  | 'status'
  | 'statusReported'
  | 'statusAt'
  | 'createdAt'
  | 'sentAt'
  | 'placedAt'
  | 'deliveredAt'
>

export type TimelineReport = Pick<StatusReport, 'status' | 'phone' | 'happenedAt' | 'receivedAt'>

/**
 * How many of the provider's status words between `placed` and the final status are shown. A callback's sender could
 * invent any number of them.
 */
const maxWords = 3

/**
 * The steps of an order, earliest first.
 * @param reports the order's own reports, in the order in which they arrived
 */
export const timeline = (order: TimelineOrder, reports: readonly TimelineReport[]): TimelineStep[] => {
  const { placement, createdAt } = order
  const ordered: TimelineStep = { stage: 'ordered', state: 'past', at: createdAt }
  const sent: TimelineStep = {
    stage: 'sent',
    state: 'past',
    at: fitting([order.sentAt, order.placedAt], createdAt),
  }
  switch (placement) {
    case 'queued':
    case 'sending':
      return [
        ordered,
        { stage: 'placement', placement, state: 'now', at: null },
        { stage: 'sent', state: 'ahead', at: null },
        delivery,
      ]
    case 'unconfirmed':
    case 'review':
      return [ordered, sent, { stage: 'placement', placement, state: 'now', at: null }, delivery]
    case 'rejected':
    case 'not_placed':
    case 'cancelled':
    case 'superseded':
      return [ordered, { stage: 'placement', placement, state: 'failed', at: null }]
    case 'placed':
      return [ordered, sent, ...statusSteps(order, reportsOf(order, reports), sent.at ?? createdAt)]
  }
}

const delivery: TimelineStep = { ...statusStage('delivered'), state: 'ahead', at: null }

function statusStage(status: string, reported = false): TimelineStage {
  return { stage: 'status', status, reported }
}

/** A status with its time: the provider's time if that is plausible, otherwise the time of the report. */
interface ReportedStage {
  status: string
  at: Date
}

const reportsOf = ({ kind }: TimelineOrder, reports: readonly TimelineReport[]): ReportedStage[] =>
  reports
    // In a bulk order, a report with a phone is about that recipient alone.
    .filter(({ phone }) => kind === 'single' || phone === null)
    .map(({ status, happenedAt, receivedAt }) => ({
      status,
      at: happenedAt && happenedAt <= receivedAt ? happenedAt : receivedAt,
    }))

/**
 * The steps of a placed order after `placed`.
 * @param since the earliest possible time of a step
 */
const statusSteps = (order: TimelineOrder, reports: ReportedStage[], since: Date): TimelineStep[] => {
  const status = order.status ?? 'placed'
  if (!isTerminal(status)) {
    const at = fitting([timeOf(reports, status), order.statusAt], since)
    const present: TimelineStep = { ...statusStage(status, order.statusReported), state: 'now', at }
    return [...wordsBefore(status, reports, since, at), present, delivery]
  }
  const end = endOf(order, status, reports, since)
  const failure = status === 'refunded' ? failureBefore(reports, since, end.at) : []
  const until = failure[0]?.at ?? end.at
  const words = wordsBefore(status, reports, since, until)
  return [
    ...(status === 'delivered' && words.length === 0 ? [implied(order, since, until)] : words),
    ...failure,
    end,
  ]
}

/**
 * The step `processing` of a delivered order, even if no report said so, because the provider places orders in that
 * status (API §3).
 */
const implied = ({ placedAt }: TimelineOrder, since: Date, until: Date | null): TimelineStep => ({
  ...statusStage('processing'),
  state: 'past',
  at: fitting([placedAt], since, until),
})

const endOf = (order: TimelineOrder, status: string, reports: ReportedStage[], since: Date): TimelineStep => {
  const { statusAt, deliveredAt, statusReported } = order
  const happened = status === 'delivered' ? deliveredAt : timeOf(reports, status)
  // The final status cannot be later than the report of it.
  const possible = happened && statusAt && happened > statusAt ? null : happened
  return {
    ...statusStage(status, statusReported),
    state: status === 'delivered' ? 'past' : 'failed',
    at: fitting([possible, statusAt], since),
  }
}

/** A reported failure or cancellation that came before the order's refund. */
const failureBefore = (reports: ReportedStage[], since: Date, until: Date | null): TimelineStep[] => {
  const failure = reports.findLast(({ status }) => status === 'failed' || status === 'cancelled')
  if (!failure) return []
  return [{ ...statusStage(failure.status), state: 'failed', at: fitting([failure.at], since, until) }]
}

/** The provider's other status words before `status`, each with the time of its first report. */
const wordsBefore = (
  status: string,
  reports: ReportedStage[],
  since: Date,
  until: Date | null,
): TimelineStep[] => {
  const first = new Map<string, Date>()
  for (const report of reports) {
    const isOnTheWay = rankOf(report.status) === 1 && report.status !== status
    if (isOnTheWay && !first.has(report.status)) first.set(report.status, report.at)
  }
  let earliest = since
  return [...first].slice(-maxWords).map(([word, told]): TimelineStep => {
    const at = fitting([told], earliest, until)
    earliest = at ?? earliest
    return { ...statusStage(word), state: 'past', at }
  })
}

const timeOf = (reports: ReportedStage[], status: string): Date | null =>
  reports.find((report) => report.status === status)?.at ?? null

/**
 * The first of the times that is neither before `since` nor after `until`. They are compared by whole seconds,
 * because the provider's times have no fractions.
 */
const fitting = (times: readonly (Date | null)[], since: Date, until: Date | null = null): Date | null =>
  times.find(
    (at) => at !== null && second(at) >= second(since) && (until === null || second(at) <= second(until)),
  ) ?? null

const second = (at: Date): number => Math.floor(at.getTime() / 1000)

/** Whether nothing more is expected to happen to the order. */
export const isOver = ({
  placement,
  status,
  statusReported,
}: Pick<Order, 'placement' | 'status' | 'statusReported'>): boolean => {
  switch (placement) {
    case 'queued':
    case 'sending':
    case 'unconfirmed':
    case 'review':
      return false
    case 'placed':
      return isTerminal(status) && !statusReported
    default:
      return true
  }
}

/** Whether following the order may still bring news. A failed order may still get its refund. */
export const mayChange = (order: Pick<Order, 'placement' | 'status' | 'statusReported'>): boolean =>
  !isOver(order) || (order.placement === 'placed' && isFailure(order.status))
