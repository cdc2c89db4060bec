import type { FastifyInstance } from 'fastify'

/** `127.0.0.1:8081`, `localhost`, `[::1]:8081` */
const ownHost = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i

/** Whether a `Host` header names this machine, with or without a port. */
export const isOwnHost = (host: string): boolean => ownHost.test(host)

/**
 * Refuses requests for another host than this machine. A page elsewhere may have its name lead here; it sends
 * no `Origin` with its reads, and only the name gives it away.
 */
export const admitOwnHosts = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnHost(request.headers.host ?? '')) return
    await reply
      .code(403)
      .send({ error: 'refused', message: 'The sandbox answers at 127.0.0.1 and localhost only.' })
  })
}
