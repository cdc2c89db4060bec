import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../src/commands/sandbox/port.ts'
import { createProvider, createTelegram } from '../../src/sandbox/index.ts'
import { readDatabase } from '../judge/database.ts'
import { judge as judgeEvidence, table } from '../judge/judge.ts'
import { Random } from '../simulation/random.ts'
import { asRead } from '../support/as-read.ts'
import { startBalancer } from '../support/network/balancer.ts'
import { openDistance } from '../support/network/distance.ts'
import { startHavoc } from './havoc.ts'
import { createInstance } from './instance.ts'
import { startPostgres } from './postgres-server.ts'
import { connect, startCrowd } from './shoppers.ts'
import { comesToRest, judge } from './verdict.ts'

const help = `npm run torture -- [options]

Runs several instances of the bot on one PostgreSQL server, behind a load balancer, with a simulated Telegram
and a simulated provider that enforce the real limits. People order all the time. At random, an instance is
killed (SIGKILL) or suspended beyond its leases (SIGSTOP), the database server restarts or crashes,
connections to it are cut or go silent without closing, and the provider loses answers, hangs and calls back
late.
Then everything is repaired, the bot finishes its work, and the provider's ledger is compared with the chats:
nobody was charged twice or without a confirmation, every outcome was reported, no limit was exceeded. The
judge checks the run too (npm run judge).

  --minutes N       how long the disturbances last (10)
  --instances N     how many instances run (3)
  --people N        how many people order (24)
  --updates MODE    webhook or polling (webhook)
  --rtt MS          round-trip time to the database (1)
  --database URL    an empty PostgreSQL database; without it, a server is started here with Debian's programs,
                    and also restarted during the run
  --seed N          seed of the random choices (default: random; it is printed)
  --keep            keep the instances' logs, and print where they are
  --verbose         print each disturbance
  --help            show this text

Ends at most 8 minutes after the disturbances. Exits with 1 if a promise was broken.`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    instances: { type: 'string', default: '3' },
    people: { type: 'string', default: '24' },
    updates: { type: 'string', default: 'webhook' },
    rtt: { type: 'string', default: '1' },
    database: { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Longer than the bot should need to recover and finish everything. */
const restMs = 7 * 60_000

/**
 * Each order takes at least three requests, and polling stops once a key has used six tenths of its 500 requests an
 * hour (API §8). With more orders on a key, an order whose callback is lost would be polled only after the run.
 */
const mostOrdersOfOne = 75

/** How long a person waits between two orders, ms. */
const pauseFor = (minutes: number): { least: number; most: number } => {
  const meanMs = Math.max(4_750, (minutes * 60_000) / mostOrdersOfOne)
  return { least: meanMs / 3, most: (meanMs * 5) / 3 }
}

const torture = async (): Promise<boolean> => {
  const seed = Number(values.seed ?? randomBytes(3).readUIntBE(0, 3))
  const random = new Random(seed)
  const minutes = Number(values.minutes)
  const startedMs = Date.now()
  const say = (line: string): void => {
    if (values.verbose) print(`${((Date.now() - startedMs) / 1000).toFixed(1)} s  ${line}`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-torture-'))
  const server = values.database === undefined ? await startPostgres(await freePort()) : null
  const databaseUrl = values.database ?? server?.url
  if (databaseUrl === undefined) {
    process.stderr.write(
      'PostgreSQL is not installed here, so no server can be started. Name a database with --database.\n',
    )
    return false
  }
  const distance = await openDistance(databaseUrl, Number(values.rtt))
  const telegram = asRead(await createTelegram())
  const provider = await createProvider({
    settings: { deliverAfterMs: 4_000, callbackDelayMs: 50 },
  })
  const ports = await Promise.all(Array.from({ length: Number(values.instances) }, freePort))
  const balancer = await startBalancer(ports.map((port) => `http://127.0.0.1:${port}`))
  const key = randomBytes(32).toString('base64')
  const instances = ports.map((port, index) =>
    createInstance(
      `instance ${index + 1}`,
      {
        PATH: process.env.PATH ?? '',
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.url,
        TELEGRAM_UPDATES: values.updates,
        BUNDLE_API_URL: provider.url,
        CREDENTIALS_KEY: key,
        DATABASE_URL: distance.url,
        PUBLIC_URL: balancer.url,
        PORT: String(port),
        LOG_LEVEL: 'debug',
      },
      join(folder, `${index + 1}.log`),
    ),
  )
  let tidied: Promise<void> | null = null
  const tidy = (): Promise<void> => (tidied ??= tidyUp())
  const tidyUp = async (): Promise<void> => {
    await Promise.all(instances.map((each) => each.kill()))
    await Promise.all([distance.close(), balancer.close(), telegram.stop(), provider.stop()])
    await server?.close()
    if (values.keep) print(`logs: ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
  // Suspended instances, and the server, would otherwise remain.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void tidy().finally(() => process.exit(1)))
  try {
    await Promise.all(instances.map((each) => each.start()))
    print(
      `seed ${seed}: ${instances.length} instances, ${values.people} people, ${minutes} minutes, ` +
        `${values.updates}, ${values.rtt} ms from the database`,
    )
    const shoppers = await Promise.all(
      Array.from({ length: Number(values.people) }, () => connect(telegram, provider)),
    )
    const crowd = startCrowd(telegram, shoppers, random, pauseFor(minutes), say)
    const havoc = startHavoc({ instances, provider, databaseUrl, distance, server }, random, say)
    await wait(minutes * 60_000)
    await havoc.stop()
    print(
      `disturbances: ${Object.entries(havoc.deeds)
        .map(([name, count]) => `${count} × ${name}`)
        .join(', ')}`,
    )
    await crowd.stop()
    const left = await comesToRest(databaseUrl, restMs)
    const verdict = judge(telegram, provider, crowd.purchases)
    const broken = [...verdict.broken]
    const verdicts = judgeEvidence({
      database: await readDatabase(databaseUrl),
      ledger: provider.ledger(),
      telegram: { ...telegram.history(), interruptionsMs: [...havoc.interruptionsMs] },
    })
    print(table(verdicts))
    for (const { promise, breaches } of verdicts)
      if (breaches.length > 0) broken.push(`the judge found a breach of “${promise}”`)
    if (left !== null) broken.push(`some work was not finished in time: ${left}`)
    const floods = telegram.calls().filter(({ errorCode }) => errorCode === 429).length
    const refused = provider.requests().filter(({ status }) => status === 429).length
    if (floods > 0) broken.push(`Telegram's limits were exceeded ${floods} times`)
    if (refused > 0) broken.push(`the provider's limits were exceeded ${refused} times`)
    const log = (
      await Promise.all(ports.map((_, index) => readFile(join(folder, `${index + 1}.log`), 'utf8')))
    ).join('')
    const fatal = log.split('\n').filter((line) => line.includes('"level":"fatal"'))
    if (fatal.length > 0)
      broken.push(`instances crashed by themselves ${fatal.length} times, the first time with ${fatal[0]}`)
    const secrets = shoppers.flatMap(({ account }) => [account.apiKey, account.apiSecret])
    const leaks = [...secrets, telegram.token, key].filter((secret) => log.includes(secret))
    const phones = crowd.purchases.filter(({ phone }) => log.includes(phone))
    if (leaks.length + phones.length > 0)
      broken.push(`${leaks.length} secrets and ${phones.length} phone numbers are in the logs`)
    print(
      `${crowd.purchases.length} orders requested, ${verdict.confirmed} confirmed, ${verdict.debits} debits, ` +
        `${verdict.notPlaced} not placed, ${verdict.repeated} outcomes reported more than once, ` +
        `${crowd.impatient()} requests not answered in time, ` +
        `${telegram.calls().length} calls to Telegram, ${provider.requests().length} to the provider`,
    )
    for (const sentence of broken) print(`BROKEN: ${sentence}`)
    print(broken.length === 0 ? 'All promises were kept.' : `Broken promises: ${broken.length}`)
    return broken.length === 0
  } finally {
    await tidy()
  }
}

/** @returns a sentence about what is wrong with the options; null if they are right. */
const mistake = (): string | null => {
  const numbers = {
    minutes: values.minutes,
    instances: values.instances,
    people: values.people,
    rtt: values.rtt,
  }
  for (const [name, text] of Object.entries({ ...numbers, seed: values.seed ?? '1' })) {
    if (!(Number(text) > 0)) return `--${name} must be a number above 0, not ${text}`
  }
  return ['webhook', 'polling'].includes(values.updates) ? null : '--updates must be webhook or polling'
}

const wrong = mistake()
if (values.help) print(help)
else if (wrong !== null) {
  process.stderr.write(`${wrong}\n`)
  process.exitCode = 2
} else if (!(await torture())) process.exitCode = 1
