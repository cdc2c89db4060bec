import { z } from 'zod'
import type { BotCall } from '../control/control.ts'
import type { Faults } from '../faults.ts'
import { refusalOf } from '../faults.ts'
import { describeFile } from '../messages/files.ts'
import {
  chatIdOf,
  deleteMessage,
  deleteMessages,
  editMessageCaption,
  editMessageMedia,
  editMessageReplyMarkup,
  editMessageText,
  sendChatAction,
  sendFile,
  sendMediaGroup,
  sendMessage,
  type Writing,
} from '../messages/messages.ts'
import { conflict, Refusal } from '../refusal.ts'
import type { Parameters } from './parameters.ts'
import type { BotPresence } from './presence.ts'
import { describeChat, type Profile } from './profile.ts'
import type { CallbackQueries } from './queries.ts'
import type { UpdateQueue } from './updates.ts'
import type { Webhook } from './webhook.ts'

export interface Call {
  method: string
  parameters: Parameters
  /** Aborts when the bot closes the connection. */
  gone: AbortSignal
}

/** The answer to a call, with its HTTP status. */
export type Outcome = { kind: 'answer'; status: number; body: object } | { kind: 'reset' }

interface MethodParts {
  writing: Writing
  queue: UpdateQueue
  webhook: Webhook
  queries: CallbackQueries
  profile: Profile
  presence: BotPresence
  faults: Faults
  /** Resolves early, with false, when the simulator stops. */
  delay: (ms: number) => Promise<boolean>
  /** Called for each message that was sent although the answer to the bot's request was lost. */
  onLost: (chat: number, messageId: number) => void
}

type Method = (parameters: Parameters, gone: AbortSignal) => unknown
/** A result with a description. The webhook methods return such results. */
class Described {
  readonly result: unknown
  readonly description: string

  constructor({ result, description }: { result: unknown; description: string }) {
    this.result = result
    this.description = description
  }
}

const SentMessage = z.object({
  result: z.object({ message_id: z.number(), chat: z.object({ id: z.number() }) }),
})

const maxPollSeconds = 50

/** Runs the methods of the Bot API that are simulated, and records all calls. */
export class BotMethods {
  readonly calls: BotCall[] = []
  #parts: MethodParts
  #methods: Map<string, Method>
  #onCall: () => void = () => {}

  constructor(parts: MethodParts) {
    this.#parts = parts
    const methods = {
      ...chatMethods(parts),
      ...updateMethods(parts),
      ...profileMethods(parts),
    }
    this.#methods = new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]))
  }

  whenCalled(listener: () => void): void {
    this.#onCall = listener
  }

  /** Runs a call, unless a fault strikes it. A refusal is returned as an answer, never thrown. */
  async run(call: Call): Promise<Outcome> {
    const fault = this.#parts.faults.strike(call.method, call.parameters.integer('chat_id'))
    if (fault?.kind === 'reset_before') return { kind: 'reset' }
    if (fault?.kind === 'slow' && !(await this.#parts.delay(fault.delayMs ?? 1000))) return { kind: 'reset' }
    const refusal = fault && refusalOf(fault)
    const answer = refusal ? this.#refused(call, refusal) : await this.#answer(call)
    const isLost = fault?.kind === 'reset_after'
    if (isLost || call.gone.aborted) this.#lose(answer)
    return isLost ? { kind: 'reset' } : answer
  }

  #lose(answer: Outcome): void {
    const { data } = SentMessage.safeParse(answer.kind === 'answer' ? answer.body : null)
    if (data) this.#parts.onLost(data.result.chat.id, data.result.message_id)
  }

  async #answer(call: Call): Promise<Outcome> {
    const method = this.#methods.get(call.method.toLowerCase())
    if (!method) return this.#refused(call, new Refusal(404, notFound(call.method)))
    try {
      const result = await method(call.parameters, call.gone)
      const described = result instanceof Described ? result : { result }
      this.#record(call, { ok: true, result: described.result })
      return { kind: 'answer', status: 200, body: { ok: true, ...described } }
    } catch (error) {
      if (error instanceof Refusal) return this.#refused(call, error)
      throw error
    }
  }

  #refused(call: Call, refusal: Refusal): Outcome {
    this.#record(call, { ok: false, errorCode: refusal.code, description: refusal.message })
    return { kind: 'answer', status: refusal.code, body: refusalBody(refusal) }
  }

  #record({ method, parameters }: Call, answer: Omit<BotCall, 'at' | 'method' | 'payload'>): void {
    const at = this.#parts.writing.world.now()
    this.calls.push({ at, method, payload: parameters.payload(), ...answer })
    this.#onCall()
  }
}

export function refusalBody({ code, message, parameters }: Refusal) {
  return { ok: false, error_code: code, description: message, ...(parameters ? { parameters } : {}) }
}

/** The error for an unknown method. It tells a real method that is not simulated from a misspelled one. */
function notFound(method: string): string {
  const isReal =
    /^(get|set|send|edit|delete|answer|copy|forward|pin|unpin|ban|unban|leave|create|approve)[A-Z]/
  return isReal.test(method) ? `Not Found: ${method} is not simulated` : 'Not Found'
}

function chatMethods({ writing }: MethodParts): Record<string, Method> {
  const { world, files } = writing
  return {
    sendMessage: (parameters) => sendMessage(writing, parameters),
    sendDocument: (parameters) => sendFile(writing, 'document', parameters),
    sendPhoto: (parameters) => sendFile(writing, 'photo', parameters),
    sendMediaGroup: (parameters) => sendMediaGroup(writing, parameters),
    editMessageText: (parameters) => editMessageText(writing, parameters),
    editMessageCaption: (parameters) => editMessageCaption(writing, parameters),
    editMessageMedia: (parameters) => editMessageMedia(writing, parameters),
    editMessageReplyMarkup: (parameters) => editMessageReplyMarkup(writing, parameters),
    deleteMessage: (parameters) => deleteMessage(world, parameters),
    deleteMessages: (parameters) => deleteMessages(world, parameters),
    sendChatAction: (parameters) => sendChatAction(writing, parameters),
    getFile: (parameters) => describeFile(files, parameters),
    getChat: (parameters) => describeChat(world, parameters),
    getChatMemberCount: (parameters) => world.knownChat(chatIdOf(parameters)).members.size + 1,
  }
}

function updateMethods({ queue, webhook, queries, presence }: MethodParts): Record<string, Method> {
  return {
    getUpdates: (parameters, gone) => {
      if (webhook.isSet) throw conflict(webhookIsActive)
      return presence.duringPoll(() => getUpdates(queue, parameters, gone))
    },
    setWebhook: (parameters) => new Described(webhook.set(parameters)),
    deleteWebhook: (parameters) => new Described(webhook.remove(parameters)),
    getWebhookInfo: () => webhook.info(),
    answerCallbackQuery: (parameters) => queries.answer(parameters),
  }
}

function profileMethods({ writing, profile }: MethodParts): Record<string, Method> {
  return {
    getMe: () => writing.world.bot,
    setMyCommands: (parameters) => profile.setCommands(parameters),
    getMyCommands: (parameters) => profile.getCommands(parameters),
    deleteMyCommands: (parameters) => profile.deleteCommands(parameters),
    setMyName: (parameters) => profile.setText('name', parameters),
    getMyName: (parameters) => profile.getText('name', parameters),
    setMyDescription: (parameters) => profile.setText('description', parameters),
    getMyDescription: (parameters) => profile.getText('description', parameters),
    setMyShortDescription: (parameters) => profile.setText('short_description', parameters),
    getMyShortDescription: (parameters) => profile.getText('short_description', parameters),
    setChatMenuButton: (parameters) => profile.setMenuButton(parameters),
    getChatMenuButton: (parameters) => profile.getMenuButton(parameters),
    close: () => true,
    logOut: () => true,
  }
}

const webhookIsActive =
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"

function getUpdates(queue: UpdateQueue, parameters: Parameters, gone: AbortSignal) {
  const allowed = parameters.json('allowed_updates')
  if (Array.isArray(allowed)) queue.allow(allowed.map(String))
  return queue.poll({
    offset: parameters.integer('offset') ?? 0,
    limit: parameters.integer('limit') ?? 100,
    timeoutMs: Math.min(parameters.integer('timeout') ?? 0, maxPollSeconds) * 1000,
    gone,
  })
}
