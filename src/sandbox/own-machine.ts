import type { FastifyInstance } from 'fastify'

/** Matches a `Host` that names this machine: `127.0.0.1:8081`, `localhost`, `[::1]:8081`. */
const ownHost = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i

const isOwnHost = (host: string): boolean => ownHost.test(host)

/**
 * Refuses every `Host` that is not this machine. This blocks DNS rebinding, by which a page of another site could
 * read this server. The requests of such a page have no `Origin`, so only their `Host` shows where they come from.
 */
export const admitOwnHosts = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnHost(request.headers.host ?? '')) return
    await reply
      .code(403)
      .send({ error: 'refused', message: 'The sandbox answers only at 127.0.0.1 and localhost.' })
  })
}
