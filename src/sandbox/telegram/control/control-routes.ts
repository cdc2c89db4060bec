import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FileStore } from '../messages/files.ts'
import { ControlRefusal } from '../refusal.ts'
import type { TelegramOptions, TelegramSimulator } from '../simulator.ts'
import type { EventStreams } from './event-stream.ts'

interface ControlParts {
  simulator: TelegramSimulator
  files: FileStore
  streams: EventStreams
  provider: TelegramOptions['provider']
}

const id = z.number().int()
/** All actions of a person in a chat have these fields. */
const Act = z.object({ from: id, chat: id.exactOptional() })
const Say = Act.extend({
  text: z.string(),
  replyTo: id.exactOptional(),
  forwarded: z.boolean().exactOptional(),
  thread: id.exactOptional(),
  edits: id.exactOptional(),
})
const Press = Act.extend({
  messageId: id,
  data: z.string(),
  stale: z.boolean().exactOptional(),
})
const Drop = Act.extend({
  name: z.string().min(1),
  mime: z.string(),
  dataBase64: z.string(),
  caption: z.string().exactOptional(),
  album: z.string().min(1).exactOptional(),
})
const ContactCard = Act.extend({
  phoneNumber: z.string(),
  firstName: z.string(),
  lastName: z.string().exactOptional(),
  userId: id.exactOptional(),
  forwarded: z.boolean().exactOptional(),
})
const OtherMessage = Act.extend({
  kind: z.enum(['voice', 'sticker', 'location']),
})
const Link = z.object({ from: id, url: z.string() })
const Block = z.object({ blocked: z.boolean() })
const Deletion = Act.extend({ messageId: id })
const Nothing = z.object({})
const Group = z.object({ title: z.string().min(1), members: z.array(id).min(1) })
const Redelivery = z.object({ updateId: id.exactOptional(), asNew: z.boolean().exactOptional() })
const Fault = z.object({
  method: z.string().min(1),
  kind: z.enum(['flood', 'forbidden', 'server_error', 'reset_after', 'reset_before', 'slow', 'bad_request']),
  times: z.number().int().positive().nullable().exactOptional(),
  chat: id.exactOptional(),
  retryAfterSeconds: z.number().int().positive().exactOptional(),
  delayMs: z.number().nonnegative().exactOptional(),
  description: z.string().exactOptional(),
})
const PathId = z.object({ id: z.coerce.number().int() })
const CallsQuery = z.object({ method: z.string().exactOptional() })

const ownMachine = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

/** The control protocol of `control.ts` over HTTP, for the chat page and for tests in other processes. */
export function controlRoutes(
  app: FastifyInstance,
  { simulator, files, streams, provider }: ControlParts,
): void {
  app.register(
    async (sim) => {
      sim.addHook('onRequest', admitOwnMachine)
      sim.setErrorHandler(answerRefusal)
      sim.options('/*', async (_request, reply) => reply.code(204).send())

      sim.get('/state', async () => simulator.state())
      sim.get('/sandbox', async () => ({ provider: provider?.controlUrl, account: provider?.account }))
      sim.get('/calls', async (request) => simulator.calls(parse(CallsQuery, request.query).method))
      sim.get('/history', async () => simulator.history())
      sim.get('/chats/:id', async (request) => simulator.chat(parse(PathId, request.params).id))
      sim.get('/events', async (request, reply) => {
        reply.hijack()
        streams.open(reply.raw, corsHeaders(request))
      })
      sim.get<{ Params: { fileId: string } }>('/files/:fileId', async (request, reply) =>
        sendFile(reply, files, request.params.fileId),
      )

      post('/messages', Say, simulator.say)
      post('/presses', Press, simulator.press)
      post('/files', Drop, simulator.drop)
      post('/contacts', ContactCard, simulator.sendContact)
      post('/others', OtherMessage, simulator.sendOther)
      post('/links', Link, ({ from, url }) => simulator.openLink(from, url))
      post('/deletions', Deletion, simulator.deleteMessage)
      post('/groups', Group, simulator.addGroup)
      post('/faults', Fault, simulator.addFault)
      post('/redeliver', Redelivery, simulator.redeliver)
      post('/reset', Nothing, simulator.reset)
      sim.post('/people/:id', async (request) =>
        simulator.block(parse(PathId, request.params).id, parseBody(Block, request.body).blocked),
      )
      sim.post('/groups/:id/migrate', async (request) =>
        simulator.migrateGroup(parse(PathId, request.params).id),
      )
      sim.delete('/faults', async () => {
        simulator.clearFaults()
        return done
      })

      /**
       * Adds a route that calls `act` with the body. It answers with the result or, if there is none, with `done`.
       */
      function post<Body>(path: string, schema: z.ZodType<Body>, act: (body: Body) => unknown): void {
        sim.post(path, async (request) => act(parseBody(schema, request.body)) ?? done)
      }
    },
    { prefix: '/_sim' },
  )
}

const done = { ok: true }

function sendFile(reply: FastifyReply, files: FileStore, fileId: string) {
  const file = files.byId(fileId)
  if (!file) throw new ControlRefusal(404, 'There is no such file.')
  const isPicture = /^image\/(png|jpeg)$/.test(file.mime) || file.path.startsWith('photos/')
  const disposition = `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`
  return reply
    .headers({ 'content-disposition': disposition, 'x-content-type-options': 'nosniff' })
    .type(isPicture ? pictureType(file.bytes) : 'application/octet-stream')
    .send(file.bytes)
}

const pictureType = (bytes: Buffer) => (bytes[0] === 0x89 ? 'image/png' : 'image/jpeg')

/** Refuses requests by pages of other hosts, which may be open in a browser on this machine. */
async function admitOwnMachine(request: FastifyRequest, reply: FastifyReply) {
  const { origin } = request.headers
  if (origin !== undefined && !ownMachine.test(origin)) {
    throw new ControlRefusal(403, 'The sandbox answers only pages on this machine.')
  }
  reply.headers(corsHeaders(request))
}

function corsHeaders({ headers: { origin } }: FastifyRequest): Record<string, string> {
  if (origin === undefined || !ownMachine.test(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'content-type',
    vary: 'origin',
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ControlRefusal(400, z.prettifyError(parsed.error))
}

function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  return parse(schema, Buffer.isBuffer(body) && body.length > 0 ? parsedJson(body) : {})
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new ControlRefusal(400, `The body is not JSON: ${cause}`)
  }
}

function answerRefusal(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  if (!(error instanceof ControlRefusal)) throw error
  return reply.code(error.status).send({ error: 'refused', message: error.message })
}
