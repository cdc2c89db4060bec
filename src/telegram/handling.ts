import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type Bot, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { InChatTurn } from '../relay/chat-turns.ts'
import type { DatabaseHealth, Outage } from '../store/health.ts'
import { refusalIn } from '../store/outage.ts'
import type { BotContext } from './context.ts'
import type { FloodGuard } from './flood-guard.ts'
import type { Handled, OutageReplies } from './outage-replies.ts'
import { cannotHandle } from './texts/refusal.ts'

/**
 * Handles one update: resolves when what must last of it is committed, or its person was told that it could not be;
 * `held` where it is to be handled once more: the database takes no changes, or Telegram could not be asked to tell them.
 */
export type Handle = (update: Update) => Promise<Handled>

/** What an update has done so far, for whoever has to tell that the rest could not be done. */
interface Doing {
  mayHaveOrdered: boolean
}

const doing = new AsyncLocalStorage<Doing>()

/** An order was confirmed: by the update that is being handled, if it is one. */
export const noteOrdered = (): void => {
  const update = doing.getStore()
  if (update) update.mayHaveOrdered = true
}

/** Whether it is certain that the update which is being handled, or was, has ordered nothing. */
export const hasOrderedNothing = (): boolean => doing.getStore()?.mayHaveOrdered === false

const mostTries = 3
/** How long an outage may last before anybody is told of it: a server that restarts. Locks were waited for already. */
const patienceMs = ({ cause }: Outage): number => (cause === 'locked' ? 0 : 2_000)

/**
 * An update that fails is tried again; while the database takes no changes it is not the update's fault, and the tries do
 * not count. To do it again is safe: what it would do is bound to its cause.
 */
export const createHandle = (options: {
  bot: Bot<BotContext>
  floodGuard: FloodGuard
  inChatTurn: InChatTurn
  health: DatabaseHealth
  replies: OutageReplies
  monotonicMs: () => number
  log: Logger
}): Handle => {
  const { bot, floodGuard, inChatTurn, health, replies, monotonicMs, log } = options

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
    for (let tries = 1; tries <= mostTries; ) {
      try {
        await doing.run(state, () => inChatTurn(chatOf(update), () => bot.handleUpdate(update)))
        return 'done'
      } catch (error) {
        const err = causeOf(error)
        log.error({ updateId: update.update_id, tries, err }, 'an update could not be handled')
        state.mayHaveOrdered ||= refusalIn(err)?.isCertain === false
        await wait(200 * tries)
        if ((await health.look()) === null) tries += 1
        else if (!(await isOver())) return replies.answer(update, !state.mayHaveOrdered)
      }
    }
    if (await isTold(bot, chatOf(update))) return 'done'
    floodGuard.keep(update)
    return 'held'
  }
}

/** Tells the person that their update came to nothing. @returns false where Telegram could not be asked to. */
const isTold = async ({ api }: Bot<BotContext>, chatId: number | undefined): Promise<boolean> => {
  if (chatId === undefined) return true
  try {
    await api.sendMessage(chatId, cannotHandle)
    return true
  } catch (error) {
    // A chat that refuses it will never take it: the update must not come again and again.
    return error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429
  }
}

/** Of what cannot be handled nothing is certain, not even that it has a chat. */
export const chatOf = (update: Update): number | undefined =>
  (update.message ?? update.edited_message ?? update.callback_query?.message ?? update.my_chat_member)?.chat
    ?.id

/** grammY wraps what a handler threw together with the whole context, which must not reach a log. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && 'error' in error && 'ctx' in error ? error.error : error
