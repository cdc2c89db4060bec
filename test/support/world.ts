import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CrashPoint } from '../../src/crash-point.ts'
import {
  createProviderSimulator,
  type ProviderAccountState,
  type ProviderSettings,
  type ProviderSimulator,
} from '../../src/sandbox/provider/index.ts'
import { chatOf, type TestChat } from '../../src/sandbox/telegram/chat.ts'
import { createTelegramSimulator, type TelegramSimulator } from '../../src/sandbox/telegram/index.ts'
import { newSchema, testedKind } from './database.ts'
import { newFolder } from './folder.ts'
import { type Gateway, openGateway } from './gateway.ts'

/** The bot as a process of its own, between the two simulators. */
export interface World {
  provider: ProviderSimulator
  telegram: TelegramSimulator
  bot: BotUnderTest
  /** Where the bot's HTTP server answers. */
  botUrl: string
  databaseUrl: string
  /** The file of it. Not on PostgreSQL. */
  readonly databasePath: string
  /** Between the bots and their PostgreSQL, where that was wished for. */
  gateway: Gateway | null
  /** A database beside the bot's that does not exist yet. */
  newDatabaseUrl(): string
  /** One more process with the same token, not started yet: on the same database unless `env` names another. */
  anotherBot(env?: Record<string, string>): Promise<BotUnderTest>
  newPerson(): { id: number; chat: TestChat }
  /** A person who has connected a new account. */
  newReseller(balancePesewas?: number): Promise<Reseller>
  /** Waits for something outside Telegram's events, looked at every few milliseconds. */
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

export interface BotUnderTest {
  /** Where its HTTP server answers. */
  url: string
  start(env?: Record<string, string>): Promise<void>
  /** Lets it kill itself there, in this life or the next; once. For a world that is `crashable`. */
  crashAt(crash: Crash): Promise<void>
  /** How a bot that is to crash ended. */
  died(): Promise<NodeJS.Signals | number | null>
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Everything that it ever printed. */
  output(): string
  /** Undefined while it does not run. */
  pid(): number | undefined
}

/** Where the bot kills itself, and at which passage of that point from then on (default: the first). */
export interface Crash {
  at: CrashPoint
  time?: number
  /** It does not die there, but stands still until it gets SIGCONT. */
  paused?: boolean
}

export interface WorldOptions {
  env?: Record<string, string>
  settings?: Partial<ProviderSettings>
  publicUrl?: boolean
  /** Its bots reach their PostgreSQL by a way that can be cut. */
  gateway?: boolean
  /** Its bots can be made to crash, and a start resolves where it ends so, too. */
  crashable?: boolean
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const tether = fileURLToPath(new URL('../../src/sandbox/tether.ts', import.meta.url))
const crashes = fileURLToPath(new URL('./crash.ts', import.meta.url))

export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const folder = await newFolder()
  const schemas: (() => Promise<void>)[] = []
  const newDatabaseUrl = (name: string): string => {
    if (testedKind === 'sqlite') return `file:${join(folder, name)}`
    const { url, drop } = newSchema()
    schemas.push(drop)
    return url
  }
  const databaseUrl = newDatabaseUrl('bundlegram.db')
  const gateway = options.gateway ? await openGateway(databaseUrl) : null
  const provider = await createProviderSimulator({
    settings: { deliverAfterMs: null, callbackDelayMs: 20, ...options.settings },
  })
  const telegram = await createTelegramSimulator()
  const port = await freePort()
  const botUrl = `http://127.0.0.1:${port}`
  const environment = {
    PATH: process.env.PATH ?? '',
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    BUNDLE_API_URL: provider.url,
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: gateway?.url ?? databaseUrl,
    ...(options.publicUrl === false ? {} : { PUBLIC_URL: botUrl }),
    LOG_LEVEL: 'trace',
    ...options.env,
  }
  const crashFile = options.crashable ? join(folder, 'crash.json') : null
  const bots: BotUnderTest[] = []
  const newBot = (port: number, env: Record<string, string>): BotUnderTest => {
    const url = `http://127.0.0.1:${port}`
    const bot = createBotUnderTest({ ...environment, PORT: String(port), ...env }, url, crashFile)
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
    newDatabaseUrl: () => newDatabaseUrl(`${randomBytes(4).toString('hex')}.db`),
    anotherBot: async (env = {}) => newBot(await freePort(), env),
    newPerson,
    newReseller: async (balancePesewas = 50_000) => {
      const account = provider.addAccount({ accountType: 'agent', balancePesewas })
      const person = newPerson()
      person.chat.say('/connect')
      await person.chat.waitForText('API key')
      person.chat.say(`${account.apiKey}\n${account.apiSecret}`)
      await person.chat.waitForText('Connected')
      return { ...person, account }
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
      await Promise.all(bots.map((each) => each.kill()))
      await gateway?.close()
      await Promise.all([provider.close(), telegram.close(), ...schemas.map((drop) => drop())])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const createBotUnderTest = (
  environment: Record<string, string>,
  url: string,
  crashFile: string | null,
): BotUnderTest => {
  let child: ChildProcess | null = null
  let output = ''

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const preload = ['--import', tether, ...(crashFile === null ? [] : ['--import', crashes])]
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...preload, main], {
      env: { ...environment, ...env, ...(crashFile !== null && { CRASH_FILE: crashFile }) },
      // Over the channel it notices that the tests are gone, however they ended.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child = started
    started.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    started.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    while (!(await isConnected(url))) {
      if (crashFile !== null && started.signalCode === 'SIGKILL') return
      if (hasEnded(started)) throw new Error(`The bot ended at its start:\n${output.slice(-3000)}`)
      await wait(20)
    }
  }

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    const running = child
    child = null
    if (!running || hasEnded(running)) return running?.exitCode ?? null
    const exited = once(running, 'exit') as Promise<[number | null]>
    running.kill(signal)
    const [code] = await exited
    return code
  }

  return {
    url,
    start,
    crashAt: async (crash) => {
      if (crashFile === null) throw new Error('The bots of this world do not crash: make it crashable.')
      await writeFile(`${crashFile}.new`, JSON.stringify(crash))
      await rename(`${crashFile}.new`, crashFile)
    },
    died: async () => {
      if (child && !hasEnded(child)) await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
      return child?.signalCode ?? child?.exitCode ?? null
    },
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
    restart: async () => {
      await end('SIGTERM')
      await start()
    },
    output: () => output,
    pid: () => (child && !hasEnded(child) ? child.pid : undefined),
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** The bot listens, and has spoken to Telegram or stands by for another process. */
const isConnected = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/readyz`)
    const body = (await answer.json()) as { ready: boolean; telegram: string }
    return body.ready && /^(ok|standing by)/.test(body.telegram)
  } catch {
    return false
  }
}

/** Not one of those that a system gives to connections: it would soon be somebody's. */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false)
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** The bytes of the database and its log, as a thief would find them. */
export const databaseBytes = async (path: string): Promise<string> => {
  const files = await Promise.all(
    [path, `${path}-wal`].map((file) => readFile(file).catch(() => Buffer.alloc(0))),
  )
  return Buffer.concat(files).toString('latin1')
}
