import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isLocal } from './caller.ts'

/** The figures for Prometheus, and who may read them. */
export interface MetricsRoute {
  read: () => Promise<{ contentType: string; text: string }>
  /** If it is set, every request needs it. Without it, programs on this machine may ask. */
  token: string | null
}

/**
 * Whether the figures are on the port of callbacks. Behind a proxy that adds no header everybody seems to come from
 * this machine. So a bot with an address on the internet shows the figures there only for the token.
 */
export const hasMetricsOnPort = (
  config: Pick<Config, 'metricsToken' | 'metricsPort' | 'publicUrl'>,
): boolean => config.metricsPort === null && (config.metricsToken !== null || config.publicUrl === null)

/** Answers `GET /metrics`. @param refuse answers 401. */
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

/** A server with nothing but the figures, for a port that listens on loopback only. */
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
