import { commandLine } from '../base/installation.ts'
import type { Config, readConfig } from '../start/config.ts'
import { proxyFor, proxyHost } from '../start/proxies.ts'
import { createKeyring } from '../wallets/credentials/keyring.ts'
import { examineListener, examinePublicAddress, findListener } from './address.ts'
import { examineClock, readClock } from './clock-check.ts'
import { examineConfiguration, type Surroundings } from './configuration.ts'
import { databaseClock, examineDatabase, type Inspected, inspect } from './database-check.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { examineInstances } from './instances.ts'
import { askProvider, examineProvider } from './provider-check.ts'
import { askTelegram, examineTelegram } from './telegram.ts'

/**
 * Checks everything that the bot needs, and changes nothing. All checks run, even if some fail, and each has a time
 * limit.
 */
export const examine = async (
  read: ReturnType<typeof readConfig>,
  surroundings: Surroundings,
): Promise<Finding[]> => {
  const configuration = examineConfiguration(read, surroundings)
  if ('faults' in read) return [...configuration, notYet]
  return [...configuration, ...(await examineAround(read.config))]
}

const notYet = warn(
  'everything else',
  'could not be checked',
  `Fix the settings, then run ${commandLine('doctor')} again`,
)

const examineAround = async (config: Config): Promise<Finding[]> => {
  const keyring = createKeyring(config.credentialsKeys)
  const [telegram, provider, listener, inspected] = await Promise.all([
    askTelegram(config),
    askProvider(config),
    findListener(config, keyring),
    inspect(config.databaseUrl),
  ])
  const isRunning = listener.kind === 'bot'
  const clocks = [
    ...readClock('Telegram', telegram.me),
    ...readClock('the provider', provider),
    ...databaseClock(inspected),
  ]
  return [
    ...(await guarded('database', () => examineDatabase(inspected, keyring))),
    ...(await guarded('instances', () => examineInstances(inspected, isRunning, timeOf(inspected)))),
    ...examineProxies(config),
    ...(await guarded('Telegram', () => examineTelegram(config, telegram, isRunning))),
    ...(await guarded('provider', () => [examineProvider(config.provider, provider)])),
    ...(await guarded('clock', () => [examineClock(clocks)])),
    ...(await guarded('HTTP server', () => [examineListener(config, listener)])),
    ...(await guarded('public address', () => examinePublicAddress(config, keyring, listener))),
  ]
}

/** If a proxy is set, reports which of Telegram and the provider are asked through it. */
const examineProxies = ({ proxies, telegram, provider }: Config): Finding[] => {
  if (proxies.https === null && proxies.http === null) return []
  const way = (who: string, address: string) => {
    const proxy = proxyFor(proxies, address)
    return `${who} ${proxy === null ? 'directly' : `through ${proxyHost(proxy)}`}`
  }
  const both = [way('Telegram', telegram.apiRoot), way('the provider', provider.baseUrl)]
  return [ok('proxy', `the bot reaches ${both.join(' and ')} (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)`)]
}

/** The current time by the database's clock, because leases end by that clock. */
const timeOf = ({ engine }: Inspected): Date =>
  engine !== null && engine !== 'unreadable' && engine.kind === 'postgresql' ? engine.clock.at : new Date()

/**
 * Turns an unexpected error into a finding. Shows only the error's name, because its message may contain a secret.
 */
const guarded = async (what: string, work: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await work()
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error
    return [fail(what, `could not be checked (${name})`, 'Please report this, with the output')]
  }
}
