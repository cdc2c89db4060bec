import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileStore } from '../messages/files.ts'
import { Refusal } from '../refusal.ts'
import { type BotMethods, type Outcome, refusalBody } from './methods.ts'
import { readParameters } from './parameters.ts'

interface BotParts {
  simulator: { token: string }
  methods: BotMethods
  files: FileStore
}

interface MethodRequest {
  Params: { token: string; method: string }
}

const wellFormedToken = /^\d+:[\w-]{20,}$/

/** `/bot<token>/<method>` and `/file/bot<token>/<path>`: the same paths as at `api.telegram.org`. */
export function botRoutes(app: FastifyInstance, bot: BotParts): void {
  app.route<MethodRequest>({
    method: ['GET', 'POST'],
    url: '/bot:token/:method',
    handler: async (request, reply) => write(request, reply, await outcomeOf(request, reply, bot)),
  })
  app.get<{ Params: { token: string; '*': string } }>('/file/bot:token/*', async (request, reply) => {
    const { token, '*': path } = request.params
    if (token !== bot.simulator.token) return answerRefusal(reply, refusalOf(token))
    const file = bot.files.byPath(path)
    if (!file) return answerRefusal(reply, new Refusal(404, 'Not Found'))
    return reply.type('application/octet-stream').send(file.bytes)
  })
}

async function outcomeOf(
  request: FastifyRequest<MethodRequest>,
  reply: FastifyReply,
  { simulator, methods }: BotParts,
): Promise<Outcome> {
  try {
    const { token } = request.params
    if (token !== simulator.token) throw refusalOf(token)
    const parameters = readParameters(
      request.url.split('?')[1] ?? '',
      request.headers['content-type'] ?? '',
      Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    )
    return await methods.run({ method: request.params.method, parameters, gone: hangUpOf(reply) })
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'answer', status: error.code, body: refusalBody(error) }
    throw error
  }
}

function refusalOf(unknownToken: string): Refusal {
  return wellFormedToken.test(unknownToken) ? new Refusal(401, 'Unauthorized') : new Refusal(404, 'Not Found')
}

function hangUpOf(reply: FastifyReply): AbortSignal {
  const hangUp = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hangUp.abort()
  })
  return hangUp.signal
}

function write(request: FastifyRequest, reply: FastifyReply, outcome: Outcome) {
  if (outcome.kind === 'answer') return reply.code(outcome.status).send(outcome.body)
  reply.hijack()
  request.raw.socket.resetAndDestroy()
  return reply
}

function answerRefusal(reply: FastifyReply, refusal: Refusal) {
  return reply.code(refusal.code).send(refusalBody(refusal))
}
