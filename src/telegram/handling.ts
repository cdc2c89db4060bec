import { setTimeout as wait } from 'node:timers/promises'
import type { Bot } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { InChatTurn } from '../relay/chat-turns.ts'
import type { BotContext } from './context.ts'
import type { FloodGuard } from './flood-guard.ts'
import { cannotHandle } from './texts/refusal.ts'

/** Handles one update: resolves when what must last of it is committed, or its person was told that it could not be. */
export type Handle = (update: Update) => Promise<void>

const mostTries = 3
/** As long as a restart of a database server takes, and some more. */
const outageMs = 40_000

/**
 * An update that fails is tried again; while the database is away it is not the update's fault, and the tries do not
 * count. To do it again is safe: what it would do is bound to its cause.
 *
 * @param isReachable whether the database answers.
 */
export const createHandle = (options: {
  bot: Bot<BotContext>
  floodGuard: FloodGuard
  inChatTurn: InChatTurn
  isReachable: () => Promise<boolean>
  log: Logger
}): Handle => {
  const { bot, floodGuard, inChatTurn, isReachable, log } = options

  return async (update) => {
    if (!(await floodGuard.enters(update))) return
    // Of what cannot be handled nothing is certain, not even that it has a chat.
    const message = update.message ?? update.edited_message ?? update.callback_query?.message
    const chatId = message?.chat?.id
    const startedMs = performance.now()
    const isOutage = async () => performance.now() - startedMs < outageMs && !(await isReachable())
    for (let tries = 1; tries <= mostTries; ) {
      try {
        await inChatTurn(chatId, () => bot.handleUpdate(update))
        return
      } catch (error) {
        const err = causeOf(error)
        log.error({ updateId: update.update_id, tries, err }, 'an update could not be handled')
        await wait(200 * tries)
        if (!(await isOutage())) tries += 1
      }
    }
    if (chatId !== undefined) await bot.api.sendMessage(chatId, cannotHandle).catch(() => {})
  }
}

/** grammY wraps what a handler threw together with the whole context, which must not reach a log. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && 'error' in error && 'ctx' in error ? error.error : error
