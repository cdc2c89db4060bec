import type { FastifyInstance } from 'fastify'

export interface HandledRequest {
  /**
   * The pattern of the route, or `other` if no route matched. Never the path, because that may contain a token, and
   * there would be too many different values.
   */
  route: string
  status: number
  seconds: number
}

/** Call it before the server listens. */
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
