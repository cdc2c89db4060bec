import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers before the body was read. A body that is long, or does not say how long it is, is not read at all. */
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

/** A larger callback is refused (contract: HTTP). */
export const maxCallbackBytes = 64 * 1024

/** The content type of answers. */
export const json = 'application/json; charset=utf-8'
