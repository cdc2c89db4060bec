import type { FastifyInstance } from 'fastify'

/** `127.0.0.1:8081`, `localhost`, `[::1]:8081` */
const ownHost = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i

/** Whether a `Host` header names this machine, with or without a port. */
const isOwnHost = (host: string): boolean => ownHost.test(host)

/**
 * Blocks DNS rebinding: refuses any `Host` except this machine. The reads of a rebound page carry no `Origin`, so only
 * the `Host` gives it away.
 */
export const admitOwnHosts = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnHost(request.headers.host ?? '')) return
    await reply
      .code(403)
      .send({ error: 'refused', message: 'The sandbox answers at 127.0.0.1 and localhost only.' })
  })
}
