import { get } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { readPostgresUrl } from '../../src/database/postgres-url.ts'
import { openDistance } from '../support/distance.ts'
import { audit, createBuyers, type Purchase } from './buyers.ts'
import { limitCores } from './core-share.ts'
import type { Spent } from './counted-bot.ts'
import { type Crew, type Formation, server, withCrew } from './crew.ts'
import { type Figure, median, percentile } from './figure.ts'
import { openRaw } from './fill.ts'
import type { BenchOptions } from './options.ts'
import { serverCpuMs } from './server-time.ts'
import { linesOf, type Sheet } from './sheet.ts'
import type { Stage } from './stage.ts'

/** What a bench of purchases lets one choose. */
type PurchasesOptions = Pick<BenchOptions, 'rttsMs' | 'instances' | 'seconds' | 'people' | 'cores'>

const steadyPerSecond = 4
/** What has just started compiles its code first. */
const warmUpSeconds = 2
/** The same for each instance that then gets a part of a core: with that alone it would compile for minutes. */
const warmUpSecondsOfPart = 10
/** What is sent in this time, while nobody does anything, are looks: each loop has come by. */
const idleMs = 16_000
/** After the last message of a purchase there is still something to write. */
const restMs = 500
/** From the provider's order to its delivery. */
const deliverAfterMs = 500

const columns: Sheet['columns'] = [
  ['SELECT 1', 'ms'],
  ['purchases', '/s'],
  ['press → POST p50', 'ms'],
  ['p95', 'ms'],
  ['callback → chat p50', 'ms'],
  ['p95', 'ms'],
  ['messages', 'each'],
  ['processor, bot', 'ms each'],
  ['busy', '% of its cores'],
  ['server', 'ms each'],
  ['busy', '% of a core'],
  ['stored', 'kB each'],
  ['statements', 'each'],
  ['and looks', 'each'],
  ['transactions', 'each'],
  ['locked trips', 'each'],
  ['locks asked → had p50', 'ms'],
  ['p95', 'ms'],
]

/** The rates of purchases as fast as they can, by round trip and instances. */
interface Rate {
  rttMs: number
  instances: number
  perSecond: number
}

/**
 * People buy, steadily and as fast as they can, from instances that are processes of their own, near to their
 * PostgreSQL and far from it. The provider answers at once, and Telegram has no limits. The books are audited.
 */
export const purchases = async (options: PurchasesOptions): Promise<Sheet & { figures: Figure[] }> => {
  const { cores } = options
  const rows: Sheet['rows'] = []
  const rates: Rate[] = []
  const measure = async (formation: Formation, rttMs: number): Promise<void> => {
    const name = nameOf(formation, rttMs)
    process.stderr.write(`  ${name} …\n`)
    const measured = await withCrew(formation, (crew) => inBothWays(crew, options), {
      path: 'test/bench/counted-bot.ts',
      settings: { deliverAfterMs, callbackDelayMs: 0 },
      env: ({ folder }, index) => ({ TRAFFIC_SOCKET: socketOf(folder, index) }),
      ...(rttMs > 0 && { reach: (url: string) => openDistance(url, rttMs) }),
    })
    const own = Object.entries(measured).map(([way, cells]) => ({ name: `${name}, ${way}`, cells }))
    process.stderr.write(`${linesOf({ columns, rows: own })}\n`)
    rows.push(...own)
    const perSecond = measured[asFast]?.[columns.findIndex(([column]) => column === 'purchases')] ?? 0
    if (formation !== 'SQLite') rates.push({ rttMs, instances: formation, perSecond })
  }
  if (cores === null) await measure('SQLite', 0)
  if (server === undefined) process.stderr.write('  TEST_DATABASE_URL names no PostgreSQL: left out\n')
  else for (const rttMs of options.rttsMs) for (const count of options.instances) await measure(count, rttMs)
  return { columns, rows, figures: cores === null ? [] : scaling(rates, cores) }
}

const asFast = 'as fast as they can'

/** What more instances gain, each with a part of a core of its own. */
const scaling = (rates: readonly Rate[], cores: number): Figure[] =>
  rates.flatMap(({ rttMs, instances, perSecond }) => {
    const one = rates.find((other) => other.rttMs === rttMs && other.instances === 1)
    if (instances === 1 || !one) return []
    return [
      {
        what: `purchases ${asFast}, ${rttMs} ms away, ${instances} instances with ${cores} of a core each`,
        unit: 'per second',
        ...{ bot: perSecond, baseline: one.perSecond, against: 'one instance' },
        goal: rttMs === 5 && instances === 2 ? { ratioAbove: 1.6 } : null,
      },
    ]
  })

const nameOf = (formation: Formation, rttMs: number): string => {
  if (formation === 'SQLite') return formation
  return `${rttMs} ms away, ${formation} ${formation === 1 ? 'instance' : 'instances'}`
}

const inBothWays = async (
  crew: Crew,
  { people, seconds, cores }: PurchasesOptions,
): Promise<Record<string, (number | null)[]>> => {
  const { stage, programs } = crew
  const times = watchProvider(stage)
  const buyers = await createBuyers(stage, people)
  await wait(restMs)
  const warmUp = await buyers.asFastAsTheyCan(
    cores === null ? warmUpSeconds : warmUpSecondsOfPart * programs.length,
  )
  if (cores !== null) for (const { pid } of programs) limitCores(pid, cores)
  await wait(restMs)
  await spentBy(crew)
  await wait(idleMs)
  await spentBy(crew, '/idle')
  const roundTripMs = await roundTrip(crew)
  const during = async (buy: () => Promise<Purchase[]>) => {
    await wait(restMs)
    await spentBy(crew)
    const calls = stage.telegram.calls().length
    const [serverMs, stored] = [serverCpuMs(), await storedBytes(crew)]
    const bought = await buy()
    await wait(restMs)
    const spent = await spentBy(crew)
    const all = {
      ...spent,
      cores: programs.length * (cores ?? 1),
      messages: stage.telegram.calls().slice(calls).filter(isMessage).length,
      serverMs: crew.databaseUrl === null ? null : serverCpuMs() - serverMs,
      storedKb: ((await storedBytes(crew)) - stored) / 1_000,
    }
    return { bought, cells: [roundTripMs, ...cellsOf(stage, bought, times, all)] }
  }
  const steady = await during(() => buyers.steadily(steadyPerSecond, seconds))
  const fast = await during(() => buyers.asFastAsTheyCan(seconds))
  buyers.close()
  audit(stage, [...warmUp, ...steady.bought, ...fast.bought])
  return { [`${steadyPerSecond} a second`]: steady.cells, [asFast]: fast.cells }
}

/** How long the simplest statement takes by the way of the instances; the middle one of some. */
const roundTrip = async ({ databaseUrl }: Crew): Promise<number | null> => {
  if (databaseUrl === null) return null
  const client = new pg.Client({ connectionString: readPostgresUrl(databaseUrl).connectionString })
  await client.connect()
  const tookMs: number[] = []
  while (tookMs.length < 51) {
    const startedMs = performance.now()
    await client.query('SELECT 1')
    tookMs.push(performance.now() - startedMs)
  }
  await client.end()
  return median(tookMs)
}

/** How large the database is, without what is free in it. */
const storedBytes = async ({ stage, databaseUrl }: Crew): Promise<number> => {
  if (databaseUrl === null) {
    const database = openRaw(stage.databasePath)
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
      Number(database.prepare(`PRAGMA ${name}`).get()?.[name]),
    )
    database.close()
    return ((pages ?? 0) - (free ?? 0)) * (size ?? 0)
  }
  const { connectionString, schema } = readPostgresUrl(databaseUrl)
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = $1::regnamespace`,
    [schema],
  )
  await client.end()
  return Number(rows[0]?.bytes)
}

const isMessage = ({ method }: { method: string }): boolean => /^(send(?!ChatAction)|edit)/.test(method)

interface ProviderTimes {
  postedMs: number
  deliveredMs: number
}

/** When the provider took each order, and when its callback left, by reference. */
const watchProvider = ({ provider }: Stage): Map<string, ProviderTimes> => {
  const times = new Map<string, ProviderTimes>()
  provider.on(({ kind, reference }) => {
    if (kind !== 'order' || reference === undefined) return
    const known = times.get(reference)
    if (known) known.deliveredMs = performance.now()
    else times.set(reference, { postedMs: performance.now(), deliveredMs: 0 })
  })
  return times
}

interface AllSpent extends Spent {
  /** How many cores all instances together may use. */
  cores: number
  messages: number
  serverMs: number | null
  storedKb: number
}

const cellsOf = (
  { provider }: Stage,
  bought: readonly Purchase[],
  times: ReadonlyMap<string, ProviderTimes>,
  spent: AllSpent,
): (number | null)[] => {
  const references = new Map(provider.orders().map(({ phones, reference }) => [phones[0]?.phone, reference]))
  const timed = bought.map((purchase) => {
    const ofProvider = times.get(references.get(purchase.phone) ?? '')
    if (!ofProvider) throw new Error('The provider has no order for a purchase.')
    return { ...purchase, ofProvider }
  })
  const toPost = timed.map(({ pressedMs, ofProvider }) => ofProvider.postedMs - pressedMs)
  const toChat = timed.map(({ deliveredMs, ofProvider }) => deliveredMs - ofProvider.deliveredMs)
  const startedMs = Math.min(...bought.map(({ askedMs }) => askedMs))
  const tookMs = Math.max(...bought.map(({ shownMs }) => shownMs)) - startedMs
  const allTookMs = Math.max(...bought.map(({ deliveredMs }) => deliveredMs)) - startedMs
  const each = (number: number): number => number / bought.length
  const { lockWaitsMs } = spent
  const ofServer =
    spent.statements + spent.looks === 0
      ? Array<null>(6).fill(null)
      : [
          each(spent.statements),
          each(spent.looks),
          each(spent.transactions),
          each(spent.roundTripsLocked),
          percentile(lockWaitsMs, 50),
          percentile(lockWaitsMs, 95),
        ]
  return [
    bought.length / (tookMs / 1_000),
    percentile(toPost, 50),
    percentile(toPost, 95),
    percentile(toChat, 50),
    percentile(toChat, 95),
    each(spent.messages),
    each(spent.cpuMs),
    (100 * spent.cpuMs) / (allTookMs * spent.cores),
    spent.serverMs === null ? null : each(spent.serverMs),
    spent.serverMs === null ? null : (100 * spent.serverMs) / allTookMs,
    each(spent.storedKb),
    ...ofServer,
  ]
}

const socketOf = (folder: string, index: number): string => join(folder, `traffic-${index}`)

/** What all instances spent since they were asked last. */
const spentBy = async ({ stage, programs }: Crew, path = '/'): Promise<Spent> => {
  const all = await Promise.all(programs.map((_, index) => ask(socketOf(stage.folder, index), path)))
  const sum = (of: (spent: Spent) => number): number => all.reduce((total, each) => total + of(each), 0)
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    statements: sum(({ statements }) => statements),
    looks: sum(({ looks }) => looks),
    transactions: sum(({ transactions }) => transactions),
    roundTrips: sum(({ roundTrips }) => roundTrips),
    roundTripsLocked: sum(({ roundTripsLocked }) => roundTripsLocked),
    lockWaitsMs: all.flatMap(({ lockWaitsMs }) => lockWaitsMs),
    texts: {},
  }
}

const ask = (socketPath: string, path: string): Promise<Spent> =>
  new Promise((resolve, reject) => {
    get({ socketPath, path }, (answer) => resolve(json(answer) as Promise<Spent>)).on('error', reject)
  })
