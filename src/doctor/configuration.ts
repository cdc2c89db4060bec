import { randomBytes } from 'node:crypto'
import { commandLine, commandWith } from '../base/installation.ts'
import type { Config, readConfig } from '../start/config.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { quoted } from './quoting.ts'

export interface Surroundings {
  /** The files that contain secrets. `mode` is their permission bits. */
  secretFiles: { name: string; mode: number }[]
}

const what = 'configuration'

/** Reports every fault in the environment, as `npm start` would. If there are none, reports doubtful settings. */
export const examineConfiguration = (
  read: ReturnType<typeof readConfig>,
  { secretFiles }: Surroundings,
): Finding[] => {
  const files = secretFiles.filter(({ mode }) => (mode & 0o004) !== 0).map(openFile)
  if ('faults' in read) {
    const faults = read.faults.map((fault) =>
      fail(what, `${fault.variable} ${fault.problem}`, remedyFor(fault)),
    )
    return [...faults, ...read.doubts.map(doubtful), ...files]
  }
  const doubts = [...read.doubts.map(doubtful), ...judge(read.config), ...files]
  return doubts.length > 0 ? doubts : [ok(what, 'complete')]
}

type Fault = Extract<ReturnType<typeof readConfig>, { faults: unknown }>['faults'][number]

const doubtful = ({ variable, problem, example }: Fault): Finding =>
  warn(what, `${variable} ${problem}`, `Set it in .env or the environment, for example ${example}`)

const remedyFor = ({ variable, problem, example }: Fault): string =>
  variable === 'CREDENTIALS_KEY' && problem === 'is missing'
    ? `${commandLine('setup')} writes a new one into .env. For an existing database, set the key it was written with`
    : `Set it in .env or the environment, for example ${example}`

/**
 * The finding for a file that everybody can read. Its remedy does not take access from the file's group, because a
 * service may need it.
 */
const openFile = ({ name }: { name: string }): Finding =>
  warn(
    what,
    `${name} contains secrets and can be read by everybody on this machine`,
    `chmod o= ${quoted(name)}`,
  )

const judge = (config: Config): Finding[] => [
  ...judgeKeys(config),
  ...judgeAddresses(config),
  ...judgeServer(config),
  ...judgeOperators(config),
]

const judgeKeys = ({ credentialsKeys: { length } }: Config): Finding[] =>
  length === 1
    ? []
    : [
        warn(
          what,
          `CREDENTIALS_KEY lists ${length} keys: a key change is under way`,
          `${commandWith('rotate-key', '--check')} says when you can remove the older ones`,
        ),
      ]

const judgeAddresses = ({ publicUrl, provider, telegram }: Config): Finding[] => {
  const plain = [
    ['BUNDLE_API_URL', provider.baseUrl, 'the wallets’ credentials'],
    ['TELEGRAM_API_ROOT', telegram.apiRoot, 'the bot’s token'],
    ['PUBLIC_URL', publicUrl, 'statuses and, in webhook mode, messages'],
  ] as const
  return plain.flatMap(([name, url, passing]) =>
    url === null || url.startsWith('https:') || isOnThisMachine(url)
      ? []
      : warn(
          what,
          `${name} is not https: ${passing} can be read in transit`,
          `Use the https:// address, for example ${name}=https://…`,
        ),
  )
}

const judgeServer = ({ host, port, metricsToken, metricsPort, publicUrl }: Config): Finding[] => [
  ...(isLoopback(host) || metricsToken !== null || metricsPort !== null || publicUrl !== null
    ? []
    : [
        warn(
          what,
          `HOST=${host} accepts connections from other machines, but METRICS_TOKEN is not set, so /metrics answers only this machine`,
          `If Prometheus runs elsewhere, set METRICS_TOKEN=${randomBytes(16).toString('hex')} (generated just now). If the proxy is on this machine, set HOST=127.0.0.1`,
        ),
      ]),
  ...(port === 0 && publicUrl !== null
    ? [
        warn(
          what,
          'PORT=0 uses a different port at each start, so nothing can be forwarded to it',
          'Set PORT=8080',
        ),
      ]
    : []),
]

const judgeOperators = ({ ownerIds, access, logLevel }: Config): Finding[] => [
  ...(ownerIds.length > 0
    ? []
    : [
        warn(
          what,
          `OWNER_IDS is not set: nobody can use /admin${access === 'invite' ? ', so nobody can invite anybody' : ''}`,
          'Set OWNER_IDS to your own Telegram user id, for example OWNER_IDS=123456789',
        ),
      ]),
  ...(logLevel === 'silent'
    ? [warn(what, 'LOG_LEVEL=silent: nobody can find out later what went wrong', 'Set LOG_LEVEL=info')]
    : []),
]

const isOnThisMachine = (url: string): boolean => isLoopback(URL.parse(url)?.hostname ?? '')

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
