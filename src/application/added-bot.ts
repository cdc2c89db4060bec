import { openToken } from '../accounts/bot-tokens.ts'
import type { Config } from '../config.ts'
import { addedDatabaseUrl } from '../database/added-databases.ts'
import type { BotRow } from '../store/bots.ts'
import { type Keyring, keysOfBot } from '../wallets/keyring.ts'
import { createActivity } from './activity.ts'
import { type Bot, type BotOptions, createBot } from './bot.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { ProcessParts } from './process-parts.ts'

interface AddedBotOptions {
  main: Pick<Foundation, 'config' | 'log' | 'keyring' | 'now'>
  parts: ProcessParts
  options: BotOptions
  /** Called for each call that Telegram refused because of the token. */
  onRefused: () => void
}

/**
 * Builds an added bot: a whole bot on a database and under keys of its own, so that nothing of one bot is known to another.
 * @throws {CannotOpen} if no key opens its token. @throws {DatabaseMissing}
 */
export const createAddedBot = async (
  row: BotRow,
  { main, parts, options, onRefused }: AddedBotOptions,
): Promise<Bot> => {
  const { id, startedAt } = row
  const activity = createActivity(monotonicMs)
  const { observations } = parts
  const watched = activity.noticedBy({
    ...observations,
    onTelegramCall: (call) => {
      observations.onTelegramCall(call)
      if (call.outcome === '401') onRefused()
    },
  })
  const config = configOf(main.config, row, main.keyring)
  return createBot(
    config,
    main.log.child({ bot: id }),
    { ...parts, observations: watched },
    { added: { id, activity, hasRun: startedAt !== null, now: main.now }, bots: null },
    options,
  )
}

const configOf = (config: Config, row: BotRow, keyring: Keyring): Config => {
  const { id, ownerIds } = row
  const token = openToken(keyring, row)
  const databaseUrl = addedDatabaseUrl(config.databaseUrl, id)
  if (databaseUrl === null) throw new Error('No bot is added to one in memory.')
  return {
    ...config,
    telegram: { ...config.telegram, token },
    credentialsKeys: keysOfBot(config.credentialsKeys, id),
    databaseUrl,
    ownerIds: [...new Set([...config.ownerIds, ...ownerIds])],
  }
}
