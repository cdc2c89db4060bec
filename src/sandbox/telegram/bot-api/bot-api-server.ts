import { type FastifyInstance, fastify } from 'fastify'
import { admitOwnHosts } from '../../own-machine.ts'
import { Refusal } from '../refusal.ts'
import { refusalBody } from './methods.ts'

/**
 * The largest body in bytes. It has room for the largest file that a bot can send
 * (https://core.telegram.org/bots/api#sending-files) and the rest of the form.
 */
const largestBody = 51 * 1024 * 1024

/** Passes bodies on as bytes, and reports errors in the Bot API's form. */
export function createServer(): FastifyInstance {
  const app = fastify({
    bodyLimit: largestBody,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1000 },
  })
  admitOwnHosts(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(refusalBody(new Refusal(404, 'Not Found'))),
  )
  app.setErrorHandler((error, _request, reply) => {
    const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413
    const refusal = isTooLarge
      ? new Refusal(413, 'Request Entity Too Large')
      : new Refusal(500, `Internal Server Error: ${error instanceof Error ? error.message : error}`)
    return reply.code(refusal.code).send(refusalBody(refusal))
  })
  return app
}
