import { type AnswerMeta, faultDetail, jsonOf, metaOf, type Refusal, refusalOf } from './answer.ts'
import { ProviderError, type ProviderErrorCode } from './error.ts'
import type { AnswerHead, Exchange } from './exchange.ts'
import type { JsonObject } from './field.ts'
import { retryAfterMs } from './retry-after.ts'

/**
 * How to read an answer. `content` returns null if the body is not what was asked for; `now` is in ms since the
 * epoch; `scrub` masks secrets.
 */
export interface Reading<T> {
  content: (body: JsonObject) => T | null
  now: () => number
  scrub: (text: string) => string
}

/**
 * Returns the content of a 2xx answer.
 * @throws ProviderError if there is no answer, it is not a 2xx, or it lacks the wanted content
 */
export const readAnswer = <T>(exchange: Exchange, reading: Reading<T>): T & { meta: AnswerMeta } => {
  if (exchange.kind !== 'answered') throw faultError(exchange, reading.now())
  const { head } = exchange
  const body = jsonOf(exchange.body)
  const refusal = refusalOf(body, reading.scrub)
  if (head.status < 200 || head.status >= 300 || refusal) throw statusError(head, refusal, reading.now())
  const content = body && reading.content(body)
  if (content === null) throw badAnswer(head, body ? 'lacks what was asked for' : 'is not a JSON object')
  return { ...content, meta: metaOf(head) }
}

const badAnswer = (head: AnswerHead, problem: string): ProviderError =>
  new ProviderError('bad_answer', `The provider's answer (HTTP ${head.status}) ${problem}.`, {
    httpStatus: head.status,
  })

/** `refusal` is null if the body is not in the API's own form (API §7). */
const statusError = (head: AnswerHead, refusal: Refusal | null, now: number): ProviderError => {
  const words = refusal?.message ?? refusal?.error
  const message = `The provider answered HTTP ${head.status}${words ? `: ${words}` : '.'}`
  const isLimited = head.status === 429
  return new ProviderError(statusCode(head.status, refusal), message, {
    httpStatus: head.status,
    type: refusal?.type ?? null,
    providerMessage: words ?? null,
    retryAfterMs: isLimited ? retryAfterMs(head.headers['retry-after'], now) : null,
  })
}

/**
 * A 404 means that the order does not exist only if it has the API's own error body, because a bare 404 page may come
 * from a proxy. 401, 429 and 5xx mean the same whoever sends them.
 */
const statusCode = (status: number, refusal: Refusal | null): ProviderErrorCode => {
  if (status === 401) return 'unauthorized'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'server_error'
  if (!refusal) return 'bad_answer'
  if (status === 400) return 'invalid_request'
  return status === 404 ? 'not_found' : 'refused'
}

/** undici's error is not passed on as the cause, because it may contain request data with the key and secret. */
const faultError = (exchange: Exclude<Exchange, { kind: 'answered' }>, now: number): ProviderError => {
  const head = exchange.kind === 'broken' ? exchange.head : null
  if (head?.status === 429) return statusError(head, null, now)
  const code = exchange.fault === 'refused_start' ? 'aborted' : exchange.fault
  return new ProviderError(code, `The provider gave no answer: ${faultDetail(exchange)}.`, {
    httpStatus: head?.status ?? null,
  })
}
