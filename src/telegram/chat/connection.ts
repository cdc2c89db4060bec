import type { Bot } from 'grammy'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { wait } from '../../wait.ts'
import type { Keyring } from '../../wallets/keyring.ts'
import type { BotContext } from './context.ts'
import { allowedUpdates } from './updates.ts'

interface TelegramOptions {
  bot: Bot<BotContext>
  config: Config
  keyring: Keyring
  log: Logger
  signal: AbortSignal
}

/** Learns the bot's own name and settles how updates arrive. Tries until Telegram answers. */
export const connectToTelegram = async (
  { bot, config, keyring, log, signal }: TelegramOptions,
  onTrouble: (trouble: string | null) => void,
): Promise<void> => {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      await bot.init(signal as Parameters<Bot['init']>[0])
      await settleUpdates(bot, config, keyring)
      onTrouble(null)
      log.info({ bot: bot.botInfo.username }, 'connected to Telegram')
      return
    } catch (error) {
      if (signal.aborted) return
      const refused =
        error instanceof Error && 'error_code' in error ? `Telegram answers ${error.error_code}` : null
      onTrouble(refused ?? 'Telegram cannot be reached')
      log.warn({ tries, err: error }, 'Telegram could not be reached')
      await wait(Math.min(10_000, 500 * 2 ** Math.min(tries, 5)), undefined, { signal }).catch(() => {})
    }
  }
}

/** The address to which Telegram is to send the updates; empty if they are polled for. */
export const webhookOf = ({ telegram, publicUrl }: Config): string =>
  telegram.updates === 'webhook' ? `${publicUrl}/telegram` : ''

/**
 * Tells Telegram how updates are to come: to our webhook, or by polling.
 * @throws GrammyError or HttpError if Telegram refuses or cannot be reached.
 */
export const settleUpdates = async (
  bot: Bot<BotContext>,
  config: Config,
  keyring: Keyring,
): Promise<void> => {
  const url = webhookOf(config)
  if (url === '') {
    // Telegram answers getUpdates with a conflict while a webhook is set.
    await bot.api.deleteWebhook()
    return
  }
  await bot.api.setWebhook(url, {
    secret_token: keyring.telegramSecret(),
    allowed_updates: allowedUpdates,
    max_connections: 40,
  })
}
