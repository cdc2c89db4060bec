import { folderPath, scriptPath, version } from '../base/installation.ts'
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

/** The account at the provider that the page offers to the reseller. */
const resellersAccount = 'dealer'

/** Orders are delivered automatically after this time, in ms, until somebody changes that on the page. */
const deliverAfterMs = 10_000

/**
 * A second Ctrl-C this soon is an echo of the first one, in ms: the terminal tells both the sandbox and npm,
 * and npm tells the sandbox again.
 */
const echoMs = 500

/** The variables of the sandbox's own environment that the bot gets: a real configuration must not leak into it. */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ']

const say = (line: string) => console.log(line)

// The terminal may close before the sandbox has ended, and a failed write must not stop the ending.
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
    console.error(`${command.sentence}\n\n${help}`)
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
 * The provider's port is next to the page's, so that the settings of a bot that is started by hand hold for the
 * next sandbox too.
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
  console.error(`Port ${port} is busy: taking another one.`)
}

interface Surroundings {
  folder: DataFolder
  provider: ProviderSimulator
  telegram: TelegramSimulator
  /** The bot's own port. */
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

/** The bot's environment: that of `npm start`, but with the simulators and a database on this machine. */
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

/** Says once that the bot answers; a bot that never answers prints its own errors. */
async function sayWhenReady(port: number): Promise<void> {
  while (!(await isReady(port))) await wait(200, undefined, { ref: false })
  say('The bot is running.')
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}

/** Ends the sandbox on Ctrl-C and similar signals. The first signal ends it in order, the second one immediately. */
function endInOrder(stop: () => Promise<void>): void {
  let endingSince: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)

  async function end(): Promise<void> {
    if (endingSince !== null) {
      if (performance.now() - endingSince > echoMs) process.exit(130)
      return
    }
    endingSince = performance.now()
    say('Ending … (Ctrl-C again ends it at once)')
    await stop()
    process.exit(0)
  }
}
