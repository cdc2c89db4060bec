import { Agent, fetch, type Headers, ProxyAgent, type Response } from 'undici'

export type Reached = Answered | Unreached

/** An answer of the server, with whatever status. */
export interface Answered {
  kind: 'answered'
  status: number
  headers: Headers
  /** The beginning of the body. */
  text: string
  /** The time until the headers arrived, ms. */
  tookMs: number
  /** When the headers arrived, by our clock. */
  at: Date
}

export interface Unreached {
  kind: 'unreached'
  why: Why
  /** An error code of the operating system, Node or TLS. Never the address, which may contain a secret. */
  code: string
}

type Why = 'name' | 'refused' | 'silent' | 'tls' | 'broken'

const patienceMs = 8_000
const maxBytes = 64 * 1024

/** Every request gets a new connection, because a server may close an old one just when it is used again. */
const dispatcher = new Agent({ pipelining: 0 })

/** Sends one request. Does not follow redirects. Never rejects. */
export const reach = async (
  url: string,
  {
    proxy = null,
    ...init
  }: {
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    body?: string
    proxy?: string | null
  } = {},
): Promise<Reached> => {
  const line = proxy === null ? dispatcher : new ProxyAgent(proxy)
  const startedMs = performance.now()
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const answer = await fetch(url, { ...init, redirect: 'manual', signal, dispatcher: line })
    const head = { status: answer.status, headers: answer.headers }
    const [tookMs, at] = [performance.now() - startedMs, new Date()]
    return { kind: 'answered', ...head, text: await beginningOf(answer), tookMs, at }
  } catch (error) {
    const code = codeOf(error)
    return { kind: 'unreached', why: whyOf(code), code }
  } finally {
    if (line !== dispatcher) void line.destroy()
  }
}

const beginningOf = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The code of the error that `fetch` hides in `cause`. If a host has several addresses, each has an error; the first
 * one is used.
 */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner instanceof Error) return codeOf(inner)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const whyOf = (code: string): Why => {
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return 'name'
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].includes(code)) return 'refused'
  if (['TimeoutError', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'].includes(code))
    return 'silent'
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(code)) return 'tls'
  return 'broken'
}

/** Words such as `cannot be reached: its name is unknown (ENOTFOUND)`. */
export const unreachedWords = ({ why, code }: Unreached): string => {
  const words: Record<Why, string> = {
    name: 'its name is unknown',
    refused: 'nothing accepts the connection',
    silent: `no answer within ${patienceMs / 1000} s`,
    tls: 'TLS fails, or its certificate is not accepted',
    broken: 'the connection breaks',
  }
  return `cannot be reached: ${words[why]} (${code})`
}

export const jsonIn = ({ text }: Answered): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const ms = (duration: number): string => `${Math.round(duration)} ms`
