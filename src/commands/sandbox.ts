import { commandWith, folderPath, scriptPath, version } from '../base/installation.ts'
import { wait } from '../base/wait.ts'
import {
  createProvider,
  createTelegram,
  type ProviderSimulator,
  type TelegramSimulator,
} from '../sandbox/index.ts'
import { type BotProcess, runBot } from './sandbox/bot-process.ts'
import { type DataFolder, openDataFolder } from './sandbox/data-folder.ts'
import { greeting, greetingWithoutBot } from './sandbox/greeting.ts'
import { commandOf, help, type SandboxOptions } from './sandbox/options.ts'
import { freePort, listenNear } from './sandbox/port.ts'

/** The provider account whose keys the page offers to the reseller. */
const resellersAccount = 'dealer'

/** In ms. Orders are delivered automatically after this time, unless somebody changes it on the page. */
const deliverAfterMs = 10_000

/**
 * In ms. A second Ctrl-C that comes this soon is an echo of the first: the terminal signals both the sandbox and
 * npm, and npm passes the signal on to the sandbox.
 */
const echoMs = 500

/**
 * The variables that the bot gets from the sandbox's own environment. There are no others, so that a real
 * configuration cannot leak into the bot.
 */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ']

const say = (line: string) => console.log(line)

// The terminal may close before the sandbox has stopped. A failed write must not interrupt that.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const command = commandOf(process.argv.slice(2))
switch (command.kind) {
  case 'help':
    say(help)
    break
  case 'version':
    say(version)
    break
  case 'mistake':
    console.error(`${command.sentence}\n${commandWith('sandbox', '--help')} shows the options.`)
    process.exitCode = 1
    break
  case 'run':
    await run(command.options)
    break
}

async function run(options: SandboxOptions): Promise<void> {
  const parts = new AsyncDisposableStack()
  endInOrder(() => parts.disposeAsync())
  const provider = await listenNear(providerPort(options), startProvider, sayBusy)
  parts.defer(() => provider.stop())
  const telegram = await listenNear(options.port, (port) => startTelegram(port, provider), sayBusy)
  parts.defer(() => telegram.stop())
  const seen = { telegram, provider, account: provider.account(resellersAccount) }
  if (options.noBot) {
    say(greetingWithoutBot({ ...seen, operatorId: operatorIn(telegram)?.id }))
    return
  }
  const folder = openDataFolder(options.keep)
  parts.defer(folder.remove)
  process.once('exit', folder.remove)
  const port = await freePort()
  const bot = startBot({ folder, provider, telegram, port }, options.verbose)
  parts.defer(bot.stop)
  process.prependOnceListener('exit', bot.kill)
  say(greeting({ ...seen, keptIn: options.keep === null ? null : folder.path }))
  await sayWhenReady(port)
}

/**
 * The provider's port is the page's plus one, so that a bot that was started by hand can keep its settings for the
 * next sandbox.
 */
function providerPort({ noBot, port }: SandboxOptions): number {
  return noBot && port !== 0 && port < 65_535 ? port + 1 : 0
}

function startProvider(port: number): Promise<ProviderSimulator> {
  return createProvider({ port, settings: { deliverAfterMs } })
}

function startTelegram(port: number, provider: ProviderSimulator): Promise<TelegramSimulator> {
  return createTelegram({
    port,
    pageDir: folderPath('sandbox/page'),
    provider: { controlUrl: provider.controlUrl, account: resellersAccount },
  })
}

function sayBusy(port: number): void {
  console.error(`Port ${port} is busy: using another one.`)
}

interface Surroundings {
  folder: DataFolder
  provider: ProviderSimulator
  telegram: TelegramSimulator
  port: number
}

function startBot(surroundings: Surroundings, verbose: boolean): BotProcess {
  return runBot({
    script: scriptPath('main'),
    env: botEnvironment(surroundings),
    verbose,
    say,
    restartAfterMs: 1_000,
    stopsWithinMs: 12_000,
  })
}

/** The bot's environment: the settings of `npm start`, but with the simulators and a database on this machine. */
function botEnvironment({ folder, provider, telegram, port }: Surroundings): Record<string, string> {
  const own = passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const operator = operatorIn(telegram)
  return {
    ...Object.fromEntries(own),
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_UPDATES: 'polling',
    BUNDLE_API_URL: provider.url,
    CREDENTIALS_KEY: folder.key,
    DATABASE_URL: folder.databaseUrl,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'info',
    ...(operator ? { OWNER_IDS: String(operator.id) } : {}),
  }
}

function operatorIn(telegram: TelegramSimulator) {
  return telegram.state().people.find(({ role }) => role === 'operator')
}

/** Reports once that the bot answers. A bot that never answers prints its own errors. */
async function sayWhenReady(port: number): Promise<void> {
  while (!(await isReady(port))) await wait(200, undefined, { ref: false })
  say('The bot is running.')
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}

/** Ends the sandbox on Ctrl-C and similar signals: in order on the first, immediately on the second. */
function endInOrder(stop: () => Promise<void>): void {
  let endingSince: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)

  async function end(): Promise<void> {
    if (endingSince !== null) {
      if (performance.now() - endingSince > echoMs) process.exit(130)
      return
    }
    endingSince = performance.now()
    say('Stopping … (press Ctrl-C again to stop at once)')
    await stop()
    process.exit(0)
  }
}
