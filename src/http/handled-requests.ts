import type { FastifyInstance } from 'fastify'

/** An HTTP request that was answered. */
export interface HandledRequest {
  /** The route's pattern, never a path: a path may hold a token, and there are any number. `other`: there is none. */
  route: string
  status: number
  seconds: number
}

/** Tells of each request that the server has answered; before it listens. */
export const observeRequests = (
  server: FastifyInstance,
  onRequest: (request: HandledRequest) => void,
): void => {
  server.addHook('onResponse', (request, reply, done) => {
    onRequest({
      route: request.is404 ? 'other' : (request.routeOptions.url ?? 'other'),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
    done()
  })
}
