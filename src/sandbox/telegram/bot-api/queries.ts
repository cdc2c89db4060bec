import { randomInt } from 'node:crypto'
import type { CallbackQuery } from 'grammy/types'
import { badRequest } from '../refusal.ts'
import type { World } from '../world.ts'
import type { Parameters } from './parameters.ts'

/** The arguments of `answerCallbackQuery`, with which the bot answers a press. */
export type QueryAnswer = Record<string, unknown>

interface OpenQuery {
  chat: number
  /** ms since 1970 */
  expiresAt: number
  answer?: QueryAnswer
}

const maxAnswerLength = 200

/** The presses of buttons and their answers. Each press can be answered once, within a limited time. */
export class CallbackQueries {
  #world: World
  #answerableForMs: number
  #queries = new Map<string, OpenQuery>()

  constructor(world: World, answerableForMs: number) {
    this.#world = world
    this.#answerableForMs = answerableForMs
  }

  clear(): void {
    this.#queries.clear()
  }

  open(query: Omit<CallbackQuery, 'id'>, chat: number): CallbackQuery {
    const id = `${query.from.id}${randomInt(2 ** 47)}`
    this.#queries.set(id, { chat, expiresAt: this.#world.now() + this.#answerableForMs })
    return { id, ...query }
  }

  answerOf(id: string): QueryAnswer | undefined {
    return this.#queries.get(id)?.answer
  }

  /** `answerCallbackQuery` */
  answer(parameters: Parameters): true {
    const queryId = parameters.text('callback_query_id')
    const query = this.#queries.get(queryId)
    if (!query || query.answer || this.#world.now() >= query.expiresAt) {
      throw badRequest('query is too old and response timeout expired or query ID is invalid')
    }
    const text = parameters.text('text')
    if (text.length > maxAnswerLength) throw badRequest('MESSAGE_TOO_LONG')
    query.answer = parameters.payload()
    const url = parameters.text('url')
    this.#world.tell({
      type: 'answer',
      chat: query.chat,
      queryId,
      ...(text ? { text, alert: parameters.flag('show_alert') } : {}),
      ...(url ? { url } : {}),
    })
    return true
  }
}
