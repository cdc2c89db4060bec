import { type Api, GrammyError } from 'grammy'
import type { Document } from 'grammy/types'
import { fetch, ProxyAgent, type RequestInit } from 'undici'

/** A document's bytes, or why there are none. The reason never contains the bot's token. */
export type Download =
  | { kind: 'loaded'; bytes: Uint8Array }
  | { kind: 'too_large'; limitBytes: number }
  /** Telegram did not answer in time, or answered without the file. A second try may succeed. */
  | { kind: 'unavailable'; reason: string }

/** The source of files, and the limits on loading them. */
export interface DownloadOptions {
  api: Pick<Api, 'getFile'>
  token: string
  /** Without a slash at the end. Files are read from `/file/bot<token>/<path>` below it. */
  apiRoot: string
  limitBytes: number
  /** The limit for the whole download, from the first call to the last byte. */
  deadlineMs?: number
  /** The address of the HTTP proxy to Telegram; null: none. */
  proxy?: string | null
  fetch?: typeof globalThis.fetch
}

/**
 * Loads documents that people send. The size is checked three times: as the message gives it, as `getFile` gives it,
 * and while the bytes arrive.
 */
export const createDownload =
  ({ deadlineMs = 20_000, proxy = null, fetch = fetchThrough(proxy), ...options }: DownloadOptions) =>
  async (document: Pick<Document, 'file_id' | 'file_size'>): Promise<Download> => {
    const { api, limitBytes } = options
    const tooLarge: Download = { kind: 'too_large', limitBytes }
    if ((document.file_size ?? 0) > limitBytes) return tooLarge
    const signal = AbortSignal.timeout(deadlineMs)
    try {
      const file = await api.getFile(document.file_id, signal as Parameters<Api['getFile']>[1])
      if ((file.file_size ?? 0) > limitBytes) return tooLarge
      const url = urlOf(options, file.file_path)
      if (!url) return { kind: 'unavailable', reason: 'no path' }
      // A redirect would send the token, which is part of the address, to another host.
      const answer = await fetch(url, { signal, redirect: 'error' })
      return await load(answer, limitBytes)
    } catch (error) {
      if (error instanceof GrammyError && /file is too big/i.test(error.description)) return tooLarge
      return { kind: 'unavailable', reason: signal.aborted ? 'deadline' : reasonOf(error) }
    }
  }

const fetchThrough = (proxy: string | null): typeof globalThis.fetch => {
  if (proxy === null) return globalThis.fetch
  const dispatcher = new ProxyAgent(proxy)
  const through = (url: URL, init: RequestInit) => fetch(url, { ...init, dispatcher })
  return through as unknown as typeof globalThis.fetch
}

/** The file's address; null if the path could lead outside the bot's folder. */
const urlOf = ({ apiRoot, token }: DownloadOptions, path: string | undefined): URL | null => {
  const parts = path?.split('/') ?? []
  if (parts.length === 0 || parts.some((part) => /^\.{0,2}$/.test(part) || part.includes('\\'))) return null
  return URL.parse(`${apiRoot}/file/bot${token}/${parts.map(encodeURIComponent).join('/')}`)
}

const load = async (answer: Response, limitBytes: number): Promise<Download> => {
  const announced = Number(answer.headers.get('content-length') ?? 0)
  if (!answer.ok || !answer.body || announced > limitBytes) {
    await answer.body?.cancel()
    if (announced > limitBytes && answer.ok) return { kind: 'too_large', limitBytes }
    return { kind: 'unavailable', reason: `HTTP ${answer.status}` }
  }
  // Parts of the buffer that are never written take no memory. Collecting chunks would take twice the file's size.
  const bytes = Buffer.alloc(limitBytes)
  let length = 0
  for await (const chunk of answer.body) {
    // Leaving the loop closes the connection.
    if (length + chunk.length > limitBytes) return { kind: 'too_large', limitBytes }
    bytes.set(chunk, length)
    length += chunk.length
  }
  return { kind: 'loaded', bytes: bytes.subarray(0, length) }
}

/** An error code as the reason. The messages of some errors contain the address, which holds the token. */
const reasonOf = (error: unknown): string => {
  if (error instanceof GrammyError) return `Telegram answers ${error.error_code}`
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'no answer'
}
