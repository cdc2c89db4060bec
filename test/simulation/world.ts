import type { createCredentialCheck } from '../../src/accounts/credential-check.ts'
import type { pair } from '../../src/domain/debits/pairing.ts'
import { readList } from '../../src/lists/read-list.ts'
import type { Admission } from '../../src/messaging/admission.ts'
import type { createLease } from '../../src/messaging/leader-lease.ts'
import type { Prices } from '../../src/orders/buying/prices.ts'
import type { Provider } from '../../src/provider/index.ts'
import type { Queries, Store } from '../../src/store/store.ts'
import type { readEntries } from '../../src/wallets/wallet-reading.ts'
import { emptyDatabase } from './bot/database.ts'
import { DueTimes } from './bot/due-times.ts'
import { rememberAll } from './bot/list-readings.ts'
import { Tables } from './bot/tables.ts'
import { calm, drawAhead, drawDoubts, drawInstances, drawWeather, type Weather } from './outside/weather.ts'
import { Random } from './random.ts'
import { type Owner, Timeline } from './timeline.ts'

/** A change that removes one safeguard from the bot, to see whether the simulation notices. */
export interface Mutation {
  queries?: (queries: Queries) => Queries
  /** Replaces queries outside transactions. */
  outside?: (queries: Queries) => Queries
  /** Replaces the lease of each process. */
  lease?: (options: LeaseOptions) => LeaseOptions
  /** Every process does the rounds, whether or not it holds the lease. */
  everyoneLeads?: boolean
  /** Rounds begin only when they are woken, and not at intervals. */
  onlyWoken?: boolean
  provider?: (provider: Provider) => Provider
  /** Replaces the rules that admit updates. */
  admission?: (admission: Admission) => Admission
  /** Replaces the rules that pair debits with orders. */
  pairing?: typeof pair
  /** Replaces the reads of a wallet. */
  reading?: typeof readEntries
  /** Replaces the rules that decide which wallet a typed key belongs to. */
  sameness?: Pick<Parameters<typeof createCredentialCheck>[0], 'judgeRead' | 'judgeNamed'>
  /** Replaces the prices at which orders are drafted and sent. */
  prices?: (prices: Prices) => Prices
  /** The weather in which the missing safeguard is most visible. */
  weather?: (weather: Weather) => Weather
  /** The first seed that notices the missing safeguard. */
  seed?: number
  /** The number of purchases, if more than usual are needed. */
  purchases?: number
}

export type LeaseOptions = Parameters<typeof createLease>[0]

/** The state that all parts of a run share. */
export class World {
  readonly random: Random
  readonly timeline: Timeline
  readonly store: Store
  readonly tables: Tables
  readonly due: DueTimes
  readonly mutation: Mutation
  /** The owner of events outside the bot: the provider, Telegram and people, who never die. */
  readonly outside: Owner = { alive: true, resumesAtMs: 0 }
  readonly trace: string[] | null
  readonly startMs = Date.UTC(2026, 0, 5, 8)
  readonly readList = rememberAll(readList)
  weather: Weather
  /** How far the machine's wall clock is ahead. */
  aheadMs: number
  /** Until this time, the database does not answer. */
  databaseBackAtMs = 0
  /** Until this time, the database refuses writes. */
  diskFreeAtMs = 0
  /**
   * The last leader found nothing to do until this time. Nobody takes the lease before then, unless something is
   * written (`version` changes).
   */
  rest = { version: -1, untilMs: 0 }
  /** When a process died, was suspended or resumed, and when the database did not answer or took no changes. */
  readonly interruptionsMs: number[] = []
  /** Whether only the judge decides. The run then continues although the watch has seen a broken promise. */
  readonly judgedAlone: boolean
  /** The first broken promise, if it ends the run. */
  broken: string | null = null
  /** The first broken promise that the watch has reported. */
  watched: string | null = null
  #ids = 0

  constructor(options: {
    seed: number
    mutation: Mutation
    traced: boolean
    instances: number | null
    judgedAlone: boolean
  }) {
    this.judgedAlone = options.judgedAlone
    this.random = new Random(options.seed)
    this.timeline = new Timeline(this.startMs, this.random)
    this.mutation = options.mutation
    const instances = drawInstances(new Random(options.seed + 2_000_003), options.instances)
    const doubts = drawDoubts(new Random(options.seed + 4_000_037))
    const ahead = drawAhead(new Random(options.seed + 6_000_101))
    const weather = drawWeather(this.random, instances, doubts, ahead)
    this.weather = options.mutation.weather?.(weather) ?? weather
    this.aheadMs = this.hasInstances ? 0 : this.weather.ahead.ms
    const { driver, store } = emptyDatabase()
    this.tables = new Tables(driver)
    this.store = awaitedBy(this.timeline, store, () => this.tables.refresh())
    this.due = new DueTimes(this.tables)
    this.trace = options.traced ? [] : null
  }

  get nowMs(): number {
    return this.timeline.nowMs
  }

  now = (): Date => new Date(this.timeline.nowMs)

  newId = (): string => `id${String(++this.#ids).padStart(20, '0')}`

  sleep(ms: number): Promise<void> {
    return this.timeline.sleep(ms, this.outside)
  }

  after(ms: number, run: () => void): void {
    this.timeline.at(this.nowMs + ms, this.outside, run)
  }

  interrupted(atMs = this.nowMs): void {
    this.interruptionsMs.push(atMs)
  }

  say(who: string, what: () => string): void {
    if (!this.trace) return
    const seconds = ((this.nowMs - this.startMs) / 1000).toFixed(3)
    this.trace.push(`${seconds.padStart(12)}  ${who.padEnd(9)} ${what()}`)
  }

  breaks(promise: string): void {
    this.say('BROKEN', () => promise)
    this.watched ??= promise
    if (!this.judgedAlone) this.broken ??= promise
  }

  get isDatabaseDown(): boolean {
    return this.databaseBackAtMs > this.nowMs
  }

  get isDiskFull(): boolean {
    return this.diskFreeAtMs > this.nowMs
  }

  /** Whether several processes share the work. */
  get hasInstances(): boolean {
    return this.weather.instances.count > 1
  }

  endFaults(): void {
    this.say('weather', () => 'the faults have ended')
    this.databaseBackAtMs = 0
    this.diskFreeAtMs = 0
    this.weather = calm(this.weather)
  }
}

/**
 * A store whose queries stop the virtual clock until they are answered. So a query takes no virtual time, however long
 * it really takes.
 */
const awaitedBy = (timeline: Timeline, store: Store, onAnswer: () => void): Store => {
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = timeline.holds()
    try {
      return await work()
    } finally {
      onAnswer()
      done()
    }
  }
  const { clock, transaction, ...queries } = store
  const topics = Object.entries(queries).map(([topic, each]) => [
    topic,
    Object.fromEntries(
      Object.entries(each).map(([name, query]: [string, (...values: unknown[]) => Promise<unknown>]) => [
        name,
        (...values: unknown[]) => during(() => query(...values)),
      ]),
    ),
  ])
  return {
    ...(Object.fromEntries(topics) as typeof queries),
    clock,
    transaction: (work, options) => during(() => transaction(work, options)),
  }
}
