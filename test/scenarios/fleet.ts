import { existsSync } from 'node:fs'
import { addedDatabaseUrl } from '../../src/database/added-databases.ts'
import { chatOf, type TelegramSimulator } from '../../src/sandbox/telegram/index.ts'
import { testedKind } from '../support/database.ts'
import type { Inside } from '../support/inside.ts'
import type { Reseller, World } from '../support/world.ts'
import { type Operator, operatorId, operatorOf } from './operator.ts'
import { inDatabase } from './shop.ts'

/** Added bots in the tests: each is a world of its own, on the provider and in the process of the main bot's. */

/** Adds a bot in `/admin`, as its operator does. @returns its world. */
export const addBot = async (
  world: World,
  operator: Operator,
  bot: TelegramSimulator = world.telegram.addBot(),
): Promise<World> => {
  await operator.go(['Bots', 'Add a bot'], 'send me its token')
  const { message_id: after } = operator.chat.say(bot.token)
  await operator.chat.waitForText(/was added and is starting/, { after })
  return worldOf(world, bot)
}

/** The world of a bot that was added. */
export const worldOf = (world: World, telegram: TelegramSimulator): World => {
  const { id } = telegram.state().bot
  const databaseUrl = addedDatabaseUrl(world.databaseUrl, id) ?? ''
  const newPerson = () => {
    const person = telegram.addPerson()
    return { id: person.id, chat: chatOf(telegram, person.id) }
  }
  const own: Partial<World> = {
    telegram,
    databaseUrl,
    databasePath: databaseUrl.slice('file:'.length),
    newPerson,
    newReseller: (balancePesewas) => connected(world, newPerson(), balancePesewas),
  }
  // A copy would read the main bot's path, which only a file has.
  return Object.create(world, Object.getOwnPropertyDescriptors(own)) as World
}

/** A person who has that id in Telegram, and an account of their own in this bot. */
export const resellerIn = (world: World, id: number): Promise<Reseller> =>
  connected(world, personIn(world, id))

/** A person who has that id in Telegram. */
export const personIn = ({ telegram }: World, id: number): ReturnType<World['newPerson']> => {
  telegram.addPerson({ id })
  return { id, chat: chatOf(telegram, id) }
}

const connected = async (
  { provider }: World,
  person: ReturnType<World['newPerson']>,
  balancePesewas = 50_000,
): Promise<Reseller> => {
  const account = provider.addAccount({ accountType: 'agent', balancePesewas })
  const { message_id: after } = person.chat.say('/connect')
  await person.chat.waitForText('API key', { after })
  person.chat.say(`${account.apiKey}\n${account.apiSecret}`)
  await person.chat.waitForText('Connected', { after })
  return { ...person, account }
}

/** Whether somebody is answered there. */
export const answers = async (world: World): Promise<boolean> => {
  const { chat } = world.newPerson()
  chat.say('/help')
  await chat.waitForText(/./)
  return true
}

/** The operator's screen of that bot. */
export const botScreen = async (operator: Operator, bot: World, awaited: string | RegExp = '') => {
  const { username = '' } = bot.telegram.state().bot
  return operator.go(['Bots', `@${username}`], awaited)
}

export const hasDatabase = (world: World): boolean =>
  testedKind === 'sqlite' ? existsSync(world.databasePath) : inDatabase(world, (db) => hasTables(db))

const hasTables = (db: Inside): boolean =>
  db.prepare(`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'Order'`).get() !==
  undefined

export { operatorId, operatorOf }
