import { readToken } from '../accounts/bot-tokens.ts'
import type { Config } from '../config.ts'
import { addedDatabasePlace, addedDatabaseUrl, type RegisteredBot } from '../database/added-databases.ts'
import { createKeyring, type Keyring, keysOfBot } from '../wallets/keyring.ts'
import { examineBeside, type Inspected, inspect } from './database.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { reach } from './reach.ts'

/** Looks at the bots that were added: each one's token and database. Their other needs are those of the main bot. */
export const examineBots = async (config: Config, keyring: Keyring, main: Inspected): Promise<Finding[]> => {
  // If the main database cannot be read, that is a finding of its own.
  const bots = 'bots' in main ? main.bots : []
  const findings: Finding[] = []
  for (const bot of bots) findings.push(...(await examineBot(config, keyring, bot)))
  return findings
}

const examineBot = async (config: Config, keyring: Keyring, bot: RegisteredBot): Promise<Finding[]> => {
  const what = `bot ${bot.id}`
  const found = [
    bot.isStopped ? stopped(what, bot) : await examineToken(what, config, keyring, bot),
    ...(bot.hasRun ? await examineData(what, config, bot) : []),
  ]
  const troubles = found.filter(({ grade }) => grade !== 'ok')
  return troubles.length > 0 ? troubles : [ok(what, `@${bot.username}: its token and its database are well`)]
}

const stopped = (what: string, { username }: RegisteredBot): Finding =>
  warn(what, `@${username} is stopped`, 'Start it in /admin, Bots, or give it a new token there')

const examineToken = async (
  what: string,
  { telegram }: Config,
  keyring: Keyring,
  bot: RegisteredBot,
): Promise<Finding> => {
  if (bot.sealedToken === '')
    return warn(what, `@${bot.username} has no token yet`, 'The bot asks Telegram for it')
  const newToken = 'Give it a new token: /admin, Bots, New token'
  const token = readToken(keyring, bot)
  if (token === null)
    return fail(what, `no key in CREDENTIALS_KEY opens the token of @${bot.username}`, newToken)
  const me = await reach(`${telegram.apiRoot}/bot${token}/getMe`)
  return me.kind === 'answered' && me.status === 401
    ? fail(what, `Telegram refuses the token of @${bot.username}`, newToken)
    : ok(what, 'its token works')
}

const examineData = async (what: string, config: Config, { id }: RegisteredBot): Promise<Finding[]> => {
  const url = addedDatabaseUrl(config.databaseUrl, id)
  if (url === null) return []
  const inspected = await inspect(url)
  if (inspected.engine === null || ('isEmpty' in inspected && inspected.isEmpty)) {
    const missing = `${addedDatabasePlace(url)} is missing`
    return [fail(what, missing, 'Put its database back, or remove the bot in /admin and add it again')]
  }
  const found = examineBeside(inspected, createKeyring(keysOfBot(config.credentialsKeys, id)))
  return found.map((each) => ({ ...each, what: `${what}, ${each.what}` }))
}
