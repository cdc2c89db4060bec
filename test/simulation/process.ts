import { type Logger, pino } from 'pino'
import { longestWindowMs } from '../../src/accounts/budget.ts'
import { createKeyring } from '../../src/accounts/keyring.ts'
import { createWallets, credentialPlace } from '../../src/accounts/wallets.ts'
import { readList } from '../../src/lists/list.ts'
import { createLists, type Lists } from '../../src/orders/lists.ts'
import { createPlacer } from '../../src/orders/placer.ts'
import { createPrices, type Prices } from '../../src/orders/prices.ts'
import { createPurchases, type Purchases } from '../../src/orders/purchases.ts'
import { createSettler, type Settler } from '../../src/orders/settler.ts'
import { createTracker, type Tracker } from '../../src/orders/tracker.ts'
import { createConnections, parseCallback } from '../../src/provider/index.ts'
import { createInbox, eventOf, type Inbox } from '../../src/relay/inbox.ts'
import type { Notice } from '../../src/relay/notice.ts'
import { createOutbox, type Delivery } from '../../src/relay/outbox.ts'
import { createPacer, telegramLimits } from '../../src/relay/pacer.ts'
import { oweSummaries } from '../../src/settings/daily-summary.ts'
import type { Queries, Store } from '../../src/store/store.ts'
import { createClient, type OnFirstByte } from './client.ts'
import { RoundLoop } from './round-loop.ts'
import type { Service } from './service.ts'
import type { Shown, Telegram } from './telegram.ts'
import type { Owner } from './timeline.ts'
import type { World } from './world.ts'

const keyring = createKeyring([Buffer.alloc(32, 7)])
const connections = createConnections()
const log: Logger = pino({ level: 'silent' })

/** Credentials as the simulated wallets know them: the key names the account. */
export const sealedOf = (accountId: string) => ({
  keyHash: keyring.lookupHashes(accountId)[0] ?? '',
  sealedKey: keyring.seal(accountId, credentialPlace(accountId, 'key')),
  sealedSecret: keyring.seal('secret', credentialPlace(accountId, 'secret')),
})

/** What people and the provider reach of a running bot. */
export interface Domain {
  purchases: Purchases
  lists: Lists
  prices: Prices
  tracker: Tracker
  settler: Settler
  inbox: Inbox
  store: Store
  /** Looks at what is owed to chats. */
  wakeOutbox: () => void
}

export interface Outside {
  service: Service
  telegram: Telegram
  onFirstByte: OnFirstByte
  /** No other process is alive. */
  isAlone: () => boolean
  /** How many processes were started so far. */
  starts: () => number
}

/** The database could not be written: full, or locked for too long. */
class DatabaseFault extends Error {
  override name = 'DatabaseFault'
}

/** A promise that nobody keeps: what a dead process waits for. */
const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** One life of the bot over the shared database: all that it knows besides is lost with it. */
export class BotProcess implements Owner {
  alive = true
  resumesAtMs = 0
  readonly domain: Domain
  readonly #world: World
  readonly #loops: RoundLoop[]
  readonly #startedAtMs: number
  readonly #died = Promise.withResolvers<'died'>()
  /** Told when it dies, and when it stands still. */
  onTrouble: () => void = () => {}
  #pausedMs = 0

  constructor(world: World, outside: Outside) {
    this.#world = world
    this.#startedAtMs = world.nowMs
    const { domain, loops } = build(world, this, outside)
    this.domain = domain
    this.#loops = loops
    for (const loop of loops) loop.wake()
  }

  /** A clock that nobody sets, and that stands while the process does. */
  monotonicMs = (): number => this.#world.nowMs - this.#startedAtMs - this.#pausedMs + 1_000_000

  get paused(): boolean {
    return this.resumesAtMs > this.#world.nowMs
  }

  kill(why: string): void {
    if (!this.alive) return
    this.#world.say('crash', () => why)
    this.alive = false
    this.#died.resolve('died')
    this.onTrouble()
  }

  /** Stands still, as a machine that is suspended does. */
  mayPause(probability: number): void {
    const { random } = this.#world
    if (!random.chance(probability) || this.paused) return
    const forMs = random.spread(2_000, 1_800_000)
    this.resumesAtMs = this.#world.nowMs + forMs
    this.#pausedMs += forMs
    this.#world.say('pause', () => `the process stands still for ${forMs} ms`)
    this.onTrouble()
  }

  /** One await: time passes, others act, and the process may not live to see its end. */
  async pass(what: string, ms: number, crash = this.#world.weather.crash.anywhere): Promise<void> {
    if (this.#world.random.chance(crash)) this.kill(`before ${what}`)
    this.mayPause(this.#world.weather.pause.anywhere)
    if (!this.alive) return never()
    await this.#world.timeline.sleep(ms, this)
  }

  /** A query or a transaction: it happens in one instant, some time after it was asked for. */
  async query<T>(what: string, run: () => Promise<T>): Promise<T> {
    const { random, weather } = this.#world
    await this.pass(what, random.between(0, 3))
    if (random.chance(weather.database)) {
      this.#world.say('database', () => `${what} fails`)
      this.stir()
      this.#world.store.tables.journal.version += 1
      throw new DatabaseFault('The database is locked.')
    }
    const before = this.#world.store.tables.journal.version
    const result = await run()
    if (this.#world.store.tables.journal.version !== before) this.#world.say('write', () => what)
    if (random.chance(weather.crash.anywhere)) this.kill(`after ${what}`)
    return this.alive ? result : never()
  }

  stir(): void {
    for (const loop of this.#loops) loop.stir()
  }

  /** Lets the outside ask something of it; `died` where it did not live to answer. */
  call<T>(work: (domain: Domain) => Promise<T>): Promise<T | 'died'> {
    return this.alive ? Promise.race([work(this.domain), this.#died.promise]) : this.#died.promise
  }
}

/** The store as the process has it: each query is an await, and may fail. */
const storeOf = (world: World, process: BotProcess): Store => {
  const { store, mutation } = world
  const changed = (queries: Queries): Queries => mutation.queries?.(queries) ?? queries
  const awaited = <T extends object>(topic: string, queries: T): T =>
    new Proxy(queries, {
      get: (target, name) => {
        const query: unknown = Reflect.get(target, name)
        if (typeof query !== 'function') return query
        return (...values: unknown[]) =>
          process.query(`${topic}.${String(name)}`, async () => Reflect.apply(query, target, values))
      },
    })
  const outside = changed(store)
  return {
    accounts: awaited('accounts', outside.accounts),
    purchases: awaited('purchases', outside.purchases),
    orders: awaited('orders', outside.orders),
    events: awaited('events', { ...store.events, ...outside.events }),
    notices: awaited('notices', outside.notices),
    chats: awaited('chats', outside.chats),
    copies: awaited('copies', outside.copies),
    leases: awaited('leases', outside.leases),
    lists: awaited('lists', outside.lists),
    requests: awaited('requests', outside.requests),
    preferences: awaited('preferences', outside.preferences),
    shops: awaited('shops', outside.shops),
    clock: () => process.query('clock', async () => world.now()),
    transaction: (work) =>
      process.query('transaction', () => store.transaction((queries) => work(changed(queries)))),
  }
}

/** Wires the domain as the application does. */
const build = (
  world: World,
  process: BotProcess,
  outside: Outside,
): { domain: Domain; loops: RoundLoop[] } => {
  const { now, newId } = world
  const store = storeOf(world, process)
  const wallets = createWallets({
    store,
    keyring,
    connections,
    baseUrl: 'http://provider.invalid/api/v1',
    now,
    clientOf: (accountId) => {
      const client = createClient(world, outside.service, process, accountId, outside.onFirstByte)
      return world.mutation.provider?.(client) ?? client
    },
  })
  const prices = createPrices(wallets, () => world.nowMs)
  const onNotice = () => sending.wake()
  const common = { store, wallets, now, log, onNotice }
  const onEnded = () => placing.wake()
  const onPlaced = () => applying.wake()
  const sleep = (ms: number) => world.timeline.sleep(ms, process)
  const placer = createPlacer({
    ...common,
    prices,
    callbackUrl: (orderId) => orderId,
    monotonicMs: process.monotonicMs,
    newId,
    onPlaced,
    onEnded,
    sleep,
  })
  const tracker = createTracker({ ...common, onEnded, onPlaced, onPollDue: () => polling.wake() })
  const settler = createSettler({ ...common, onEnded, onPlaced, sleep })
  const purchases = createPurchases({ store, now, newId, onQueued: () => placing.wake(), onNotice })
  const lists = createLists({
    ...common,
    prices,
    read: readList,
    newId,
    onQueued: () => placing.wake(),
  })
  const outbox = createOutbox({
    store,
    deliver: deliverOf(world, process, store, outside),
    // Two processes may both speak, as where one stood still and does not know yet that it was replaced.
    mayDeliver: () => true,
    chatWaitMs: () => 0,
    now,
    log,
    again: onNotice,
  })
  const inbox = createInbox(
    (events) => store.events.insert(events),
    () => applying.wake(),
  )
  const loop = (everyMs: number, work: () => Promise<void>) => new RoundLoop(world, process, everyMs, work)
  const placing = loop(1_000, () => placer.round())
  const applying = loop(5_000, () => tracker.applyCallbacks())
  const polling = loop(1_000, () => tracker.poll())
  const settling = loop(1_000, () => settler.round())
  const sending = loop(1_000, () => outbox.round())
  const tidying = loop(15_000, async () => {
    await purchases.expireDrafts()
    await store.requests.forgetBefore(new Date(world.nowMs - longestWindowMs))
  })
  const summaries = loop(15_000, async () => {
    if ((await oweSummaries(store, now)) > 0) onNotice()
  })
  return {
    domain: { purchases, lists, prices, tracker, settler, inbox, store, wakeOutbox: onNotice },
    loops: [placing, applying, polling, settling, sending, tidying, summaries],
  }
}

/** Draws cards and says announcements as the bot does, without their words. */
const deliverOf = (
  world: World,
  process: BotProcess,
  store: Store,
  { telegram, isAlone, starts }: Outside,
) => {
  const sleep = (ms: number) => world.timeline.sleep(ms, process)
  const pacer = createPacer(telegramLimits, () => world.nowMs, sleep)

  return async ({ chatId, content }: Notice): Promise<Delivery> => {
    let shown: Shown = null
    const [wasAlone, startsBefore] = [isAlone(), starts()]
    if (content.kind === 'card') {
      shown = (await store.orders.ofPurchase(content.purchaseId)).map(
        ({ id, placement, status, statusReported }) => ({ id, placement, status, statusReported }),
      )
    }
    await pacer.turn(chatId)
    await process.pass('Telegram', world.random.spread(5, 500))
    const isUndisturbed = wasAlone && isAlone() && starts() === startsBefore
    const delivery = telegram.take(chatId, content, shown, isUndisturbed)
    if (delivery.kind === 'later' && delivery.waitMs !== null)
      pacer.hold(chatId, world.nowMs + delivery.waitMs)
    await process.pass('Telegram answered', world.random.spread(5, 500))
    return delivery
  }
}

/** The provider calls back. @returns whether the bot answered 200. */
export const callBack = async (
  process: BotProcess,
  orderId: string,
  body: object,
  receivedAt: Date,
): Promise<boolean> => {
  const raw = Buffer.from(JSON.stringify(body))
  const callback = parseCallback(body)
  if (!callback) return false
  try {
    const event = eventOf(orderId, raw, callback, receivedAt)
    return (await process.call(({ inbox }) => inbox.accept(event))) !== 'died'
  } catch {
    return false
  }
}
