import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Refuses a request before its body is read. If the body is too long or has no stated length, the connection is
 * closed, so that the body is never read.
 */
export const refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: string,
): FastifyReply => {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (coding !== undefined || Number(length) > maxCallbackBytes) reply.header('connection', 'close')
  return reply.code(status).send({ error })
}

/** Larger callbacks are refused (contract: HTTP). */
export const maxCallbackBytes = 64 * 1024

export const maxUpdateBytes = 1024 * 1024

export const json = 'application/json; charset=utf-8'
