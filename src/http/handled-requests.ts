import type { FastifyInstance } from 'fastify'

/** An HTTP request that was answered. */
export interface HandledRequest {
  /**
   * The route's pattern, never a path: a path may hold a token, and there are any number of paths. `other`: no route.
   */
  route: string
  status: number
  seconds: number
}

/** Reports each request that the server has answered. To be called before the server listens. */
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
