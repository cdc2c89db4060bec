import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { catalogue } from './catalogue.ts'
import type { ProviderRequestState } from './control.ts'
import {
  listBundles,
  listTransactions,
  type Operation,
  orderStatusRecord,
  placeBulkOrder,
  placeOrder,
  walletBalance,
} from './endpoints.ts'
import { type Answer, refusalAnswer } from './http-answer.ts'
import { isRefusal, refuse } from './refusal.ts'
import { throughFault } from './request-end.ts'
import type { Simulator } from './simulator.ts'
import { Timers } from './timers.ts'

/** Where the API is, below the simulator's address. */
export const basePath = '/api/v1'

/** The endpoints of API §4. First, faults may strike, and credentials (API §5) and limits (API §8) are checked. */
export const providerRoutes = (simulator: Simulator) => async (app: FastifyInstance) => {
  const timers = new Timers()
  app.addHook('onClose', async () => timers.close())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, text: string) =>
    jsonOr(text),
  )

  const records = new WeakMap<FastifyRequest, ProviderRequestState>()
  const recordOf = (request: FastifyRequest): ProviderRequestState => {
    const record = records.get(request) ?? recordRequest(simulator, request)
    records.set(request, record)
    return record
  }

  const serve = (operation: Operation) => async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    const record = recordOf(request)
    const caller = simulator.accounts.find(String(request.headers['x-api-key']))
    const fault = simulator.faults.strikeRequest(path, caller?.id ?? null, networkOf(request.body))
    const exchange = await throughFault(fault, path, basePath, () =>
      process(simulator, operation, request, record),
    )
    if (exchange.kind !== 'answer') {
      reply.hijack()
      if (exchange.kind === 'reset') request.raw.socket.resetAndDestroy()
      return
    }
    if (exchange.afterMs > 0) await new Promise<void>((resolve) => timers.after(exchange.afterMs, resolve))
    return write(simulator, request, reply, record, exchange.answer)
  }

  app.get('/bundles', serve(listBundles))
  app.post('/order', serve(placeOrder))
  app.post('/order/bulk', serve(placeBulkOrder))
  app.get('/order/status/:reference', serve(orderStatusRecord))
  app.get('/wallet/balance', serve(walletBalance))
  app.get('/transactions', serve(listTransactions))
  app.setNotFoundHandler(serve(nothingHere))
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
    const refusal = status === 500 ? refuse('SERVER_ERROR', 'Something went wrong.') : unreadable
    return write(simulator, request, reply, recordOf(request), refusalAnswer(refusal))
  })
}

const unreadable = refuse('VALIDATION_ERROR', 'The request could not be read.')

/** Answers a request whose URL the router cannot decode. It does not reach any route. */
export const answerUnreadableUrl = (_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
  const { status, headers, text } = refusalAnswer(unreadable)
  reply.code(status).headers(headers).send(text)
}

const nothingHere: Operation = async () => refusalAnswer(refuse('NOT_FOUND', 'There is no such endpoint.'))

const process = async (
  simulator: Simulator,
  operation: Operation,
  request: FastifyRequest,
  record: ProviderRequestState,
): Promise<Answer> => {
  const { headers, query, params, body } = request
  const account = simulator.accounts.authenticate(headers['x-api-key'], headers['x-api-secret'])
  if (isRefusal(account)) return refusalAnswer(account)
  record.accountId = account.id
  const refusal = simulator.admit(account)
  if (refusal) return refusalAnswer(refusal)
  return operation(simulator, account, { query, params, body })
}

const write = (
  simulator: Simulator,
  request: FastifyRequest,
  reply: FastifyReply,
  record: ProviderRequestState,
  answer: Answer,
) => {
  if (!request.raw.socket.destroyed) Object.assign(record, { status: answer.status, answer: answer.text })
  simulator.changed({ kind: 'request' })
  return reply
    .code(answer.status)
    .headers({ date: simulator.date().toUTCString(), ...answer.headers })
    .send(answer.text)
}

const recordRequest = (simulator: Simulator, request: FastifyRequest): ProviderRequestState => {
  const record: ProviderRequestState = {
    at: new Date().toISOString(),
    method: request.method,
    path: request.url.slice(basePath.length),
    status: null,
    accountId: null,
    answer: null,
    ...(request.method === 'POST' ? { body: request.body } : {}),
  }
  simulator.requests.push(record)
  simulator.changed({ kind: 'request' })
  return record
}

const Order = z.object({ bundle_id: z.number() })

/** The network of the bundle that a body orders; null if the body is not an order. */
const networkOf = (body: unknown): string | null => {
  const order = Order.safeParse(body)
  const bundle = order.success ? catalogue.find(({ id }) => id === order.data.bundle_id) : undefined
  return bundle?.network ?? null
}

const pathOf = (request: FastifyRequest): string => request.url.slice(basePath.length).split('?', 1)[0] ?? ''

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
