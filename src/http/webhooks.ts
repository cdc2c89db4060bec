import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Update } from 'grammy/types'
import { isId } from '../database/id.ts'
import { statusReportOf } from '../messaging/inbox.ts'
import { parseCallback } from '../provider/index.ts'
import type { HttpOptions } from './collaborators.ts'
import { json, refuse } from './request-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The order to which the called callback address belongs; empty on other routes. */
    orderId: string
  }
}

/** A callback that takes longer to commit is answered with 503. */
const callbackMs = 3_500

/** The answer to nearly all callbacks. Because it is a string, it is sent in one piece with its headers. */
const accepted = '{"ok":true}'

/**
 * Finds the order by the token in the callback's address. A forged token is refused before the body is read, and
 * without asking the database.
 */
export const checkToken = (
  { keyring }: HttpOptions,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  done: () => void,
): void => {
  const orderId = keyring.verify('webhook', request.params.token)
  if (orderId === null || !isId(orderId)) {
    refuse(request, reply, 404, 'not found')
    return
  }
  request.orderId = orderId
  done()
}

/** Receives a callback of the provider (API §6). The answer is 200 only after the callback was committed. */
export const callback = async (
  { inbox, callbackLimit, now, log }: HttpOptions,
  { orderId, body }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const receivedAt = now()
  const raw = bytesOf(body)
  const parsed = parseCallback(parseJson(raw))
  if (parsed === null)
    return reply.code(400).send({ error: 'a JSON object with reference and status is expected' })
  const sender = { aborted: false }
  const store = async (): Promise<boolean> => {
    if (!(await callbackLimit.hasRoom(orderId))) return false
    await inbox.accept(statusReportOf(orderId, raw, parsed, receivedAt), sender)
    return true
  }
  try {
    if (!(await within(callbackMs, store())))
      return reply.code(429).send({ error: 'too many callbacks about this order' })
    return reply.type(json).send(accepted)
  } catch (error) {
    sender.aborted = true
    log.error({ orderId, err: error }, 'a callback could not be stored')
    return reply.code(503).header('retry-after', '5').send({ error: 'not stored, please send it again' })
  }
}

/**
 * Rejects after the limit, although the callback may still be committed later. In that case the provider sends it
 * again, and the repeat is ignored.
 */
const within = <T>(limitMs: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It was not committed within ${limitMs} ms.`)), limitMs)
    const end = () => clearTimeout(timer)
    work.then(resolve, reject).then(end, end)
  })

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/** Removes a byte order mark, which JSON.parse would refuse. */
const decoder = new TextDecoder()

const parseJson = (raw: Buffer): unknown => {
  try {
    return JSON.parse(decoder.decode(raw))
  } catch {
    return null
  }
}

/** Refuses requests without the secret token, which only Telegram knows. */
export const checkSender = (
  { keyring, onUpdate }: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void => {
  const secret = request.headers['x-telegram-bot-api-secret-token']
  if (onUpdate && typeof secret === 'string' && keyring.isTelegramSecret(secret)) done()
  else refuse(request, reply, 401, 'unauthorized')
}

/**
 * Receives an update from Telegram. A body that is not an update was damaged on its way: it gets a 400, and Telegram
 * sends it again. An update whose handler fails is logged and acknowledged, because Telegram would otherwise repeat
 * it forever and hold up others. An update that could not be stored gets a 503, so that Telegram keeps it.
 */
export const telegram = async (
  { onUpdate, telegramTrouble, log }: HttpOptions,
  { body }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const update = parseJson(bytesOf(body))
  if (!isUpdate(update)) return reply.code(400).send({ error: 'not an update' })
  if (telegramTrouble() !== null)
    return reply.code(503).header('retry-after', '1').send({ error: 'not connected yet' })
  try {
    if ((await onUpdate?.(update)) === 'retry')
      return reply.code(503).header('retry-after', '5').send({ error: 'not taken, please send it again' })
  } catch (error) {
    log.error({ updateId: update.update_id, err: error }, 'an update could not be handled')
  }
  return reply.send({ ok: true })
}

const isUpdate = (value: unknown): value is Update =>
  typeof value === 'object' && value !== null && 'update_id' in value && typeof value.update_id === 'number'
