import { AsyncLocalStorage } from 'node:async_hooks'
import { type Bot, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { DatabaseHealth, Outage } from '../../database/health.ts'
import { refusalIn } from '../../database/outage.ts'
import { wait } from '../../wait.ts'
import { cannotHandle } from '../texts/refusal.ts'
import type { BotContext } from './context.ts'
import type { FloodGuard } from './flood-guard.ts'
import type { Handled, OutageReplies } from './outage-replies.ts'

/**
 * Handles one update. Resolves with `done` when its lasting effects are committed, or the person was told that it could
 * not be handled. Resolves with `held` if the update is to be handled once more: the database takes no changes, or
 * Telegram could not be asked to tell the person.
 */
export type Handle = (update: Update) => Promise<Handled>

/** The effects of an update so far, for the message that the rest could not be done. */
interface Doing {
  mayHaveOrdered: boolean
}

const doing = new AsyncLocalStorage<Doing>()

/** Notes that an order was confirmed, if an update is being handled. */
export const noteOrdered = (): void => {
  const update = doing.getStore()
  if (update) update.mayHaveOrdered = true
}

/** Whether the update that is, or was, being handled has certainly ordered nothing. */
export const hasOrderedNothing = (): boolean => doing.getStore()?.mayHaveOrdered === false

/** Whether this code runs for an update or its consequences. */
export const isOfUpdate = (): boolean => doing.getStore() !== undefined

/**
 * Another process has taken over the updates while this one was suspended in the middle of one. That process has
 * handled it, or told the person that it was not handled.
 */
export class TurnLost extends Error {
  override name = 'TurnLost'
  readonly code = 'turn_lost'
  constructor() {
    super('Another process handles the updates by now.')
  }
}

const maxTries = 3
/**
 * How long an outage may last before anybody is told, ms: a server may just be restarting. Locks were already waited
 * for.
 */
const patienceMs = ({ cause }: Outage): number => (cause === 'locked' ? 0 : 2_000)

/**
 * Tries a failed update again. While the database takes no changes the update is not at fault, and the tries do not
 * count. Repeating is safe: the effects of an update are bound to its cause.
 */
export const createHandle = (options: {
  bot: Bot<BotContext>
  floodGuard: FloodGuard
  health: DatabaseHealth
  replies: OutageReplies
  monotonicMs: () => number
  log: Logger
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<unknown>
}): Handle => {
  const { bot, floodGuard, health, replies, monotonicMs, log, sleep = wait } = options

  /** @returns whether the outage, if there is one, is over in time. */
  const isOver = async (): Promise<boolean> => {
    const outage = health.outage()
    if (!outage) return true
    await health.recovered(outage.sinceMs + patienceMs(outage) - monotonicMs())
    return health.outage() === null
  }

  return async (update) => {
    const state: Doing = { mayHaveOrdered: false }
    if (!(await isOver())) return replies.answer(update, true)
    if (!(await floodGuard.enters(update))) return 'done'
    for (let tries = 1; tries <= maxTries; ) {
      try {
        await doing.run(state, () => bot.handleUpdate(update))
        return 'done'
      } catch (error) {
        const err = causeOf(error)
        if (err instanceof TurnLost) {
          log.warn({ updateId: update.update_id }, 'an update was left to the new leader')
          return 'held'
        }
        log.error({ updateId: update.update_id, tries, err }, 'an update could not be handled')
        state.mayHaveOrdered ||= refusalIn(err)?.isCertain === false
        await sleep(200 * tries)
        if ((await health.look()) === null) tries += 1
        else if (!(await isOver())) return replies.answer(update, !state.mayHaveOrdered)
      }
    }
    if (await isTold(bot, chatOf(update))) return 'done'
    floodGuard.keep(update)
    return 'held'
  }
}

/** Tells the person that their update could not be handled. @returns false if Telegram could not be asked to. */
const isTold = async ({ api }: Bot<BotContext>, chatId: number | undefined): Promise<boolean> => {
  if (chatId === undefined) return true
  try {
    await api.sendMessage(chatId, cannotHandle)
    return true
  } catch (error) {
    // A chat that refuses the message will never take it: the update must not come again and again.
    return error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429
  }
}

/** The chat of an update; an update that cannot be handled may have none. */
export const chatOf = (update: Update): number | undefined =>
  (update.message ?? update.edited_message ?? update.callback_query?.message ?? update.my_chat_member)?.chat
    ?.id

/** Takes the handler's error out of grammY's, which holds the whole context. The context must not reach a log. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && 'error' in error && 'ctx' in error ? error.error : error
