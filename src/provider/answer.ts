import type { AnswerHead, Exchange } from './exchange.ts'
import { isJsonObject, type JsonObject, readText } from './field.ts'

/**
 * When an answer came and with which HTTP status. `sentAt` and `receivedAt` are by our clock, `serverDate` is by the
 * provider's.
 */
export interface AnswerMeta {
  httpStatus: number
  /** When the first byte of the request was sent. */
  sentAt: Date
  /** When the answer's headers were complete. */
  receivedAt: Date
  /** The `Date` header, in whole seconds; null if it is missing or unreadable. */
  serverDate: Date | null
}

export const metaOf = (head: AnswerHead): AnswerMeta => ({
  httpStatus: head.status,
  sentAt: new Date(head.sentAtMs),
  receivedAt: new Date(head.receivedAtMs),
  serverDate: serverDateOf(head.headers.date),
})

const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

const serverDateOf = (header: unknown): Date | null => {
  const date = typeof header === 'string' && imfDate.test(header) ? new Date(header) : null
  return date === null || Number.isNaN(date.getTime()) ? null : date
}

/** Parses the body as JSON, whatever its `Content-Type`; null if it is not a JSON object. */
export const jsonOf = (body: Buffer): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** What the provider says about an error in its body (API §7). */
export interface Refusal {
  error: string | null
  type: string | null
  message: string | null
}

/**
 * Reads an error body and masks secrets in it. Null for a body without `success: false`, because only that marks an
 * error.
 */
export const refusalOf = (body: JsonObject | null, scrub: (text: string) => string): Refusal | null => {
  if (body?.success !== false) return null
  const words = (value: unknown) => {
    const text = readText(value)
    return text === null ? null : scrub(text)
  }
  return { error: words(body.error), type: words(body.type), message: words(body.message) }
}

type Fault = Exclude<Exchange, { kind: 'answered' }>

const faults: Record<Fault['fault'], string> = {
  refused_start: 'the caller did not allow it to start',
  aborted: 'the caller aborted it',
  unreachable: 'no connection could be made',
  timeout: 'no complete answer came in time',
  too_large: 'the answer is too large',
  connection_lost: 'the connection broke',
}

/** One line for logs and people: the fault and, if there is one, the system's error code. */
export const faultDetail = ({ fault, error }: Fault): string => {
  const code = codeOf(error)
  return code ? `${faults[fault]} (${code})` : faults[fault]
}

const codeOf = (error: unknown): string | null => {
  const code = isJsonObject(error) ? error.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : null
}
