import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { commandLine } from '../base/installation.ts'
import { type Misspelling, misspellings } from './misspelling.ts'
import type { Proxies } from './proxies.ts'

export interface Config {
  telegram: { token: string; apiRoot: string; updates: 'polling' | 'webhook' }
  provider: { baseUrl: string }
  proxies: Proxies
  /** 32 bytes each. The first one encrypts; all decrypt. */
  credentialsKeys: Uint8Array[]
  databaseUrl: string
  /** The public address of the HTTP server, without a trailing slash. */
  publicUrl: string | null
  host: string
  port: number
  ownerIds: number[]
  access: 'open' | 'invite'
  metricsToken: string | null
  /** A port on loopback that serves only metrics; null if the HTTP server's port serves them. */
  metricsPort: number | null
  retentionDays: number
  logLevel: (typeof logLevels)[number]
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** A fault in the environment. It never contains the value of a secret. */
export interface ConfigFault {
  variable: string
  problem: string
  example: string
}

type Environment = Record<string, string | undefined>

const examples: Record<string, string> = {
  TELEGRAM_BOT_TOKEN: 'TELEGRAM_BOT_TOKEN=123456789:AAE… (from @BotFather)',
  TELEGRAM_API_ROOT: 'TELEGRAM_API_ROOT=https://api.telegram.org',
  TELEGRAM_UPDATES: 'TELEGRAM_UPDATES=polling',
  BUNDLE_API_URL: 'BUNDLE_API_URL=https://provider.example/api/v1',
  CREDENTIALS_KEY: `CREDENTIALS_KEY=…= (32 bytes in base64; ${commandLine('setup')} writes a new one into .env)`,
  DATABASE_URL: 'DATABASE_URL=file:./data/bundlegram.db',
  PUBLIC_URL: 'PUBLIC_URL=https://bundles.example.com',
  HOST: 'HOST=127.0.0.1',
  PORT: 'PORT=8080',
  OWNER_IDS: 'OWNER_IDS=123456789,987654321',
  ACCESS: 'ACCESS=open',
  METRICS_TOKEN: `METRICS_TOKEN=… (node -p "crypto.randomBytes(16).toString('hex')" prints one)`,
  METRICS_PORT: 'METRICS_PORT=9464',
  ALLOW_PLAIN_HTTP: 'ALLOW_PLAIN_HTTP=yes',
  HTTPS_PROXY: 'HTTPS_PROXY=http://127.0.0.1:3128',
  HTTP_PROXY: 'HTTP_PROXY=http://127.0.0.1:3128',
  NO_PROXY: 'NO_PROXY=localhost,.example.com',
  RETENTION_DAYS: 'RETENTION_DAYS=365',
  LOG_LEVEL: 'LOG_LEVEL=info',
}

const secretNames = ['TELEGRAM_BOT_TOKEN', 'CREDENTIALS_KEY', 'DATABASE_URL', 'METRICS_TOKEN'] as const

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const

const isMissing = 'is missing'

const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

const httpUrl = z
  .string()
  .refine(isHttpUrl, 'is not an http:// or https:// address')
  .refine((text) => !/[?#]/.test(text), 'must not have a query or fragment')
  .refine((text) => {
    const url = URL.parse(text)
    return !url?.username && !url?.password
  }, 'must not contain a user name or password')
  .transform((text) => text.replace(/\/+$/, ''))

/** A proxy's address may contain a user and password. People often leave out http://. */
const proxyUrl = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .refine(isHttpUrl, 'is not the http:// or https:// address of a proxy')
  .optional()

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text), 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `is not between ${least} and ${most}`)

const schema = z.object({
  TELEGRAM_BOT_TOKEN: z
    .string(isMissing)
    .regex(/^\d{1,20}:[\w-]{20,}$/, 'is not of the form <digits>:<letters and digits>'),
  TELEGRAM_API_ROOT: httpUrl.default('https://api.telegram.org'),
  TELEGRAM_UPDATES: z.enum(['polling', 'webhook'], 'is neither polling nor webhook').default('polling'),
  BUNDLE_API_URL: z.string(isMissing).pipe(httpUrl),
  CREDENTIALS_KEY: z.string(isMissing).transform((text, context) => {
    const keys = text.split(',').map((part) => decodeKey(part.trim()))
    if (keys.every((key) => key !== null)) {
      if (!keys.some(isZero)) return keys
      context.addIssue({
        code: 'custom',
        message: 'is all zeros',
      })
      return z.NEVER
    }
    context.addIssue({ code: 'custom', message: 'is not 32 bytes in base64 (several: comma-separated)' })
    return z.NEVER
  }),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => /^(file:.|postgres(ql)?:\/\/.)/.test(text),
      'begins with neither file: nor postgresql://',
    )
    .default('file:./data/bundlegram.db'),
  PUBLIC_URL: httpUrl.optional(),
  HOST: z
    .string()
    .refine(
      (text) => isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(text),
      'is not a host name or address',
    )
    .default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  OWNER_IDS: z
    .string()
    .refine((text) => text.split(',').every((id) => /^\s*\d{1,15}\s*$/.test(id)), 'is not a list of user ids')
    .transform((text) => text.split(',').map(Number))
    .default([]),
  ACCESS: z.enum(['open', 'invite'], 'is neither open nor invite').default('open'),
  METRICS_TOKEN: z.string().min(16, 'is shorter than 16 characters').optional(),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  RETENTION_DAYS: wholeNumber(1, 36_500).default(365),
  /** Permits a provider on another machine without TLS. */
  ALLOW_PLAIN_HTTP: z.enum(['yes'], 'is not yes').optional(),
  HTTPS_PROXY: proxyUrl,
  HTTP_PROXY: proxyUrl,
  NO_PROXY: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .default([]),
  LOG_LEVEL: z.enum(logLevels, `is none of ${logLevels.join(', ')}`).default('info'),
})

const settingNames = [
  ...Object.keys(schema.shape),
  ...proxyNames.map((name) => name.toLowerCase()),
  ...secretNames.map((name) => `${name}_FILE`),
]

/** Whether a key is all zeros: a placeholder that anybody would guess. */
const isZero = (key: Uint8Array): boolean => key.every((byte) => byte === 0)

const decodeKey = (text: string): Uint8Array | null => {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 ? bytes : null
}

/**
 * Either the configuration or all of its faults. `doubts` are settings that do not keep the bot from starting, but
 * are probably wrong.
 */
export type ReadConfig = ({ config: Config } | { faults: ConfigFault[] }) & { doubts: ConfigFault[] }

/**
 * Reads the environment (contract: “Environment of `npm start`”). An empty variable counts as missing. The value of
 * a secret may be in a file, which `<NAME>_FILE` names.
 */
export const readConfig = (
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ReadConfig => {
  const faults: ConfigFault[] = []
  const values = present(environment)
  const given = Object.keys(values)
  for (const name of secretNames) {
    const fault = readSecretFile(values, name, readFile)
    if (fault) faults.push(fault)
  }

  const parsed = schema.safeParse(values)
  for (const issue of parsed.error?.issues ?? []) {
    const variable = String(issue.path[0])
    if (faults.some((fault) => fault.variable.startsWith(variable))) continue
    faults.push({ variable, problem: issue.message, example: examples[variable] ?? '' })
  }
  faults.push(...contradictions(values))
  const unset = faults.filter(({ problem }) => problem === isMissing).map(({ variable }) => variable)
  const misspelt = misspellings(given, settingNames, unset)
  const named = faults.map((fault) => withMisspelling(fault, misspelt))
  const others = misspelt.filter(({ meant }) => !unset.some((name) => isFor(meant, name)))
  const doubts = [...others.map(misspeltDoubt), ...addressDoubts(values)]
  if (faults.length > 0 || !parsed.success) return { faults: named, doubts }
  return { config: toConfig(parsed.data), doubts }
}

/** Whether a setting is this variable or the `_FILE` that stands for it. */
const isFor = (setting: string, variable: string): boolean =>
  setting === variable || setting === `${variable}_FILE`

const withMisspelling = (fault: ConfigFault, misspelt: readonly Misspelling[]): ConfigFault => {
  const found = misspelt.find(({ meant }) => isFor(meant, fault.variable))
  if (fault.problem !== isMissing || !found) return fault
  return { ...fault, problem: `is missing (${found.given} is set: rename it to ${found.meant})` }
}

const misspeltDoubt = ({ given, meant }: Misspelling): ConfigFault => ({
  variable: given,
  problem: `is not a setting, but ${meant} is`,
  example: examples[meant] ?? `${meant}=/run/secrets/${meant.replace(/_FILE$/, '').toLowerCase()}`,
})

/** Warns if the API's address does not end with the API's version (API §1), which people easily forget. */
const addressDoubts = ({ BUNDLE_API_URL: url = '' }: Environment): ConfigFault[] =>
  schema.shape.BUNDLE_API_URL.safeParse(url).success && !/\/api\/v\d+\/*$/.test(url)
    ? [
        {
          variable: 'BUNDLE_API_URL',
          problem: 'does not end in /api/v1 as the provider’s addresses do',
          example: examples.BUNDLE_API_URL ?? '',
        },
      ]
    : []

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error'

/** Checks rules about several variables. A variable that has a fault already is not reported again. */
const contradictions = (values: Environment): ConfigFault[] => {
  const fault = (variable: string, problem: string): ConfigFault => ({
    variable,
    problem,
    example: examples[variable] ?? '',
  })
  const url = schema.shape.BUNDLE_API_URL.safeParse(values.BUNDLE_API_URL).data
  const port = schema.shape.PORT.safeParse(values.PORT).data
  const metricsPort = schema.shape.METRICS_PORT.safeParse(values.METRICS_PORT).data
  const isPlain = url?.startsWith('http:') && !isLoopback(url)
  return [
    ...(values.TELEGRAM_UPDATES === 'webhook' && !values.PUBLIC_URL
      ? [fault('PUBLIC_URL', 'is missing, and TELEGRAM_UPDATES=webhook needs it')]
      : []),
    ...(isPlain && values.ALLOW_PLAIN_HTTP === undefined
      ? [
          fault(
            'BUNDLE_API_URL',
            'is not https://, so anybody on the way could read the wallets’ credentials (ALLOW_PLAIN_HTTP=yes allows it)',
          ),
        ]
      : []),
    ...(metricsPort !== undefined && metricsPort === port
      ? [fault('METRICS_PORT', 'is the same as PORT, but needs its own')]
      : []),
  ]
}

/**
 * Whether the address is on this machine. It needs no TLS, because nobody else can read traffic within the machine.
 */
const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(URL.parse(url)?.hostname ?? '')

type Alone = 'DATABASE_URL' | 'CREDENTIALS_KEY'

const readAlone = <Name extends Alone>(
  variable: Name,
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): { value: z.output<(typeof schema.shape)[Name]> } | { faults: ConfigFault[] } => {
  const values = present(environment)
  const unreadable = readSecretFile(values, variable, readFile)
  if (unreadable) return { faults: [unreadable] }
  const parsed = z
    .object({ value: schema.shape[variable] as z.ZodType })
    .safeParse({ value: values[variable] })
  if (parsed.success) return { value: parsed.data.value as z.output<(typeof schema.shape)[Name]> }
  const [issue] = parsed.error.issues
  return { faults: [{ variable, problem: issue?.message ?? '', example: examples[variable] ?? '' }] }
}

export const readDatabaseUrl = (environment: Environment, readFile?: (path: string) => string) => {
  const read = readAlone('DATABASE_URL', environment, readFile)
  return 'faults' in read ? read : { databaseUrl: read.value }
}

/** The keys, the current one first. */
export const readCredentialsKeys = (environment: Environment, readFile?: (path: string) => string) => {
  const read = readAlone('CREDENTIALS_KEY', environment, readFile)
  return 'faults' in read ? read : { credentialsKeys: read.value }
}

export const isMissingSetting = ({ problem }: ConfigFault): boolean => problem.startsWith(isMissing)

/** Words such as `PORT: is not a whole number, for example PORT=8080`. */
export const faultLine = ({ variable, problem, example }: ConfigFault): string =>
  `${variable}: ${problem}, for example ${example}`

const present = (environment: Environment): Environment => {
  const entries = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const)
  const values: Environment = Object.fromEntries(entries.filter(([, value]) => value))
  // The names of proxy variables are often written in lower case. If both are set, lower case wins.
  for (const name of proxyNames) {
    const small = values[name.toLowerCase()]
    if (small) values[name] = small
  }
  return values
}

const readSecretFile = (
  values: Environment,
  name: (typeof secretNames)[number],
  readFile: (path: string) => string,
): ConfigFault | null => {
  const variable = `${name}_FILE`
  const path = values[variable]
  if (!path) return null
  const example = `${variable}=/run/secrets/${name.toLowerCase()}`
  if (values[name]) return { variable, problem: `is set, and so is ${name}: set only one of them`, example }
  try {
    values[name] = readFile(path).trim()
  } catch (error) {
    return { variable, problem: `names a file that cannot be read (${codeOf(error)})`, example }
  }
  return values[name] ? null : { variable, problem: 'names an empty file', example }
}

const toConfig = (values: z.output<typeof schema>): Config => ({
  telegram: {
    token: values.TELEGRAM_BOT_TOKEN,
    apiRoot: values.TELEGRAM_API_ROOT,
    updates: values.TELEGRAM_UPDATES,
  },
  provider: { baseUrl: values.BUNDLE_API_URL },
  proxies: { https: values.HTTPS_PROXY ?? null, http: values.HTTP_PROXY ?? null, except: values.NO_PROXY },
  credentialsKeys: values.CREDENTIALS_KEY,
  databaseUrl: values.DATABASE_URL,
  publicUrl: values.PUBLIC_URL ?? null,
  host: values.HOST,
  port: values.PORT,
  ownerIds: values.OWNER_IDS,
  access: values.ACCESS,
  metricsToken: values.METRICS_TOKEN ?? null,
  metricsPort: values.METRICS_PORT ?? null,
  retentionDays: values.RETENTION_DAYS,
  logLevel: values.LOG_LEVEL,
})

/** The secrets in the configuration, which must never be printed, in every form in which they may appear. */
export const secretsOf = (config: Config): string[] => {
  const { telegram, metricsToken, credentialsKeys, databaseUrl, proxies } = config
  const keys = credentialsKeys.map((key) => Buffer.from(key).toString('base64'))
  const all = [telegram.token, metricsToken ?? '', ...keys.flatMap((key) => [key, key.replace(/=$/, '')])]
  const addresses = [databaseUrl, proxies.https ?? '', proxies.http ?? '']
  return [...all, ...addresses.flatMap(passwordsIn)].filter(Boolean)
}

/** A shorter password is redacted only as part of its address, because alone it would match harmless words. */
const minPasswordLength = 8

const passwordsIn = (databaseUrl: string): string[] => {
  const [userinfo = ''] = /(?<=:\/\/)[^/]*(?=@)/.exec(databaseUrl) ?? []
  const password = userinfo.slice(userinfo.indexOf(':') + 1)
  if (!userinfo.includes(':')) return []
  const forms = [password, decoded(password)].filter((form) => form.length >= minPasswordLength)
  return [databaseUrl, `${userinfo}@`, ...forms]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
