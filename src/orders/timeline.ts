import type { StatusEvent } from '../store/events.ts'
import type { Order } from './order.ts'
import type { Placement } from './placement.ts'
import { isTerminal, rankOf } from './status.ts'

/**
 * The way of an order as its customer sees it: what is behind it, where it stands, what is ahead. It is built from
 * what is known: a stage that nobody told is left out, unless a later one implies it, and then it has no time. Times
 * come from two clocks, the provider's and ours: one that does not fit among the others is not shown.
 */
export type Step = Stage & {
  /** `now`: where it stands; `failed`: where it ended without delivery. */
  state: 'past' | 'now' | 'ahead' | 'failed'
  at: Date | null
}

export type Stage =
  | { stage: 'ordered' }
  /** The provider may have it. */
  | { stage: 'sent' }
  /** No status yet: the bot's own word. */
  | { stage: 'placement'; placement: Placement }
  /** The provider's word. `reported`: only a callback has told it. */
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

export type TimelineEvent = Pick<StatusEvent, 'status' | 'phone' | 'happenedAt' | 'receivedAt'>

/** Words between `placed` and the end that are shown: a sender may make up any number of them. */
const mostWords = 3

/** @param events those that were taken for the order's, in the order of their arrival. */
export const timeline = (order: TimelineOrder, events: readonly TimelineEvent[]): Step[] => {
  const { placement, createdAt } = order
  const ordered: Step = { stage: 'ordered', state: 'past', at: createdAt }
  const sent: Step = { stage: 'sent', state: 'past', at: fitting([order.sentAt, order.placedAt], createdAt) }
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
    case 'expired':
    case 'superseded':
      return [ordered, { stage: 'placement', placement, state: 'failed', at: null }]
    case 'placed':
      return [ordered, sent, ...statusSteps(order, reportsOf(order, events), sent.at ?? createdAt)]
  }
}

/** What is hoped for. */
const delivery: Step = { ...statusStage('delivered'), state: 'ahead', at: null }

function statusStage(status: string, reported = false): Stage {
  return { stage: 'status', status, reported }
}

/** A status with when it was true: as the provider says where that can be, else when it was told. */
interface Report {
  status: string
  at: Date
}

const reportsOf = ({ kind }: TimelineOrder, events: readonly TimelineEvent[]): Report[] =>
  events
    // On a bulk order's token these are about one of its recipients.
    .filter(({ phone }) => kind === 'single' || phone === null)
    .map(({ status, happenedAt, receivedAt }) => ({
      status,
      at: happenedAt && happenedAt <= receivedAt ? happenedAt : receivedAt,
    }))

/** @param since nothing here was earlier. */
const statusSteps = (order: TimelineOrder, reports: Report[], since: Date): Step[] => {
  const status = order.status ?? 'placed'
  if (!isTerminal(status)) {
    const at = fitting([timeOf(reports, status), order.statusAt], since)
    const present: Step = { ...statusStage(status, order.statusReported), state: 'now', at }
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

/** Whatever was delivered was processed before: the provider says so when it places it (API §3). */
const implied = ({ placedAt }: TimelineOrder, since: Date, until: Date | null): Step => ({
  ...statusStage('processing'),
  state: 'past',
  at: fitting([placedAt], since, until),
})

const endOf = (order: TimelineOrder, status: string, reports: Report[], since: Date): Step => {
  const { statusAt, deliveredAt, statusReported } = order
  const happened = status === 'delivered' ? deliveredAt : timeOf(reports, status)
  // What was learned of it cannot have happened later.
  const possible = happened && statusAt && happened > statusAt ? null : happened
  return {
    ...statusStage(status, statusReported),
    state: status === 'delivered' ? 'past' : 'failed',
    at: fitting([possible, statusAt], since),
  }
}

/** What was given back had failed or was cancelled, where that was told. */
const failureBefore = (reports: Report[], since: Date, until: Date | null): Step[] => {
  const failure = reports.findLast(({ status }) => status === 'failed' || status === 'cancelled')
  if (!failure) return []
  return [{ ...statusStage(failure.status), state: 'failed', at: fitting([failure.at], since, until) }]
}

/** The provider's words on the way to that status, each where it was told first. */
const wordsBefore = (status: string, reports: Report[], since: Date, until: Date | null): Step[] => {
  const first = new Map<string, Date>()
  for (const report of reports) {
    const isOnTheWay = rankOf(report.status) === 1 && report.status !== status
    if (isOnTheWay && !first.has(report.status)) first.set(report.status, report.at)
  }
  let earliest = since
  return [...first].slice(-mostWords).map(([word, told]): Step => {
    const at = fitting([told], earliest, until)
    earliest = at ?? earliest
    return { ...statusStage(word), state: 'past', at }
  })
}

const timeOf = (reports: Report[], status: string): Date | null =>
  reports.find((report) => report.status === status)?.at ?? null

/** The first of the times that is not before `since`, nor after `until`, to the second: the provider's are whole. */
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
