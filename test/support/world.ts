import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { telegramLimits } from '../../src/messaging/pacer.ts'
import {
  chatOf,
  createProvider,
  createTelegram,
  type ProviderAccountState,
  type ProviderSettings,
  type ProviderSimulator,
  type TelegramSimulator,
  type TestChat,
} from '../../src/sandbox/index.ts'
import { asRead } from './as-read.ts'
import { type BotUnderTest, unpaced } from './bot/bot.ts'
import { createBotInProcess } from './bot/bot-in-process.ts'
import { createBotProcess } from './bot/bot-process.ts'
import { connectDirectly } from './connected.ts'
import { layMigrated, testedKind } from './database.ts'
import { expectFewButtons } from './few-buttons.ts'
import { newFolder } from './folder.ts'
import { type Excuses, expectPromisesKept } from './judged.ts'
import { type Gateway, type HandOn, openGateway } from './network/gateway.ts'
import { newPort } from './network/port.ts'
import { takeEmptySchema } from './postgres/empty-schema.ts'
import { newSchema } from './postgres/new-schema.ts'
import { startPooler } from './postgres/pooler.ts'

/** The bot between the two simulators. */
export interface World {
  provider: ProviderSimulator
  telegram: TelegramSimulator
  bot: BotUnderTest
  /** The address of the bot's HTTP server. */
  botUrl: string
  databaseUrl: string
  /** The path of the SQLite file. Throws on PostgreSQL. */
  readonly databasePath: string
  /** The proxy between the bots and their PostgreSQL, if the world has one. */
  gateway: Gateway | null
  /** The address of another database, which does not exist yet. */
  unmadeDatabaseUrl(): string
  /** Another bot process with the same token, not started yet. It uses the same database unless `env` names another. */
  anotherBot(env?: Record<string, string>): Promise<BotUnderTest>
  newPerson(): { id: number; chat: TestChat }
  /** Creates a person and connects a new account. */
  newReseller(balancePesewas?: number): Promise<Reseller>
  /** Waits until `what` returns something truthy. Polls every few milliseconds. */
  until<T>(
    what: () => T | undefined | null | false | Promise<T | undefined | null | false>,
    message: string,
  ): Promise<T>
  close(): Promise<void>
}

export interface Reseller {
  id: number
  chat: TestChat
  account: ProviderAccountState
}

export interface WorldOptions {
  env?: Record<string, string>
  settings?: Partial<ProviderSettings>
  publicUrl?: boolean
  /** The bots reach their PostgreSQL through a proxy that can be cut, or that passes data on as the function does. */
  gateway?: boolean | HandOn
  /** The bots reach their PostgreSQL through a pooler in transaction mode. */
  pooler?: boolean
  /**
   * The bots run in their own processes, for tests that send them signals, measure them, or run several on one
   * database. Otherwise the bot runs in the process of the tests, where it starts in a tenth of the time.
   */
  process?: boolean
  /** The bots are processes that can be made to crash. A start that ends in a crash resolves, too. */
  crashable?: boolean
  /** The bot's clock, ms since 1970. Only for bots in the process of the tests, on SQLite. */
  wallMs?: () => number
  /**
   * The bot keeps Telegram's rates, and the simulator refuses what exceeds them. Otherwise messages are sent at once.
   */
  pace?: 'telegram'
  /** The id of the first message in the simulated Telegram. */
  firstMessageId?: number
  /** How long a redraw waits for the next one, ms. Only for bots in the process of the tests at Telegram's rates. */
  redrawMs?: number
  /** Replaces the free space on the database's disk. Not for bots in their own processes. */
  freeBytes?: () => Promise<number | null>
  /** When the world closes, the judge checks every promise, except those that are excused, each with its reason. */
  judged?: true | Excuses
}

export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const folder = await newFolder()
  const schemas: (() => Promise<void>)[] = []
  const unmadeDatabaseUrl = (name: string): string => {
    if (testedKind === 'sqlite') return `file:${join(folder, name)}`
    const { url, drop } = newSchema()
    schemas.push(drop)
    return url
  }
  const empty = testedKind === 'sqlite' ? null : await takeEmptySchema()
  const databaseUrl = empty?.url ?? unmadeDatabaseUrl('bundlegram.db')
  if (!empty) await layMigrated(databaseUrl)
  const handOn = typeof options.gateway === 'function' ? options.gateway : undefined
  const gateway = options.gateway ? await openGateway(databaseUrl, handOn) : null
  const pooler = options.pooler ? await startPooler(databaseUrl) : null
  const provider = await createProvider({
    settings: { deliverAfterMs: null, callbackDelayMs: 20, ...options.settings },
  })
  const paced = options.pace === 'telegram'
  const telegram = asRead(
    await createTelegram({
      ...(paced ? {} : { flood: false as const }),
      ...(options.firstMessageId !== undefined && { firstMessageId: options.firstMessageId }),
    }),
  )
  const port = await newPort()
  const botUrl = `http://127.0.0.1:${port}`
  const environment = {
    PATH: process.env.PATH ?? '',
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    BUNDLE_API_URL: provider.url,
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: pooler?.url ?? gateway?.url ?? databaseUrl,
    ...(options.publicUrl === false ? {} : { PUBLIC_URL: botUrl }),
    LOG_LEVEL: 'trace',
    ...(paced && { PACE: 'telegram' }),
    ...options.env,
  }
  const ofProcesses = options.process || options.crashable
  const crashFile = options.crashable ? join(folder, 'crash.json') : null
  const bots: BotUnderTest[] = []
  const interruptionsMs: number[] = []
  const newBot = (port: number, env: Record<string, string>): BotUnderTest => {
    const url = `http://127.0.0.1:${port}`
    const ownEnvironment = { ...environment, PORT: String(port), ...env }
    const bot = ofProcesses
      ? createBotProcess(ownEnvironment, url, crashFile, () => interruptionsMs.push(Date.now()))
      : createBotInProcess(ownEnvironment, url, {
          ...(paced ? {} : unpaced),
          ...(options.redrawMs !== undefined && { pace: { ...telegramLimits, redrawMs: options.redrawMs } }),
          ...(options.freeBytes && { freeBytes: options.freeBytes }),
          ...(options.wallMs && { wallMs: options.wallMs }),
        })
    bots.push(bot)
    return bot
  }
  const bot = newBot(port, {})
  await bot.start()

  const newPerson = () => {
    const { id } = telegram.addPerson()
    return { id, chat: chatOf(telegram, id) }
  }

  return {
    provider,
    telegram,
    bot,
    botUrl,
    databaseUrl,
    gateway,
    get databasePath() {
      if (testedKind !== 'sqlite') throw new Error('The database of this world is no file.')
      return databaseUrl.slice('file:'.length)
    },
    unmadeDatabaseUrl: () => unmadeDatabaseUrl(`${randomBytes(4).toString('hex')}.db`),
    anotherBot: async (env = {}) => {
      if (!ofProcesses)
        throw new Error('Several bots have to be processes: make the world with `process: true`.')
      return newBot(await newPort(), env)
    },
    newPerson,
    newReseller: async (balancePesewas = 50_000) => {
      const account = provider.addAccount({ accountType: 'agent', balancePesewas })
      const person = telegram.addPerson()
      telegram.openChat(person.id)
      await connectDirectly(databaseUrl, environment.CREDENTIALS_KEY, person, account)
      return { id: person.id, chat: chatOf(telegram, person.id), account }
    },
    until: async (what, message) => {
      const deadline = Date.now() + 60_000
      for (;;) {
        const found = await what()
        if (found) return found
        if (Date.now() > deadline) throw new Error(`Waited in vain: ${message}\n${bot.output().slice(-2000)}`)
        await wait(15)
      }
    },
    close: async () => {
      await Promise.all(bots.map((each) => (ofProcesses ? each.kill() : each.stop())))
      await gateway?.close()
      await pooler?.close()
      try {
        const { judged } = options
        const excuses = judged === true ? {} : judged
        expectFewButtons(telegram)
        if (excuses) await expectPromisesKept({ databaseUrl, provider, telegram }, excuses, interruptionsMs)
      } finally {
        await Promise.all([
          provider.stop(),
          telegram.stop(),
          empty?.giveBack(),
          ...schemas.map((drop) => drop()),
        ])
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/**
 * The bytes of the database and its write-ahead log, as a thief would find them. Another process reads them, because if
 * this one closed the file, a bot in this process would lose its locks.
 */
export const databaseBytes = async (path: string): Promise<string> => {
  const files = [path, `${path}-wal`].filter((file) => existsSync(file))
  const { stdout } = await promisify(execFile)('cat', files, { encoding: 'latin1', maxBuffer: 2 ** 30 })
  return stdout
}
