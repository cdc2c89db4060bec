/**
 * Why a call failed.
 *
 * | code | meaning |
 * |---|---|
 * | `invalid_request` | the caller's input is wrong (`httpStatus` null: no request was made), or the provider answered 400 |
 * | `invalid_options` | `createProvider` was given an unusable base URL or limit |
 * | `invalid_credentials` | key or secret has characters that no header can carry; no request was made |
 * | `unauthorized` | 401: key or secret is wrong or disabled |
 * | `not_found` | 404 with the API's own error body |
 * | `rate_limited` | 429: see `retryAfterMs` |
 * | `refused` | any other answer with the API's own error body, even a 2xx |
 * | `server_error` | 5xx |
 * | `bad_answer` | an undocumented answer: a redirect, no JSON, fields missing |
 * | `too_large` | the answer's body is larger than `maxBodyBytes` |
 * | `unreachable` | no connection: nothing was sent |
 * | `connection_lost` | the connection broke before the answer was complete |
 * | `timeout` | the answer was not complete in time |
 * | `aborted` | the caller's `AbortSignal` ended the call |
 */
export type ProviderErrorCode =
  | 'invalid_request'
  | 'invalid_options'
  | 'invalid_credentials'
  | 'unauthorized'
  | 'not_found'
  | 'rate_limited'
  | 'refused'
  | 'server_error'
  | 'bad_answer'
  | 'too_large'
  | 'unreachable'
  | 'connection_lost'
  | 'timeout'
  | 'aborted'

interface ProviderErrorDetails {
  httpStatus?: number | null
  type?: string | null
  providerMessage?: string | null
  retryAfterMs?: number | null
  cause?: unknown
}

/** Thrown by reads, and by any call whose input is invalid, before a request is made. Contains no secret. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode
  readonly httpStatus: number | null
  /** The provider's word for the error (API §7), as sent; it may be one that we don't know. */
  readonly type: string | null
  /** The provider's own sentence. It comes from outside, so escape it before you show it. */
  readonly providerMessage: string | null
  /** Set with `rate_limited`: how long to wait, from 1 s to 1 h. */
  readonly retryAfterMs: number | null

  constructor(code: ProviderErrorCode, message: string, details: ProviderErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ProviderError'
    this.code = code
    this.httpStatus = details.httpStatus ?? null
    this.type = details.type ?? null
    this.providerMessage = details.providerMessage ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}
