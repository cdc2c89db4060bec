import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { Keyring } from '../accounts/keyring.ts'
import { parseCallback } from '../provider/index.ts'
import type { CallbackLimit } from '../relay/callback-limit.ts'
import { eventOf, type Inbox } from '../relay/inbox.ts'
import { isId } from '../store/id.ts'
import { boundConnections } from './connections.ts'
import { type MetricsRoute, serveMetrics } from './metrics.ts'
import { isNonce, probeHeader } from './probe.ts'

/** A callback above this is refused (contract: HTTP). */
const mostCallbackBytes = 64 * 1024
const mostUpdateBytes = 1024 * 1024
/**
 * Senders and the proxies before us have some thirty. Node leaves out what stands below the 2,000th without a word, and
 * the header by which a proxy is known (`caller.ts`) stands last.
 */
const mostHeaders = 200
/** A callback that is not committed by then is answered 503, whatever keeps the database. */
const callbackMs = 3_500
/** A request that is not complete by then is cut. The provider waits 5 s for an answer (API §6). */
const requestMs = 5_000

interface HttpOptions {
  keyring: Keyring
  inbox: Inbox
  callbackLimit: CallbackLimit
  /** Handles an update of Telegram's webhook mode; null while updates come by polling. */
  onUpdate: ((update: Update) => Promise<'done' | 'held'>) | null
  /** What is not ready yet; empty when all is. */
  notReady: () => Promise<string[]>
  /** Why nothing new is taken in, for the body of `/readyz`: callbacks still are. */
  diskTrouble: () => string | null
  /** Why the database takes no changes, for the body of `/readyz`; null while it does. */
  databaseTrouble: () => string | null
  /** What stands in the way of Telegram, for the body of `/readyz`. */
  telegramTrouble: () => string | null
  /** Null: they are not on this port. */
  metrics: MetricsRoute | null
  now: () => Date
  log: Logger
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The order whose address for callbacks was asked for; empty elsewhere. */
    orderId: string
  }
}

/**
 * What every answer says: it is to be kept by nobody, and is nothing that a browser could show as a page or frame.
 * By hand and not by @fastify/helmet, whose dozen headers are about pages: here is none.
 */
const cautions = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

const json = 'application/json; charset=utf-8'

/** The HTTP server: all routes of the contract. */
export const createHttpServer = (options: HttpOptions): FastifyInstance => {
  const server = Fastify({
    bodyLimit: mostCallbackBytes,
    requestTimeout: requestMs,
    // Node looks for overdue requests only so often: every 30 s unless told otherwise.
    http: { requestTimeout: requestMs, connectionsCheckingInterval: 1_000 },
    connectionTimeout: 15_000,
    keepAliveTimeout: 65_000,
    // A token of any length was never issued: 404 is for the handler to say, not the router's 414.
    routerOptions: { maxParamLength: 20_000 },
    forceCloseConnections: true,
    // A path that cannot be decoded: Fastify's own answer repeats it.
    frameworkErrors: (_error, _request, reply) => {
      reply.raw.writeHead(400, { ...cautions, 'content-type': json }).end('{"error":"bad request"}')
    },
  })
  boundConnections(server.server)
  server.decorateRequest('orderId', '')
  // The raw bytes are what a digest is over, and what is parsed leniently: whatever content type they claim.
  server.addHook('onRequest', (request, reply, done) => {
    request.headers['content-type'] = 'application/octet-stream'
    reply.headers(cautions)
    if (request.raw.rawHeaders.length > 2 * mostHeaders) refuse(request, reply, 431, 'too many headers')
    else done()
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.setErrorHandler((error: Error & { statusCode?: number; code?: string }, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) options.log.error({ err: error }, 'a request could not be handled')
    return reply
      .code(status)
      .send({ error: status >= 500 ? 'internal error' : (error.code ?? 'bad request') })
  })
  // Fastify's own answer repeats the path, which may hold a token.
  server.setNotFoundHandler((request, reply) => refuse(request, reply, 404, 'not found'))

  server.post<{ Params: { token: string } }>(
    '/webhooks/:token',
    { onRequest: (request, reply, done) => checkToken(options, request, reply, done) },
    (request, reply) => callback(options, request, reply),
  )
  server.post(
    '/telegram',
    {
      bodyLimit: mostUpdateBytes,
      onRequest: (request, reply, done) => checkSender(options, request, reply, done),
    },
    (request, reply) => telegram(options, request, reply),
  )
  server.get('/healthz', (request, reply) => {
    const nonce = request.headers[probeHeader]
    if (isNonce(nonce)) reply.header(probeHeader, options.keyring.sign('probe', nonce))
    return reply.send({ status: 'ok' })
  })
  const notReady = oneAtATime(options.notReady)
  server.get('/readyz', async (_request, reply) => {
    const missing = await notReady()
    const [disk, database] = [options.diskTrouble(), options.databaseTrouble()]
    return reply.code(missing.length > 0 ? 503 : 200).send({
      ready: missing.length === 0,
      missing,
      ...(disk !== null && { disk }),
      ...(database !== null && { database }),
      telegram: options.telegramTrouble() ?? 'ok',
    })
  })
  if (options.metrics) {
    serveMetrics(server, options.metrics, (request, reply) => refuse(request, reply, 401, 'unauthorized'))
  }
  return server
}

/** Whoever asks while an answer is on its way gets that: anybody may ask, and each answer costs a query. */
const oneAtATime = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}

/** Answers before the body was read. One that is long, or does not say how long it is, is not read at all. */
const refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: string,
): FastifyReply => {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (coding !== undefined || Number(length) > mostCallbackBytes) reply.header('connection', 'close')
  return reply.code(status).send({ error })
}

/** The answer to nearly all of them, ready to be sent. */
const accepted = Buffer.from('{"ok":true}')

/** Whose callback it is stands in its token: a forged one falls before its body is read or the database asked. */
const checkToken = (
  { keyring }: HttpOptions,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  done: () => void,
): void => {
  const orderId = keyring.verify('webhook', request.params.token)
  if (orderId === null || !isId(orderId)) {
    refuse(request, reply, 404, 'not found')
    return
  }
  request.orderId = orderId
  done()
}

/** A provider callback (API §6): 200 only after the commit. */
const callback = async (
  { inbox, callbackLimit, now, log }: HttpOptions,
  { orderId, body }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const receivedAt = now()
  const raw = bytesOf(body)
  const parsed = parseCallback(parseJson(raw))
  if (parsed === null)
    return reply.code(400).send({ error: 'a JSON object with reference and status is expected' })
  const late = new AbortController()
  const store = async (): Promise<boolean> => {
    if (!(await callbackLimit.hasRoom(orderId))) return false
    await inbox.accept(eventOf(orderId, raw, parsed, receivedAt), late.signal)
    return true
  }
  try {
    if (!(await within(callbackMs, store())))
      return reply.code(429).send({ error: 'too many callbacks about this order' })
    return reply.type(json).send(accepted)
  } catch (error) {
    late.abort()
    log.error({ orderId, err: error }, 'a callback could not be stored')
    return reply.code(503).header('retry-after', '5').send({ error: 'not stored, please send it again' })
  }
}

/** What is late may still be stored: its sender sends it again, and a repeat makes no difference. */
const within = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => limit.reject(new Error(`It was not committed within ${limitMs} ms.`)),
    limitMs,
  )
  work.catch(() => {})
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/** It leaves out a byte order mark, which JSON.parse would refuse. */
const decoder = new TextDecoder()

const parseJson = (raw: Buffer): unknown => {
  try {
    return JSON.parse(decoder.decode(raw))
  } catch {
    return null
  }
}

/** Only Telegram knows the secret token that was settled with it. */
const checkSender = (
  { keyring, onUpdate }: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void => {
  const secret = request.headers['x-telegram-bot-api-secret-token']
  if (onUpdate && typeof secret === 'string' && keyring.isTelegramSecret(secret)) done()
  else refuse(request, reply, 401, 'unauthorized')
}

/**
 * What is no update was damaged on its way, and 400 lets Telegram send it again. An update that cannot be handled
 * would come again and again, and hold up others: it is logged and taken. What the database could not take is for
 * Telegram to keep.
 */
const telegram = async (
  { onUpdate, telegramTrouble, log }: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const update = parseJson(bytesOf(request.body))
  if (!isUpdate(update)) return reply.code(400).send({ error: 'not an update' })
  if (telegramTrouble() !== null)
    return reply.code(503).header('retry-after', '1').send({ error: 'not connected yet' })
  try {
    if ((await onUpdate?.(update)) === 'held')
      return reply.code(503).header('retry-after', '5').send({ error: 'not taken, please send it again' })
  } catch (error) {
    log.error({ updateId: update.update_id, err: error }, 'an update could not be handled')
  }
  return reply.send({ ok: true })
}

const isUpdate = (value: unknown): value is Update =>
  typeof value === 'object' && value !== null && 'update_id' in value && typeof value.update_id === 'number'
