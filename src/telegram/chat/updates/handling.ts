import { type Bot, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import { wait } from '../../../base/wait.ts'
import type { DatabaseHealth, Outage } from '../../../database/health.ts'
import { cannotHandle } from '../../words/unusable.ts'
import type { BotContext } from '../context.ts'
import type { FloodGuard } from '../flood-guard.ts'
import type { OutageReplies } from './outage-replies.ts'

/**
 * What became of an update. `done`: its effects are committed, or the person was told that it could not be handled.
 * `retry`: it must be handled again, because the database takes no changes, or Telegram did not accept the message to
 * the person.
 */
export type Handled = 'done' | 'retry'

export type Handle = (update: Update) => Promise<Handled>

const maxTries = 3
/**
 * How long an outage may last before people are told, ms. The server may only be restarting. If the database is locked,
 * the failed query has already waited long enough.
 */
const patienceMs = ({ cause }: Outage): number => (cause === 'locked' ? 0 : 2_000)

/**
 * Handles an update, and tries again if that fails. While the database takes no changes, the tries do not count,
 * because the update is not at fault. Repeating is safe: each effect of an update is tied to its cause and happens
 * once.
 */
export const createHandle = (options: {
  bot: Bot<BotContext>
  floodGuard: FloodGuard
  health: DatabaseHealth
  replies: OutageReplies
  monotonicMs: () => number
  log: Logger
  sleep?: (ms: number) => Promise<unknown>
}): Handle => {
  const { bot, floodGuard, health, replies, monotonicMs, log, sleep = wait } = options

  /** Waits for a short outage to end. @returns true if there is no outage now. */
  const isOver = async (): Promise<boolean> => {
    const outage = health.outage()
    if (!outage) return true
    await health.recovered(outage.sinceMs + patienceMs(outage) - monotonicMs())
    return health.outage() === null
  }

  const hold = (update: Update): Handled => {
    floodGuard.keep(update)
    return 'retry'
  }

  const retryLater = async (update: Update): Promise<Handled> => {
    await replies.answer(update)
    return hold(update)
  }

  return async (update) => {
    if (!(await isOver())) return retryLater(update)
    if (!(await floodGuard.enters(update))) return 'done'
    for (let tries = 1; tries <= maxTries; ) {
      try {
        await bot.handleUpdate(update)
        return 'done'
      } catch (error) {
        const err = causeOf(error)
        log.error({ updateId: update.update_id, tries, err }, 'an update could not be handled')
        await sleep(200 * tries)
        if ((await health.look()) === null) tries += 1
        else if (!(await isOver())) return retryLater(update)
      }
    }
    return (await isTold(bot, chatOf(update))) ? 'done' : hold(update)
  }
}

/** Tells the person that their update could not be handled. @returns false if Telegram could not be reached. */
const isTold = async ({ api }: Bot<BotContext>, chatId: number | undefined): Promise<boolean> => {
  if (chatId === undefined) return true
  try {
    await api.sendMessage(chatId, cannotHandle)
    return true
  } catch (error) {
    // A chat that refuses the message once always will, so handling the update again would not help.
    return error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429
  }
}

export const chatOf = (update: Update): number | undefined =>
  (update.message ?? update.edited_message ?? update.callback_query?.message ?? update.my_chat_member)?.chat
    ?.id

/** The handler's own error. grammY wraps it in one that holds the whole context, which must not reach a log. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && 'error' in error && 'ctx' in error ? error.error : error
