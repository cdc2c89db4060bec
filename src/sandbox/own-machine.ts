import type { FastifyInstance } from 'fastify'

/** Matches a `Host` that names this machine: `127.0.0.1:8081`, `localhost`, `[::1]:8081`. */
const ownHost = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i

/** Whether a `Host` header names this machine, with or without a port. */
const isOwnHost = (host: string): boolean => ownHost.test(host)

/**
 * Refuses any `Host` except this machine. This blocks DNS rebinding, by which a page of another site could read this
 * server. Such a page's requests carry no `Origin`, so only the `Host` gives it away.
 */
export const admitOwnHosts = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnHost(request.headers.host ?? '')) return
    await reply
      .code(403)
      .send({ error: 'refused', message: 'The sandbox answers at 127.0.0.1 and localhost only.' })
  })
}
