import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/sandbox/port.ts'
import {
  createProviderSimulator,
  type ProviderSettings,
  type ProviderSimulator,
} from '../../src/sandbox/provider/index.ts'
import { chatOf, type TestChat } from '../../src/sandbox/telegram/chat.ts'
import { createTelegramSimulator, type TelegramSimulator } from '../../src/sandbox/telegram/index.ts'
import { createKeyring } from '../../src/wallets/keyring.ts'
import { type Launch, launch, type Program } from './program.ts'

/** The place where programs are measured: both simulators, and a folder for their files. */
export interface Stage {
  telegram: TelegramSimulator
  provider: ProviderSimulator
  folder: string
  databasePath: string
  /** Its `CREDENTIALS_KEY`. */
  key: Uint8Array
  /** Where a program's HTTP server answers. */
  url: string
  /** The address for callbacks about an order. */
  callbackUrl(orderId: string): string
  newChat(): TestChat
  /** A program of this repository, run with the flags of `npm start`. */
  program(path: string): Launch
  close(): Promise<void>
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const bot = 'src/main.ts'
/** The bot, except that it takes in all that strangers send. */
export const openBot = 'test/bench/open-bot.ts'
export const bareBot = 'test/bench/bare-bot.ts'

const folders = new Set<string>()

const remove = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

// The bench leaves nothing behind, however it ends; the programs have been ended by then.
process.on('exit', () => folders.forEach(remove))

/** Settings that a `.env` of the checkout must not change: set variables win over it, even empty ones. */
const unset = {
  TELEGRAM_UPDATES: '',
  HOST: '',
  ACCESS: '',
  OWNER_IDS: '',
  METRICS_TOKEN: '',
  TELEGRAM_BOT_TOKEN_FILE: '',
  CREDENTIALS_KEY_FILE: '',
  DATABASE_URL_FILE: '',
  METRICS_TOKEN_FILE: '',
}

export interface StageOptions {
  /** The simulated Telegram keeps the limits of the real one; else it takes as much as a bot sends. */
  limits?: boolean
  /** Of the simulated provider; without them no order moves by itself. */
  settings?: Partial<ProviderSettings>
  /** Beside what all programs get. */
  env?: Record<string, string>
}

export const createStage = async ({
  limits = false,
  settings = {},
  env: more = {},
}: StageOptions = {}): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-bench-'))
  folders.add(folder)
  const telegram = await createTelegramSimulator(limits ? {} : { flood: false })
  const provider = await createProviderSimulator({ settings: { deliverAfterMs: null, ...settings } })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const databasePath = join(folder, 'bundlegram.db')
  const key = randomBytes(32)
  const keyring = createKeyring([key])
  const env = {
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    BUNDLE_API_URL: provider.url,
    CREDENTIALS_KEY: key.toString('base64'),
    DATABASE_URL: `file:${databasePath}`,
    PORT: String(port),
    PUBLIC_URL: url,
    LOG_LEVEL: 'warn',
    ...unset,
    ...more,
  }
  const start = await startScript()
  return {
    telegram,
    provider,
    folder,
    databasePath,
    key,
    url,
    callbackUrl: (orderId) => `${url}/webhooks/${keyring.sign('webhook', orderId)}`,
    newChat: () => chatOf(telegram, telegram.addPerson().id),
    program: (path) => ({
      command: ['sh', '-c', start.replace(bot, path)],
      env,
      cwd: root,
    }),
    close: async () => {
      await Promise.all([telegram.close(), provider.close()])
      remove(folder)
    },
  }
}

/**
 * Runs one program on a stage of its own, as long as it is measured.
 *
 * @param prepare what is done before the program starts.
 */
export const onStage = async <T>(
  path: string,
  measure: (stage: Stage, program: Program) => Promise<T>,
  { prepare, ...options }: StageOptions & { prepare?: (stage: Stage) => Promise<void> } = {},
): Promise<T> => {
  const stage = await createStage(options)
  try {
    await prepare?.(stage)
    const program = launch(stage.program(path))
    try {
      return await program.until(measure(stage, program))
    } finally {
      await program.kill()
    }
  } finally {
    await stage.close()
  }
}

/** The script of `npm start`. */
const startScript = async (): Promise<string> => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  return scripts.start
}

/** `npm start` itself, without its log files. */
export const npmStart = ({ env }: Launch, cwd: string): Launch => ({
  command: ['npm', 'start'],
  env: { ...env, npm_config_logs_max: '0', npm_config_update_notifier: 'false' },
  cwd,
})

/** The program behind an `npm start` of its own: a package with nothing else in it. */
export const asPackage = async (stage: Stage, path: string): Promise<Launch> => {
  const program = stage.program(join(root, path))
  const start = program.command.at(-1)
  await writeFile(join(stage.folder, 'package.json'), JSON.stringify({ private: true, scripts: { start } }))
  return npmStart(program, stage.folder)
}

/** Resolves when something answers at the address. */
export const listening = async (url: string): Promise<void> => {
  for (;;) {
    try {
      await fetch(url)
      return
    } catch {
      await wait(20)
    }
  }
}
