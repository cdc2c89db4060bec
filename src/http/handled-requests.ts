import type { FastifyInstance } from 'fastify'

/** An HTTP request that was answered. */
export interface HandledRequest {
  /**
   * The pattern of the route, or `other` if no route matched. Never the path, which may contain a token and can
   * take any number of values.
   */
  route: string
  status: number
  seconds: number
}

/** Reports each request that the server has answered. Call it before the server listens. */
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
