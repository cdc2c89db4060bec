import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import { type Config, faultLine, readConfig, secretsOf } from '../../src/start/config.ts'

const key = randomBytes(32)
const token = `123456789:${'AAE'.repeat(10)}`
const least = {
  TELEGRAM_BOT_TOKEN: token,
  BUNDLE_API_URL: 'https://provider.example/api/v1',
  CREDENTIALS_KEY: key.toString('base64'),
}

const noFiles = (path: string): never => {
  throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' })
}

const configOf = (
  environment: Record<string, string>,
  readFile: (path: string) => string = noFiles,
): Config => {
  const result = readConfig({ ...least, ...environment }, readFile)
  if ('faults' in result) throw new Error(result.faults.map(faultLine).join('\n'))
  return result.config
}

const faultsOf = (
  environment: Record<string, string | undefined>,
  readFile: (path: string) => string = noFiles,
): string[] => {
  const result = readConfig({ ...least, ...environment }, readFile)
  return 'faults' in result ? result.faults.map(faultLine) : []
}

test('the configuration has its documented defaults if only the required variables are set', () => {
  expect(configOf({})).toEqual({
    telegram: { token, apiRoot: 'https://api.telegram.org', updates: 'polling' },
    provider: { baseUrl: 'https://provider.example/api/v1' },
    proxies: { https: null, http: null, except: [] },
    credentialsKeys: [key],
    databaseUrl: 'file:./data/bundlegram.db',
    publicUrl: null,
    host: '127.0.0.1',
    port: 8080,
    ownerIds: [],
    access: 'open',
    metricsToken: null,
    metricsPort: null,
    retentionDays: 365,
    logLevel: 'info',
  })
})

test('the configuration has the values of the variables that are set', () => {
  const second = randomBytes(32)
  const config = configOf({
    TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/',
    TELEGRAM_UPDATES: 'webhook',
    CREDENTIALS_KEY: `${key.toString('base64')}, ${second.toString('base64')}`,
    DATABASE_URL: 'file:/data/b.db',
    PUBLIC_URL: 'https://bundles.example.com/bot//',
    HOST: '::',
    PORT: '0',
    OWNER_IDS: '1, 22',
    ACCESS: 'invite',
    METRICS_TOKEN: 'm'.repeat(16),
    METRICS_PORT: '9464',
    RETENTION_DAYS: '30',
    LOG_LEVEL: 'trace',
  })
  expect(config).toMatchObject({
    telegram: { apiRoot: 'http://127.0.0.1:8081', updates: 'webhook' },
    credentialsKeys: [key, second],
    databaseUrl: 'file:/data/b.db',
    publicUrl: 'https://bundles.example.com/bot',
    host: '::',
    port: 0,
    ownerIds: [1, 22],
    access: 'invite',
    metricsToken: 'm'.repeat(16),
    metricsPort: 9464,
    retentionDays: 30,
    logLevel: 'trace',
  })
})

test('an empty variable of the configuration counts as missing', () => {
  expect(configOf({ PORT: '', ACCESS: '  ' })).toMatchObject({ port: 8080, access: 'open' })
  expect(faultsOf({ BUNDLE_API_URL: '' })).toEqual([expect.stringMatching(/^BUNDLE_API_URL: is missing/)])
})

const malformed: [variable: string, ...values: string[]][] = [
  ['TELEGRAM_BOT_TOKEN', 'hunter2', '123:short', `x${token}`, `${token} x`],
  ['TELEGRAM_API_ROOT', 'api.telegram.org', 'ftp://x', 'http://'],
  ['TELEGRAM_UPDATES', 'push', 'Polling'],
  ['BUNDLE_API_URL', 'provider', 'https://u:hunter2@x/', 'https://x/?key=hunter2', 'https://x/#a'],
  [
    'CREDENTIALS_KEY',
    'hunter2',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    key.toString('hex'),
    Buffer.alloc(32).toString('base64'),
    `${key.toString('base64')},`,
    `${key.toString('base64')},hunter2`,
  ],
  ['DATABASE_URL', 'mysql://root:hunter2@x', 'file:', 'data.db'],
  ['PUBLIC_URL', 'bundles.example.com', 'ws://x'],
  ['HOST', 'not a host', 'http://x', '-'],
  ['PORT', '80 80', '-1', '65536', '1e3', '0x50', 'http'],
  ['OWNER_IDS', 'bob', '1,,2', '1,2,', '1;2', '1.5', '-1'],
  ['ACCESS', 'closed', 'Invite'],
  ['METRICS_TOKEN', 'hunter2'],
  ['METRICS_PORT', '0', '65536', 'hunter2'],
  ['ALLOW_PLAIN_HTTP', 'no', 'hunter2'],
  ['RETENTION_DAYS', '0', '-1', 'forever', '1.5', '36501'],
  ['LOG_LEVEL', 'loud', 'INFO'],
  ['HTTPS_PROXY', 'socks5://hunter2@x', 'http://'],
  ['HTTP_PROXY', 'ftp://x'],
]

describe('a malformed setting is explained with an example and without its value', () => {
  test.each(malformed.flatMap(([variable, ...values]) => values.map((value) => [variable, value])))(
    'as with %s=%s',
    (variable, value) => {
      const faults = faultsOf({ [variable as string]: value })
      expect(faults).toHaveLength(1)
      expect(faults[0]).toMatch(new RegExp(`^${variable}: (is|begins|must).*, for example ${variable}=.`))
      expect(faults[0]).not.toMatch(/\n|hunter2/)
      expect(faults[0]).not.toContain(key.toString('base64'))
    },
  )
})

test('no example for a setting contains a shell command, because .env runs none', () => {
  for (const [variable, value] of malformed) {
    expect(faultsOf({ [variable as string]: value })[0]).not.toMatch(/\$\(|`/)
  }
})

test.each(['TELEGRAM_BOT_TOKEN', 'BUNDLE_API_URL', 'CREDENTIALS_KEY'])(
  'the variable %s is required',
  (variable) => {
    expect(faultsOf({ [variable]: undefined })).toEqual([
      expect.stringMatching(new RegExp(`^${variable}: is missing, for example ${variable}=`)),
    ])
  },
)

test('a remote provider without TLS is refused, unless ALLOW_PLAIN_HTTP allows it', () => {
  for (const url of [
    'http://provider.example/api/v1',
    'http://10.0.0.1/api/v1',
    'http://127.0.0.1.example/v1',
  ])
    expect(faultsOf({ BUNDLE_API_URL: url })).toEqual([
      expect.stringMatching(/^BUNDLE_API_URL: is not https.*ALLOW_PLAIN_HTTP=yes/),
    ])
  const remote = { BUNDLE_API_URL: 'http://provider.example/api/v1', ALLOW_PLAIN_HTTP: 'yes' }
  expect(configOf(remote).provider.baseUrl).toBe('http://provider.example/api/v1')
  for (const url of ['http://127.0.0.1:9/api/v1', 'http://localhost/api/v1', 'http://[::1]:9/api/v1'])
    expect(configOf({ BUNDLE_API_URL: url }).provider.baseUrl).toBe(url)
})

test('all faults of the configuration are reported together, also conflicts between settings', () => {
  const environment = {
    TELEGRAM_BOT_TOKEN: 'x',
    BUNDLE_API_URL: 'http://provider.example/api/v1',
    TELEGRAM_UPDATES: 'webhook',
    METRICS_PORT: '8080',
    RETENTION_DAYS: 'x',
  }
  const named = faultsOf(environment).map((line) => line.split(' ').slice(0, 3).join(' '))
  expect(named.sort()).toEqual([
    'BUNDLE_API_URL: is not',
    'METRICS_PORT: is the',
    'PUBLIC_URL: is missing,',
    'RETENTION_DAYS: is not',
    'TELEGRAM_BOT_TOKEN: is not',
  ])
})

describe('the configuration reports a misspelt variable with the likely right name', () => {
  test.each([
    ['TELEGRAM_BOT_TOKN', 'TELEGRAM_BOT_TOKEN'],
    ['TELEGARM_BOT_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['telegram_bot_token', 'TELEGRAM_BOT_TOKEN'],
    ['BOT_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['TELEGRAM_BOT_TOKEN_FILES', 'TELEGRAM_BOT_TOKEN_FILE'],
    ['BUNDLES_API_URL', 'BUNDLE_API_URL'],
    ['BUNDLE_URL', 'BUNDLE_API_URL'],
    ['CREDENTIAL_KEY', 'CREDENTIALS_KEY'],
    ['CREDENTIALSKEY', 'CREDENTIALS_KEY'],
  ])('as a fault if %s is set and %s is missing', (given, meant) => {
    const variable = meant.replace(/_FILE$/, '')
    const [fault, ...others] = faultsOf({ [variable]: undefined, [given]: 'hunter2' })
    expect(fault).toContain(`${variable}: is missing (${given} is set: rename it to ${meant}), for example`)
    expect([fault, others]).toEqual([expect.not.stringContaining('hunter2'), []])
  })

  test.each([
    ['OWNER_ID', 'OWNER_IDS'],
    ['OWNERS_IDS', 'OWNER_IDS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['PROT', 'PORT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['RETENTION_DAY', 'RETENTION_DAYS'],
    ['METRICS_TOKN', 'METRICS_TOKEN'],
  ])('as a warning if %s is set instead of %s', (given, meant) => {
    const { doubts, ...read } = readConfig({ ...least, [given]: 'hunter2' }, noFiles)
    expect(read).toHaveProperty('config')
    expect(doubts.map(faultLine)).toEqual([
      expect.stringContaining(`${given}: is not a setting, but ${meant} is, for example ${meant}=`),
    ])
    expect(JSON.stringify(doubts)).not.toContain('hunter2')
  })

  test('but not a variable of another program', () => {
    const others =
      'HOSTNAME HOME PATH PWD SHELL TERM USER LANG TZ NODE_ENV NODE_OPTIONS NODE_VERSION HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_USE_ENV_PROXY npm_config_cache npm_package_name npm_lifecycle_event INIT_CWD POSTGRES_PASSWORD PGHOST PGPORT DOCKER_HOST SSH_TTY EDITOR COLOR LOGNAME MAIL PUBLIC_DIR API_URL API_TOKEN ACCESS_TOKEN TEST_DATABASE_URL'
    const environment = Object.fromEntries(others.split(' ').map((name) => [name, 'x']))
    expect(readConfig({ ...least, ...environment }, noFiles).doubts).toEqual([])
  })
})

test('proxies are read from variables in upper and lower case, and their passwords are never printed', () => {
  const environment = {
    HTTPS_PROXY: 'http://capital.example:3128',
    https_proxy: 'office:hunter2-hunter2@proxy.example:3128',
    http_proxy: 'http://127.0.0.1:3128',
    NO_PROXY: 'localhost, .Example.com 10.0.0.1',
  }
  const config = configOf(environment)
  expect(config.proxies).toEqual({
    https: 'http://office:hunter2-hunter2@proxy.example:3128',
    http: 'http://127.0.0.1:3128',
    except: ['localhost', '.example.com', '10.0.0.1'],
  })
  expect(secretsOf(config)).toContain('hunter2-hunter2')
})

test('a provider’s address causes a warning if it has no API version', () => {
  const doubtsOf = (url: string) =>
    readConfig({ ...least, BUNDLE_API_URL: url }, noFiles).doubts.map(faultLine)
  for (const url of ['https://provider.example', 'https://provider.example/', 'https://provider.example/api'])
    expect(doubtsOf(url)).toEqual([expect.stringMatching(/^BUNDLE_API_URL: does not end in \/api\/v1/)])
  for (const url of [
    'https://provider.example/api/v1',
    'https://provider.example/shop/api/v2//',
    'no address',
  ])
    expect(doubtsOf(url)).toEqual([])
})

test('the metrics’ own port cannot be the port of callbacks', () => {
  expect(faultsOf({ METRICS_PORT: '8080' })).toEqual([
    expect.stringMatching(/^METRICS_PORT: is the same as PORT/),
  ])
})

test('webhook mode without a public address is a fault', () => {
  expect(faultsOf({ TELEGRAM_UPDATES: 'webhook' })).toEqual([
    expect.stringMatching(/^PUBLIC_URL: is missing, and TELEGRAM_UPDATES=webhook needs it/),
  ])
})

describe('a setting that is given as a file', () => {
  const secrets = {
    TELEGRAM_BOT_TOKEN: token,
    CREDENTIALS_KEY: least.CREDENTIALS_KEY,
    DATABASE_URL: 'file:/data/b.db',
    METRICS_TOKEN: 'm'.repeat(20),
  }

  test.each(Object.entries(secrets))(
    'for %s is read from the file without the newline at its end',
    (name, value) => {
      const readFile = (path: string) => (path === '/run/secret' ? `${value}\n` : noFiles(path))
      expect(configOf({ [name]: '', [`${name}_FILE`]: '/run/secret' }, readFile)).toEqual(
        configOf({ [name]: value }),
      )
    },
  )

  test.each(Object.keys(secrets))(
    'causes one fault if the file in %s_FILE cannot be read or is empty',
    (name) => {
      const given = { [name]: '', [`${name}_FILE`]: '/run/secret' }
      expect(faultsOf(given)).toEqual([expect.stringMatching(`^${name}_FILE: names a file .*ENOENT`)])
      expect(faultsOf(given, () => ' \n')).toEqual([
        expect.stringMatching(`^${name}_FILE: names an empty file`),
      ])
    },
  )

  test.each(Object.keys(secrets))('causes one fault if %s and its file are both given', (name) => {
    const faults = faultsOf({ [name]: 'x', [`${name}_FILE`]: '/run/secret' })
    expect(faults).toEqual([expect.stringMatching(`^${name}_FILE: is set, and so is ${name}`)])
  })

  test('is not quoted if its value is malformed', () => {
    const given = { CREDENTIALS_KEY: '', CREDENTIALS_KEY_FILE: '/run/secret' }
    const [fault, ...others] = faultsOf(given, () => 'hunter2')
    expect(fault).toMatch(/^CREDENTIALS_KEY: is not 32 bytes/)
    expect(fault).not.toContain('hunter2')
    expect(others).toEqual([])
  })
})

test('a bot started with a wrong environment prints one line for each fault, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-config-'))
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    cwd: folder,
    env: {
      TELEGRAM_BOT_TOKEN: 'hunter2',
      CREDENTIALS_KEY: `${key.toString('base64')}hunter2`,
      TELEGRAM_UPDATES: 'webhook',
      PORT: 'http',
    },
  })
  const exited = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  await rm(folder, { recursive: true })
  expect(code).toBe(1)
  expect(stdout).toBe('')
  const named = stderr
    .trimEnd()
    .split('\n')
    .map((line) => line.split(':')[0])
  expect(named[0]).toBe('.env')
  expect(stderr).toMatch(/^\.env: not found in this folder; npm run setup creates one\n/)
  expect(named.slice(1).sort()).toEqual([
    'BUNDLE_API_URL',
    'CREDENTIALS_KEY',
    'PORT',
    'PUBLIC_URL',
    'TELEGRAM_BOT_TOKEN',
  ])
  expect(stderr).not.toContain('hunter2')
})

test('secrets of the configuration are masked in the log in every form, and a short one masks no other words', () => {
  const second = randomBytes(32).toString('base64')
  const databaseUrl = 'postgresql://shop:p%40ss%20word-1@db.example:5432/shop'
  const logged = (text: string, environment: Record<string, string> = {}): string => {
    const lines: string[] = []
    const config = configOf({ CREDENTIALS_KEY: `${least.CREDENTIALS_KEY},${second}`, ...environment })
    createLog('info', secretsOf(config), { write: (line) => lines.push(line) }).info(text)
    return lines.join('')
  }
  const metricsToken = 'a-token-for-the-metrics'
  const env = { DATABASE_URL: databaseUrl, METRICS_TOKEN: metricsToken }
  const secrets = [
    token,
    metricsToken,
    second,
    second.slice(0, -1),
    databaseUrl,
    'p%40ss%20word-1',
    'p@ss word-1',
  ]
  for (const secret of secrets) {
    const line = logged(`it is ${secret} here`, env)
    expect(line).toContain('[secret]')
    expect(line).not.toContain(secret)
  }
  const short = { DATABASE_URL: 'postgresql://shop:info@db.example/shop' }
  expect(logged('info about shop:info@db.example', short)).toMatch(
    /"level":"info".*info about \[secret\]db\.example/,
  )
})
