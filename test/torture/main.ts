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

Runs several instances of the bot on one PostgreSQL, behind a load balancer, between a simulated Telegram
and a simulated provider that keep the limits of the real ones. People order all the while. At random an
instance is killed (SIGKILL) or stands still beyond its leases (SIGSTOP), the database server is restarted in
order or by a crash, connections to it are cut, or swallow what is sent without ending, and the provider
loses answers, hangs and reports late.
Then everything is set right, comes to rest, and the provider's ledger is held against the chats: nobody was
charged twice or without a confirmation, every end was told, no limit was exceeded. The judge looks at it too
(npm run judge).

  --minutes N       how long (10)
  --instances N     how many (3)
  --people N        how many order (24)
  --updates MODE    webhook or polling (webhook)
  --rtt MS          how far away the database is (1)
  --database URL    an empty PostgreSQL to use; else one is started here, by Debian's programs, and restarted
                    too
  --seed N          what is drawn from (random; printed)
  --keep            leaves the logs of the instances where they are, and says where
  --verbose         prints each deed
  --help            this text

It ends at most 8 minutes after the minutes it was given, with 1 when a promise was broken.`

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
    process.stderr.write('There is no PostgreSQL to start here: name one with --database.\n')
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
      `done to them: ${Object.entries(havoc.deeds)
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
      if (breaches.length > 0) broken.push(`the judge says otherwise than that ${promise}`)
    if (left !== null) broken.push(`it did not come to rest: ${left}`)
    const floods = telegram.calls().filter(({ errorCode }) => errorCode === 429).length
    const refused = provider.requests().filter(({ status }) => status === 429).length
    if (floods > 0) broken.push(`Telegram's limits were exceeded ${floods} times`)
    if (refused > 0) broken.push(`the provider's limits were exceeded ${refused} times`)
    const log = (
      await Promise.all(ports.map((_, index) => readFile(join(folder, `${index + 1}.log`), 'utf8')))
    ).join('')
    const fatal = log.split('\n').filter((line) => line.includes('"level":"fatal"'))
    if (fatal.length > 0)
      broken.push(`${fatal.length} times an instance ended by a fault that nobody planned, first ${fatal[0]}`)
    const secrets = shoppers.flatMap(({ account }) => [account.apiKey, account.apiSecret])
    const leaks = [...secrets, telegram.token, key].filter((secret) => log.includes(secret))
    const phones = crowd.purchases.filter(({ phone }) => log.includes(phone))
    if (leaks.length + phones.length > 0)
      broken.push(`${leaks.length} secrets and ${phones.length} numbers are in the logs`)
    print(
      `${crowd.purchases.length} asked for, ${verdict.confirmed} confirmed, ${verdict.debits} debits, ` +
        `${verdict.notPlaced} came to nothing, ${verdict.repeated} ends told again, ${crowd.impatient()} not answered in time, ` +
        `${telegram.calls().length} calls of Telegram, ${provider.requests().length} of the provider`,
    )
    for (const sentence of broken) print(`BROKEN: ${sentence}`)
    print(broken.length === 0 ? 'nothing broken' : `${broken.length} broken`)
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
    if (!(Number(text) > 0)) return `--${name} takes a number above 0, not ${text}`
  }
  return ['webhook', 'polling'].includes(values.updates) ? null : '--updates takes webhook or polling'
}

const wrong = mistake()
if (values.help) print(help)
else if (wrong !== null) {
  process.stderr.write(`${wrong}\n`)
  process.exitCode = 2
} else if (!(await torture())) process.exitCode = 1
