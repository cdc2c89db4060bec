import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { Keyring } from '../accounts/keyring.ts'
import { parseCallback } from '../provider/index.ts'
import { eventOf, type Inbox } from '../relay/inbox.ts'
import { isId } from '../store/id.ts'

/** A callback above this is refused (contract: HTTP). */
const mostCallbackBytes = 64 * 1024
const mostUpdateBytes = 1024 * 1024
/** A request that is not complete by then is cut. The provider waits 5 s for an answer (API §6). */
const requestMs = 5_000

interface HttpOptions {
  keyring: Keyring
  inbox: Inbox
  /** Handles an update of Telegram's webhook mode; null while updates come by polling. */
  onUpdate: ((update: Update) => Promise<void>) | null
  /** What is not ready yet; empty when all is. */
  notReady: () => Promise<string[]>
  /** What stands in the way of Telegram, for the body of `/readyz`. */
  telegramTrouble: () => string | null
  metrics: () => Promise<{ contentType: string; text: string }>
  metricsToken: string | null
  now: () => Date
  log: Logger
}

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
  })
  // The raw bytes are what a digest is over, and what is parsed leniently: whatever content type they claim.
  server.addHook('onRequest', (request, _reply, done) => {
    request.headers['content-type'] = 'application/octet-stream'
    done()
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

  server.post<{ Params: { token: string } }>('/webhooks/:token', (request, reply) =>
    callback(options, request, reply),
  )
  server.post('/telegram', { bodyLimit: mostUpdateBytes }, (request, reply) =>
    telegram(options, request, reply),
  )
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    const missing = await options.notReady()
    return reply
      .code(missing.length > 0 ? 503 : 200)
      .send({ ready: missing.length === 0, missing, telegram: options.telegramTrouble() ?? 'ok' })
  })
  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, options.metricsToken)) return reply.code(401).send({ error: 'unauthorized' })
    const { contentType, text } = await options.metrics()
    return reply.type(contentType).send(text)
  })
  return server
}

/** The answer to nearly all of them, ready to be sent. */
const json = 'application/json; charset=utf-8'
const accepted = Buffer.from('{"ok":true}')

/** A provider callback (API §6): the token is checked before the database is touched, 200 only after the commit. */
const callback = async (
  { keyring, inbox, now, log }: HttpOptions,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const receivedAt = now()
  const orderId = keyring.verify('webhook', request.params.token)
  if (orderId === null || !isId(orderId)) return reply.code(404).send({ error: 'not found' })
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const parsed = parseCallback(parseJson(raw))
  if (parsed === null)
    return reply.code(400).send({ error: 'a JSON object with reference and status is expected' })
  try {
    await inbox.accept(eventOf(orderId, raw, parsed, receivedAt))
    return reply.type(json).send(accepted)
  } catch (error) {
    log.error({ orderId, err: error }, 'a callback could not be stored')
    return reply.code(503).header('retry-after', '5').send({ error: 'not stored, please send it again' })
  }
}

/** It leaves out a byte order mark, which JSON.parse would refuse. */
const decoder = new TextDecoder()

const parseJson = (raw: Buffer): unknown => {
  try {
    return JSON.parse(decoder.decode(raw))
  } catch {
    return null
  }
}

const telegram = async (
  { keyring, onUpdate }: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const secret = request.headers['x-telegram-bot-api-secret-token']
  if (!onUpdate || typeof secret !== 'string' || !isSame(secret, keyring.telegramSecret())) {
    return reply.code(401).send({ error: 'unauthorized' })
  }
  const update = parseJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
  if (!isUpdate(update)) return reply.code(400).send({ error: 'not an update' })
  await onUpdate(update)
  return reply.send({ ok: true })
}

const isUpdate = (value: unknown): value is Update =>
  typeof value === 'object' && value !== null && 'update_id' in value && typeof value.update_id === 'number'

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** From this machine, and not through a proxy; from elsewhere only with the token. */
const mayReadMetrics = (request: FastifyRequest, token: string | null): boolean => {
  const authorization = request.headers.authorization ?? ''
  if (token !== null && isSame(authorization, `Bearer ${token}`)) return true
  const forwarded = Object.keys(request.headers).some(
    (name) => name === 'forwarded' || name.startsWith('x-forwarded-'),
  )
  return !forwarded && isLoopback(request.socket.remoteAddress ?? '')
}

const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)
