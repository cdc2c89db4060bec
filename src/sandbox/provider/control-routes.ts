import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { bundlesFor } from './accounts.ts'
import { type Fault, faultKinds, type ProviderSettings } from './control.ts'
import { phone } from './endpoints.ts'
import { orderState } from './orders.ts'
import { isRefusal, refusalStatus } from './refusal.ts'
import type { Simulator } from './simulator.ts'

export const controlPath = '/_sim'

const milliseconds = z.number().int().nonnegative().max(2_147_483_647)
const count = z.number().int().nonnegative()
const httpStatus = z.number().int().min(200).max(599)

const faultSchema: z.ZodType<Fault> = z
  .object({
    kind: z.enum(Object.keys(faultKinds)),
    path: z.string(),
    account: z.string(),
    network: z.string(),
    times: z.number().int().positive().nullable(),
    status: httpStatus,
    delayMs: milliseconds,
    retryAfter: z.string().nullable(),
    type: z.string(),
    message: z.string(),
    body: z.string(),
    processed: z.boolean(),
  })
  .partial()
  .required({ kind: true })
  .strict() as z.ZodType<Fault>

const settingsSchema = z
  .object({
    deliverAfterMs: milliseconds.nullable(),
    callbackDelayMs: milliseconds,
    callbackRetriesMs: z.array(milliseconds),
    callbackTimeoutMs: milliseconds,
    limits: z.object({ perMinute: count, perHour: count, perDay: count }),
    clockSkewMs: z.number().int(),
    dateByProxy: z.boolean(),
    refundAfterMs: milliseconds.nullable(),
    lookUp: z.enum(['own', 'all']),
    bulkRecipients: z.boolean(),
    bulkCallbacks: z.enum(['order', 'recipient', 'both']),
    bulkPending: z.enum(['refuse', 'skip']),
  })
  .partial()
  .strict() as z.ZodType<Partial<ProviderSettings>>

const statusSchema = z.object({
  status: z.string().min(1),
  phone: z.string().optional(),
  quiet: z.boolean().optional(),
})

const accountSchema = z.object({
  balancePesewas: count.optional(),
  apiKey: z.string().min(1).optional(),
  apiSecret: z.string().min(1).optional(),
  disabled: z.boolean().optional(),
  prices: z.record(z.string(), count.nullable()).optional(),
})

const elsewhereSchema = z.object({
  bundleId: z.int().positive(),
  phones: z.array(phone).min(1).max(100),
})

const referencePath = z.object({ reference: z.string() })
const idPath = z.object({ id: z.string() })

/** The control protocol of `control.ts` over HTTP. Only pages on this machine may use it. */
export const controlRoutes = (simulator: Simulator) => async (app: FastifyInstance) => {
  app.addHook('onRequest', allowLoopbackPages)
  app.options('/*', async (_request, reply) => reply.code(204).send())

  app.get('/state', async () => simulator.state())
  app.get('/ledger', async () => simulator.books())
  app.get('/events', async (request, reply) => streamState(simulator, request, reply))

  app.post('/orders/:reference/status', async (request) => {
    const { reference } = referencePath.parse(request.params)
    const { status, phone, quiet } = statusSchema.parse(request.body)
    simulator.setStatus(reference, status, {
      ...(phone === undefined ? {} : { phone }),
      ...(quiet === undefined ? {} : { quiet }),
    })
    const order = simulator.orders.find(reference)
    return order ? orderState(order) : {}
  })
  app.post('/faults', async (request) => ({ id: simulator.addFault(faultSchema.parse(request.body)) }))
  app.delete('/faults', async () => {
    simulator.endFaults()
    return {}
  })
  app.delete('/faults/:id', async (request) => {
    simulator.endFaults(idPath.parse(request.params).id)
    return {}
  })
  app.post('/reset', async () => {
    await simulator.reset()
    return {}
  })
  app.post('/settings', async (request) => simulator.changeSettings(settingsSchema.parse(request.body)))
  app.post('/accounts/:id', async (request) => {
    const { id } = idPath.parse(request.params)
    return simulator.changeAccount(id, accountSchema.parse(request.body))
  })

  app.post('/accounts/:id/orders', async (request, reply) => {
    const { id } = idPath.parse(request.params)
    const placed = await simulator.placeElsewhere(id, elsewhereSchema.parse(request.body))
    if (isRefusal(placed)) return reply.code(refusalStatus(placed.type)).send({ error: placed.message })
    return orderState(placed)
  })

  app.get('/accounts/:id/bundles', async (request) =>
    bundlesFor(simulator.account(idPath.parse(request.params).id)),
  )

  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ error: z.prettifyError(error) })
    if (error instanceof RangeError) return reply.code(404).send({ error: error.message })
    return reply.send(error)
  })
}

const loopbackOrigin = /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/

/**
 * Permits pages on this machine, and refuses those of other machines. The chat page has another port, and therefore
 * another origin.
 */
const allowLoopbackPages = async (request: FastifyRequest, reply: FastifyReply) => {
  const { origin } = request.headers
  if (origin === undefined) return
  if (!loopbackOrigin.test(origin))
    return reply.code(403).send({ error: 'The sandbox answers only pages on this machine.' })
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers': 'content-type',
    vary: 'Origin',
  })
}

/** The shortest time between two `state` events, ms. A busy bot changes the state many times a second. */
const redrawMs = 50

/** Sends a `state` event immediately, and another after each change. */
const streamState = (simulator: Simulator, request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value) raw.setHeader(name, value)
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = () => raw.write(`event: state\ndata: ${JSON.stringify(simulator.state())}\n\n`)
  let due: NodeJS.Timeout | undefined
  const stop = simulator.on(() => {
    due ??= setTimeout(() => {
      due = undefined
      send()
    }, redrawMs).unref()
  })
  request.raw.socket.once('close', () => {
    stop()
    clearTimeout(due)
  })
  send()
}
