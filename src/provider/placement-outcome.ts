import { type AnswerMeta, faultDetail, jsonOf, metaOf, refusalOf } from './answer.ts'
import type { AnswerHead, BrokenFault, Exchange } from './exchange.ts'
import { type JsonObject, readText } from './field.ts'
import { type Pesewas, pesewasFromGhs } from './money.ts'
import { retryAfterMs } from './retry-after.ts'

/** The HTTP statuses that reject an order for certain (API §7). */
export type RejectionStatus = 400 | 401 | 402 | 404 | 409 | 422

/**
 * Why an order's outcome is unknown.
 *
 * `timeout`, `aborted`, `connection_lost`, `too_large`: no complete answer came. `server_error`: a 5xx.
 * `unexpected_status`: a status that the API does not document for a POST, such as a redirect or 403. `bad_answer`:
 * the body contradicts the status (a 2xx without a reference or with `success: false`, a rejection without
 * `success: false`) or is not JSON.
 */
export type UnconfirmedReason = BrokenFault | 'server_error' | 'unexpected_status' | 'bad_answer'

/**
 * The outcome of a POST that places an order.
 *
 * `placed`: the order exists and was charged. `rejected`: it does not exist and nothing was charged. `not_sent`: the
 * provider executed nothing, and the order may be sent again. `unconfirmed`: the order may exist, and sending it again
 * may charge twice. The first three are used only when they are certain.
 */
export type PlacementOutcome<T> =
  | {
      kind: 'placed'
      order: T
      walletBalancePesewas: Pesewas | null
      message: string | null
      meta: AnswerMeta
    }
  | {
      kind: 'rejected'
      httpStatus: RejectionStatus
      /**
       * The provider's word for the error (API §7). If the answer has none, the word that the API documents for the
       * status.
       */
      type: string
      error: string | null
      message: string | null
      meta: AnswerMeta
    }
  | {
      kind: 'unconfirmed'
      reason: UnconfirmedReason
      httpStatus: number | null
      detail: string
      meta: AnswerMeta | null
    }
  | { kind: 'not_sent'; reason: 'rate_limited'; retryAfterMs: number; meta: AnswerMeta }
  | { kind: 'not_sent'; reason: 'unreachable' | 'refused_start' | 'aborted'; detail: string }

/**
 * How to read an answer. `order` returns null if the body has no order with a reference; `now` is in ms since the
 * epoch; `scrub` masks secrets.
 */
interface PlacementReading<T> {
  order: (body: JsonObject) => T | null
  now: () => number
  scrub: (text: string) => string
}

/** Decides an order's outcome from its exchange (API §7). Anything uncertain is `unconfirmed`. */
export const placementOf = <T>(exchange: Exchange, reading: PlacementReading<T>): PlacementOutcome<T> => {
  if (exchange.kind === 'unsent') {
    return { kind: 'not_sent', reason: exchange.fault, detail: faultDetail(exchange) }
  }
  const { head } = exchange
  if (head?.status === 429) return rateLimited(head, reading.now())
  if (exchange.kind === 'broken') return brokenOff(exchange)
  return outcomeOf(exchange.head, jsonOf(exchange.body), reading)
}

const rateLimited = (head: AnswerHead, now: number): PlacementOutcome<never> => ({
  kind: 'not_sent',
  reason: 'rate_limited',
  retryAfterMs: retryAfterMs(head.headers['retry-after'], now),
  meta: metaOf(head),
})

const brokenOff = (broken: Extract<Exchange, { kind: 'broken' }>): PlacementOutcome<never> => ({
  kind: 'unconfirmed',
  reason: broken.fault,
  httpStatus: broken.head?.status ?? null,
  detail: faultDetail(broken),
  meta: broken.head && metaOf(broken.head),
})

const outcomeOf = <T>(
  head: AnswerHead,
  body: JsonObject | null,
  reading: PlacementReading<T>,
): PlacementOutcome<T> => {
  if (head.status >= 200 && head.status < 300) return placed(head, body, reading)
  if (head.status in rejectionTypes) return rejected(head, body, reading.scrub)
  if (head.status >= 500) return unknown(head, 'server_error', `the provider answered ${head.status}`)
  return unknown(head, 'unexpected_status', `the provider answered ${head.status}`)
}

const placed = <T>(
  head: AnswerHead,
  body: JsonObject | null,
  { order: orderIn, scrub }: PlacementReading<T>,
): PlacementOutcome<T> => {
  if (!body) return unknown(head, 'bad_answer', 'the answer is not a JSON object')
  if (body.success === false) return unknown(head, 'bad_answer', 'a 2xx answer that says success: false')
  const order = orderIn(body)
  if (!order) return unknown(head, 'bad_answer', 'the answer names no reference')
  const message = readText(body.message)
  return {
    kind: 'placed',
    order,
    walletBalancePesewas: pesewasFromGhs(body.wallet_balance),
    message: message && scrub(message),
    meta: metaOf(head),
  }
}

const rejectionTypes: Record<RejectionStatus, string> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  402: 'INSUFFICIENT_BALANCE',
  404: 'NOT_FOUND',
  409: 'PENDING_ORDER',
  422: 'UNPROCESSABLE',
}

const rejected = (
  head: AnswerHead,
  body: JsonObject | null,
  scrub: (text: string) => string,
): PlacementOutcome<never> => {
  const refusal = refusalOf(body, scrub)
  if (!refusal) return unknown(head, 'bad_answer', `a ${head.status} without the API's error body`)
  const httpStatus = head.status as RejectionStatus
  const type = refusal.type ?? rejectionTypes[httpStatus]
  return { kind: 'rejected', httpStatus, ...refusal, type, meta: metaOf(head) }
}

const unknown = (head: AnswerHead, reason: UnconfirmedReason, detail: string): PlacementOutcome<never> => ({
  kind: 'unconfirmed',
  reason,
  httpStatus: head.status,
  detail,
  meta: metaOf(head),
})
