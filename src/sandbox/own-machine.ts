import type { FastifyInstance } from 'fastify'

/** `127.0.0.1:8081`, `localhost`, `[::1]:8081` */
const ownHost = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i

export const isOwnHost = (host: string): boolean => ownHost.test(host)

/**
 * Refuses whoever asked for another host than this machine: a page elsewhere whose name was made to lead here sends no
 * `Origin` with what it reads, and is known by the name alone.
 */
export const admitOwnHosts = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnHost(request.headers.host ?? '')) return
    await reply
      .code(403)
      .send({ error: 'refused', message: 'The sandbox answers at 127.0.0.1 and localhost only.' })
  })
}
