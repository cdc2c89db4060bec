import type { Bot } from 'grammy'
import type { Logger } from 'pino'
import type { Config } from '../../../start/config.ts'
import type { Keyring } from '../../../wallets/credentials/keyring.ts'
import { createComplaint, nap, restAfterError, troubleIn, tryMs } from '../alerts/telegram-trouble.ts'
import type { BotContext } from '../context.ts'
import { allowedUpdates } from './updates.ts'

interface TelegramOptions {
  bot: Bot<BotContext>
  config: Config
  keyring: Keyring
  log: Logger
  signal: AbortSignal
  monotonicMs?: () => number
  /** Resolves after `ms` milliseconds, or when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** How long the first try and each later one may take, ms. */
  limitsMs?: { first: number; later: number }
}

/** The first try is shorter, so that the operator reads within 5 s of the start that it failed. */
const usualLimitsMs = { first: 3_500, later: tryMs }

/**
 * Reads the bot's own name and sets how updates arrive. Tries until Telegram answers. (grammY's `bot.init` doubles its
 * waits up to 20 minutes, and logs nothing.)
 */
export const connectToTelegram = async (
  { bot, config, keyring, log, signal, ...options }: TelegramOptions,
  onTrouble: (trouble: string | null) => void,
): Promise<void> => {
  const { monotonicMs = () => performance.now(), sleep = nap, limitsMs = usualLimitsMs } = options
  const complaint = createComplaint(log, monotonicMs)
  for (let tries = 1; !signal.aborted; tries += 1) {
    const limit = AbortSignal.timeout(tries === 1 ? limitsMs.first : limitsMs.later)
    const either = AbortSignal.any([signal, limit])
    try {
      bot.botInfo = await bot.api.getMe(either as CallSignal)
      await settleUpdates(bot, config, keyring, either)
      onTrouble(null)
      log.info({ tries }, `connected as @${bot.botInfo.username}`)
      return
    } catch (error) {
      if (signal.aborted) return
      const trouble = troubleIn(error, limit.aborted)
      onTrouble(trouble)
      complaint.say(trouble, tries)
      await sleep(restAfterError(error), signal)
    }
  }
}

type CallSignal = Parameters<Bot['api']['getMe']>[0]

/** The address to which Telegram sends the updates; empty if they are polled. */
export const webhookOf = ({ telegram, publicUrl }: Config): string =>
  telegram.updates === 'webhook' ? `${publicUrl}/telegram` : ''

/**
 * Sets at Telegram how updates arrive: by our webhook, or by polling.
 * @throws GrammyError or HttpError if Telegram refuses or cannot be reached.
 */
export const settleUpdates = async (
  bot: Bot<BotContext>,
  config: Config,
  keyring: Keyring,
  signal?: AbortSignal,
): Promise<void> => {
  const url = webhookOf(config)
  if (url === '') {
    // Telegram answers getUpdates with a conflict while a webhook is set.
    await bot.api.deleteWebhook({}, signal as CallSignal)
    return
  }
  const how = { secret_token: keyring.telegramSecret(), allowed_updates: allowedUpdates, max_connections: 40 }
  await bot.api.setWebhook(url, how, signal as CallSignal)
}
