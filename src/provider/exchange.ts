import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Dispatch } from './connections.ts'
import { unpacked } from './unpacking.ts'

interface ExchangeRequest {
  origin: string
  path: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
}

interface ExchangeTerms {
  /** From the call to the first byte of the request. */
  connectTimeoutMs: number
  /** From the call to the last byte of the answer. */
  timeoutMs: number
  maxBodyBytes: number
  now: () => number
  signal?: AbortSignal | undefined
  mayStart?: (() => boolean) | undefined
  onStart?: (() => void) | undefined
}

/** The times are by our clock (ms since the epoch). */
export interface AnswerHead {
  status: number
  headers: IncomingHttpHeaders
  sentAtMs: number
  receivedAtMs: number
}

/** Why a request was not sent. */
type UnsentFault = 'refused_start' | 'aborted' | 'unreachable'

/** Why a request that may have been sent got no complete answer. */
export type BrokenFault = 'aborted' | 'timeout' | 'too_large' | 'connection_lost'

/**
 * The result of a request. It is `unsent` only if it is certain that no byte of the request was written. The `head` of
 * a broken exchange is the part of the answer that came before the break.
 */
export type Exchange =
  | { kind: 'answered'; head: AnswerHead; body: Buffer }
  | { kind: 'broken'; fault: BrokenFault; head: AnswerHead | null; error: Error | null }
  | { kind: 'unsent'; fault: UnsentFault; error: Error | null }

/** Whether the connection broke before any part of an answer came. */
export const isLostBeforeAnswer = (result: Exchange): boolean =>
  result.kind === 'broken' && result.fault === 'connection_lost' && result.head === null

/** Makes one HTTP request, once. Never rejects: every failure is an `Exchange`. */
export const exchange = (line: Dispatch, request: ExchangeRequest, terms: ExchangeTerms): Promise<Exchange> =>
  new Promise((resolve) => {
    const handler = new ExchangeHandler(terms, resolve)
    if (handler.settled) return
    try {
      line.dispatch({ ...request, reset: request.method === 'POST' }, handler)
    } catch (error) {
      handler.onResponseError(null, error as Error)
    }
  })

type Controller = Dispatcher.DispatchController

/**
 * undici calls `onRequestStart` once it has a connection, and writes the request in the same synchronous step. An abort
 * inside that call writes nothing. So this call is the line between “nothing was sent” and “nobody knows”. Error codes
 * cannot draw that line, because an ECONNRESET may come before it or after it.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  settled = false
  readonly #terms: ExchangeTerms
  readonly #resolve: (exchange: Exchange) => void
  readonly #timers: NodeJS.Timeout[]
  readonly #onAbort = () => this.#end('aborted')
  #controller: Controller | null = null
  #startedAtMs: number | null = null
  #head: AnswerHead | null = null
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(terms: ExchangeTerms, resolve: (exchange: Exchange) => void) {
    this.#terms = terms
    this.#resolve = resolve
    this.#timers = [
      setTimeout(() => this.#startedAtMs === null && this.#end('timeout'), terms.connectTimeoutMs),
      setTimeout(() => this.#end('timeout'), terms.timeoutMs),
    ]
    terms.signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (terms.signal?.aborted) this.#end('aborted')
  }

  onRequestStart(controller: Controller): void {
    const repeated = this.#startedAtMs !== null
    if (this.settled || repeated) {
      controller.abort(new Error('a request must not be written twice'))
      return
    }
    this.#controller = controller
    const refusal = this.#askLeave()
    if (refusal) this.#giveUp('refused_start', refusal)
    else this.#startedAtMs = this.#terms.now()
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    const isInterim = status < 200
    if (this.settled || isInterim || this.#startedAtMs === null) return
    this.#head = { status, headers, sentAtMs: this.#startedAtMs, receivedAtMs: this.#terms.now() }
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.settled) return
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
    if (this.#bytes > this.#terms.maxBodyBytes) this.#end('too_large')
  }

  onResponseEnd(): void {
    if (this.#head) {
      const { headers } = this.#head
      const body = unpacked(
        Buffer.concat(this.#chunks),
        headers['content-encoding'],
        this.#terms.maxBodyBytes,
      )
      if (body === 'too_large') this.#end(body)
      else this.#settle({ kind: 'answered', head: this.#head, body })
    } else {
      this.#end('connection_lost')
    }
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    this.#end('connection_lost', error)
  }

  /** Asks the caller whether to begin. @returns why the request must not be written; null if it may be written */
  #askLeave(): Error | null {
    const { mayStart, onStart } = this.#terms
    try {
      if (mayStart && !mayStart()) return new Error('the caller withdrew its permission to start')
      onStart?.()
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error('the caller threw while it was asked')
    }
  }

  #end(fault: BrokenFault, error: Error | null = null): void {
    if (this.#startedAtMs === null) {
      this.#giveUp(fault === 'aborted' ? fault : 'unreachable', error)
    } else {
      this.#settle({ kind: 'broken', fault, head: this.#head, error })
      this.#controller?.abort(error ?? new Error(fault))
    }
  }

  #giveUp(fault: UnsentFault, error: Error | null): void {
    this.#settle({ kind: 'unsent', fault, error })
    this.#controller?.abort(error ?? new Error(fault))
  }

  #settle(result: Exchange): void {
    if (this.settled) return
    this.settled = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#terms.signal?.removeEventListener('abort', this.#onAbort)
    this.#resolve(result)
  }
}
