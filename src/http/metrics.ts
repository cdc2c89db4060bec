import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../start/config.ts'
import { isLocal } from './caller.ts'

/** How `/metrics` is answered, and who may read it. */
export interface MetricsRoute {
  read: () => Promise<{ contentType: string; text: string }>
  /** Every request must have this token. Null: only programs on this machine may read, and they need no token. */
  token: string | null
}

/**
 * Whether `/metrics` is served on the port of callbacks. Behind a proxy that does not add headers, all requests seem
 * to come from this machine. So a bot with a public address serves the metrics there only with a token.
 */
export const hasMetricsOnPort = (
  config: Pick<Config, 'metricsToken' | 'metricsPort' | 'publicUrl'>,
): boolean => config.metricsPort === null && (config.metricsToken !== null || config.publicUrl === null)

/** Adds the route `GET /metrics`. @param refuse answers 401. */
export const serveMetrics = (
  server: FastifyInstance,
  { read, token }: MetricsRoute,
  refuse: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void => {
  server.get('/metrics', async (request, reply) => {
    if (!(token === null ? isLocal(request) : hasToken(request, token))) return refuse(request, reply)
    const { contentType, text } = await read()
    return reply.header('cache-control', 'no-store').type(contentType).send(text)
  })
}

/** A server with `/metrics` only, for a port on loopback. */
export const createMetricsServer = (route: MetricsRoute): FastifyInstance => {
  const server = Fastify({ bodyLimit: 1_024, requestTimeout: 5_000, forceCloseConnections: true })
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }))
  server.setErrorHandler((_error, _request, reply) => reply.code(500).send({ error: 'internal error' }))
  serveMetrics(server, route, (_request, reply) => reply.code(401).send({ error: 'unauthorized' }))
  return server
}

const hasToken = ({ headers }: FastifyRequest, token: string): boolean =>
  isSame(headers.authorization ?? '', `Bearer ${token}`)

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
