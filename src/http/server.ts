import Fastify, { type FastifyInstance } from 'fastify'
import type { HttpOptions } from './collaborators.ts'
import { boundConnections } from './connection-limit.ts'
import { serveMetrics } from './metrics.ts'
import { isNonce, probeHeader } from './probe.ts'
import { json, maxCallbackBytes, maxUpdateBytes, refuse } from './request-limits.ts'
import { callback, checkSender, checkToken, telegram } from './webhooks.ts'

/**
 * The most headers of a request. Senders and proxies together send about thirty. Node silently drops headers after
 * the 2,000th, and a proxy adds its own last. Without this limit, a stranger could make Node drop the proxy's
 * headers, and would then pass for a program on this machine (`caller.ts`).
 */
const maxHeaders = 200
/** A request that is not complete within this time is aborted. The provider waits 5 s for an answer (API §6). */
const requestMs = 5_000

/**
 * Headers of every answer. They forbid everybody to store it, and browsers to show it as a page or in a frame.
 * @fastify/helmet would add a dozen headers that matter only for pages.
 */
const cautions = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** No route has a schema. Without this function, Fastify would load its two schema compilers, which take 2 MB. */
const noSchemas = (): never => {
  throw new Error('No route has a schema.')
}

export const createHttpServer = (options: HttpOptions): FastifyInstance => {
  const server = Fastify({
    bodyLimit: maxCallbackBytes,
    requestTimeout: requestMs,
    // By default, Node looks for overdue requests only every 30 s.
    http: { requestTimeout: requestMs, connectionsCheckingInterval: 1_000 },
    connectionTimeout: 15_000,
    keepAliveTimeout: 65_000,
    // A token that is too long gets the handler's 404 like any other unknown token, not the router's 414.
    routerOptions: { maxParamLength: 20_000 },
    forceCloseConnections: true,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Called if the path cannot be decoded. Fastify's own answer would repeat the path.
    frameworkErrors: (_error, _request, reply) => {
      reply.raw.writeHead(400, { ...cautions, 'content-type': json }).end('{"error":"bad request"}')
    },
  })
  boundConnections(server.server)
  server.decorateRequest('orderId', '')
  // All bodies are read as raw bytes, whatever their content type: the digest is made from the bytes, and callbacks
  // with a wrong content type are accepted.
  server.addHook('onRequest', (request, reply, done) => {
    request.headers['content-type'] = 'application/octet-stream'
    reply.headers(cautions)
    if (request.raw.rawHeaders.length > 2 * maxHeaders) refuse(request, reply, 431, 'too many headers')
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
  // Fastify's own answer would repeat the path, which may hold a token.
  server.setNotFoundHandler((request, reply) => refuse(request, reply, 404, 'not found'))

  server.post<{ Params: { token: string } }>(
    '/webhooks/:token',
    { onRequest: (request, reply, done) => checkToken(options, request, reply, done) },
    (request, reply) => callback(options, request, reply),
  )
  server.post(
    '/telegram',
    {
      bodyLimit: maxUpdateBytes,
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

/** Concurrent requests share one answer, because anybody may ask and each answer costs a query. */
const oneAtATime = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}
