import { type AskAbout, createCredentialCheck } from '../../../src/accounts/credential-check.ts'
import { isAnswer, type Notice } from '../../../src/domain/notice.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { isOutdated } from '../../../src/domain/order/uncertainty.ts'
import { createRates } from '../../../src/messaging/buckets.ts'
import type { Delivery } from '../../../src/messaging/chat-delivery.ts'
import { createInbox, type Inbox, statusReportOf } from '../../../src/messaging/inbox.ts'
import { createLease, type Lease, LeaseLost } from '../../../src/messaging/leader-lease.ts'
import { createOutbox } from '../../../src/messaging/outbox.ts'
import { createPacer, type Pacer, telegramLimits } from '../../../src/messaging/pacer.ts'
import { createPrices, type Prices } from '../../../src/orders/buying/prices.ts'
import { createPurchases, type Purchases } from '../../../src/orders/buying/purchases.ts'
import { createTracker, type Tracker } from '../../../src/orders/following/tracker.ts'
import { createLists, type Lists } from '../../../src/orders/listing/list-orders.ts'
import { createPlacer } from '../../../src/orders/placing/placer.ts'
import { createReconciler, type Reconciler } from '../../../src/orders/reconciling/reconciler.ts'
import { createConnections, parseCallback } from '../../../src/provider/index.ts'
import { enqueueSummaries } from '../../../src/settings/daily-summary.ts'
import type { Store } from '../../../src/store/store.ts'
import { forgetRequests } from '../../../src/wallets/budget.ts'
import { createKeyring } from '../../../src/wallets/credentials/keyring.ts'
import { createWallets, credentialPlace, type Wallets } from '../../../src/wallets/wallets.ts'
import type { Service } from '../outside/service.ts'
import type { Shown, Telegram } from '../outside/telegram.ts'
import { warningsIn } from '../outside/warnings.ts'
import { nothing, type Owner } from '../timeline.ts'
import { wordsOf } from '../watches/evidence.ts'
import type { LeaseWatch } from '../watches/lease-watch.ts'
import type { PaceWatch } from '../watches/pace-watch.ts'
import type { WorkWatch } from '../watches/work-watch.ts'
import type { LeaseOptions, World } from '../world.ts'
import { createClient, type OnFirstByte } from './client.ts'
import { Connection, storeOf } from './connection.ts'
import { LeaseLoop, leaseName } from './leasing.ts'
import { ProcessClock } from './process-clock.ts'
import { RoundLoop } from './round-loop.ts'
import { silentLog as log } from './silent-log.ts'
import { createUpdates, type PressEvents, type Updates } from './updates.ts'

const keyring = createKeyring([Buffer.alloc(32, 7)])
const connections = createConnections()

/** Credentials for the simulated wallets: the key is the account's id. */
export const sealedOf = (accountId: string) => ({
  keyHash: keyring.lookupHashes(accountId)[0] ?? '',
  sealedKey: keyring.seal(accountId, credentialPlace(accountId, 'key')),
  sealedSecret: keyring.seal('secret', credentialPlace(accountId, 'secret')),
})

/** The parts of a running bot that people and the provider use. */
export interface Domain {
  purchases: Purchases
  lists: Lists
  prices: Prices
  tracker: Tracker
  reconciler: Reconciler
  inbox: Inbox
  store: Store
  /** Makes the outbox search for queued notices. */
  wakeOutbox: () => void
  /** Answers a message in the chat when the answer's turn comes. */
  reply: (chatId: number) => Promise<void>
  updates: Updates
  /** Checks a new key of that wallet, which a person types. */
  typeKey: (person: { userId: number; chatId: number }, walletId: string) => ReturnType<AskAbout>
}

export interface Outside extends PressEvents {
  service: Service
  telegram: Telegram
  onFirstByte: OnFirstByte
  /** Called when a POST was answered with a reference, and its process lived to receive the answer. */
  onAnswer: (orderId: string, reference: string, process: BotProcess) => void
  /** Whether no other process is alive. */
  isAlone: () => boolean
  /** How many processes were started so far. */
  starts: () => number
  /** Whether the process with that token has ended. */
  hasEnded: (token: string) => boolean
  /** Called when a card was drawn by a process that may not know the newest state. */
  drawnLate: (process: BotProcess, purchaseId: string) => void
  leases: LeaseWatch
  work: WorkWatch
  pace: PaceWatch
}

/** The prefix of each typed key, before the wallet's id. No account here has such a key. */
const newKey = 'new key of '

/** A promise that never resolves. A dead process waits for it. */
const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** One life of the bot on the shared database. What is only in its memory is lost when it ends. */
export class BotProcess implements Owner {
  alive = true
  resumesAtMs = 0
  readonly token: string
  readonly clock: ProcessClock
  readonly domain: Domain
  readonly #world: World
  readonly #bot: Bot
  readonly #died = Promise.withResolvers<'died'>()
  /** Called when the process dies or is suspended. */
  onTrouble: () => void = () => {}
  /** How often the process was suspended. */
  stops = 0
  /** How often it was suspended, was cut off, or had a database fault. */
  troubles = 0
  /** Queries that wait for a database that does not answer. The renewal of the lease may be one of them. */
  hanging = 0
  #cutOffUntilMs = 0
  #waiting = 0

  constructor(world: World, outside: Outside) {
    this.#world = world
    this.token = `process${outside.starts()}`
    this.clock = new ProcessClock(world)
    this.#bot = build(world, this, outside)
    this.domain = this.#bot.domain
    this.#bot.start()
  }

  get paused(): boolean {
    return this.resumesAtMs > this.#world.nowMs
  }

  /** Whether it is cut off from the database. */
  get isCutOff(): boolean {
    return this.#cutOffUntilMs > this.#world.nowMs
  }

  kill(why: string): void {
    if (!this.alive) return
    this.#world.say('crash', () => `${this.token} ${why}`)
    this.#world.interrupted()
    this.alive = false
    this.#died.resolve('died')
    this.onTrouble()
  }

  /** Shuts the process down properly: it gives the lease back. */
  async leave(): Promise<void> {
    this.troubles += 1
    await this.#bot.lease.release().catch(() => {})
    this.kill('leaves')
  }

  /** May suspend the process, like SIGSTOP or a suspended machine. */
  mayPause(probability: number): void {
    const { random, weather } = this.#world
    if (!random.chance(probability) || this.paused) return
    const forMs = random.spread(2_000, 1_800_000)
    this.resumesAtMs = this.#world.nowMs + forMs
    this.stops += 1
    this.troubles += 1
    if (weather.pause.suspends) this.clock.stood(forMs)
    this.#world.interrupted()
    this.#world.interrupted(this.resumesAtMs)
    this.#world.say('pause', () => `${this.token} is suspended for ${forMs} ms`)
    this.onTrouble()
  }

  #mayBeCutOff(): void {
    const { random, weather } = this.#world
    if (!random.chance(weather.instances.cutOff) || this.isCutOff) return
    const forMs = random.spread(1_000, 600_000)
    this.#cutOffUntilMs = this.#world.nowMs + forMs
    this.troubles += 1
    this.#world.interrupted()
    this.#world.say('cut off', () => `${this.token} loses the database for ${forMs} ms`)
  }

  /** Ends everything that keeps the process from its work. */
  recover(): void {
    this.resumesAtMs = 0
    this.#cutOffUntilMs = 0
  }

  /** One wait of the process: time passes, others act, and the process may die before the wait ends. */
  pass(what: string, ms: number, crash = this.#world.weather.crash.anywhere): Promise<void> {
    if (this.#world.random.chance(crash)) this.kill(`before ${what}`)
    this.mayPause(this.#world.weather.pause.anywhere)
    this.#mayBeCutOff()
    return this.alive ? this.sleep(ms) : never()
  }

  sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting += 1
      this.#world.timeline.at(this.#world.nowMs + ms, this, () => {
        this.#waiting -= 1
        resolve()
      })
    })

  /** Whether the process waits for something that it has begun. */
  get isBusy(): boolean {
    return this.#waiting > 0
  }

  /** The result of some work, if the process lives to receive it. */
  after<T>(what: string, result: T): T | Promise<T> {
    if (this.#world.random.chance(this.#world.weather.crash.anywhere)) this.kill(`after ${what}`)
    return this.alive ? result : never()
  }

  stir(): void {
    this.#bot.stir()
  }

  /** The clock was set, so rounds that were skipped by its earlier time may now find work. */
  clockWasSet(): void {
    this.#bot.wakeAll()
  }

  /** Whether the process is the worker, as far as it knows. */
  get works(): boolean {
    return this.#bot.leads()
  }

  /** Checks whether the lease is free, as a real process does four times a second. */
  lookAtLease(): void {
    this.#bot.lookAtLease()
  }

  /** Calls the process. @returns `died` if it dies before it answers. */
  call<T>(work: (domain: Domain) => Promise<T>): Promise<T | 'died'> {
    return this.alive ? Promise.race([work(this.domain), this.#died.promise]) : this.#died.promise
  }
}

/** The running parts of a process. */
interface Bot {
  domain: Domain
  lease: Lease
  start: () => void
  stir: () => void
  wakeAll: () => void
  leads: () => boolean
  lookAtLease: () => void
}

/** Builds the parts in the same way as the application. */
const build = (world: World, process: BotProcess, outside: Outside): Bot => {
  const { mutation, newId } = world
  const { now } = process.clock
  const connection = new Connection(world, process)
  const store = storeOf(world, connection)
  const wallets = createWallets({
    store,
    keyring,
    connections,
    baseUrl: 'http://provider.invalid/api/v1',
    now,
    clientOf: (accountId) => {
      const client = createClient(world, outside, process, accountId)
      return mutation.provider?.(client) ?? client
    },
  })
  const { lease, hasEnded } = leaseOf(world, process, store, outside)
  const leads = () => mutation.everyoneLeads === true || !world.hasInstances || leasing.leads()
  const wake = (work: keyof typeof loops) => loops[work].wake()
  const read = createPrices(wallets, () => process.clock.nowMs)
  const prices = mutation.prices?.(read) ?? read
  const onNotice = () => wake('send')
  const onEnded = () => wake('place')
  const onPlaced = () => wake('apply')
  const common = { store, wallets, mayWork: leads, now, log, onNotice, onEnded, onPlaced }
  const { sleep } = process
  const placer = createPlacer({
    ...common,
    prices,
    callbackUrl: (orderId) => orderId,
    onOtherPhone: () => {},
    monotonicMs: process.clock.monotonicMs,
    newId,
    sleep,
  })
  const tracker = createTracker({ ...common, onPollDue: () => wake('follow') })
  const reconciler = createReconciler({
    ...common,
    sleep,
    onMore: () => wake('reconcile'),
    ...(mutation.pairing && { pairing: mutation.pairing }),
    ...(mutation.reading && { reading: mutation.reading }),
  })
  const onQueued = (clear?: Order | null) => {
    if (!clear || !placer.startClear(clear)) onEnded()
  }
  const purchases = createPurchases({ store, now, newId, onQueued, onNotice })
  const lists = createLists({ ...common, prices, read: world.readList, newId, onQueued: onEnded })
  const rates = createRates(process.clock.monotonicMs)
  const pacer = createPacer(telegramLimits, process.clock.monotonicMs, sleep, rates)
  const outbox = createOutbox({
    store,
    deliver: deliverOf(world, process, { store, outside, pacer, leads }),
    mayWork: leads,
    chatWaitMs: () => 0,
    redrawMs: telegramLimits.redrawMs,
    sleep,
    now,
    monotonicMs: process.clock.monotonicMs,
    log,
    again: onNotice,
  })
  const inbox = createInbox(
    (events) => store.statusReports.insert(events),
    () => wake('apply'),
    // With a real clock, the same seed could give another run, so a turn takes no time.
    { nextTurn: () => world.timeline.turn(), monotonicMs: () => 0 },
  )
  const loop = (name: string, everyMs: number, reads: readonly string[], work: () => Promise<void>) =>
    new RoundLoop(world, process, {
      everyMs,
      reads,
      work: () => outside.leases.round(name, process, work),
      mayRun: leads,
    })
  const loops = {
    place: loop('place', 1_000, ['Account', 'Fact', 'Member', 'Order', 'Purchase'], () => placer.round()),
    apply: loop('apply', 250, ['StatusReport', 'Order'], () => tracker.applyCallbacks()),
    follow: loop('follow', 1_000, ['Account', 'Order'], () => tracker.poll()),
    reconcile: loop('reconcile', 1_000, ['Account', 'Fact', 'Order'], () => reconciler.round()),
    verify: loop('verify', 1_000, ['Account'], () => wallets.verifyDue()),
    send: loop('send', 1_000, ['Chat', 'Notice'], () => outbox.round()),
    tidy: loop('tidy', 15_000, ['Purchase', 'Request'], async () => {
      await purchases.expireDrafts()
      await forgetRequests(store, now())
    }),
    summarize: loop('summarize', 15_000, ['Member', 'Preference'], async () => {
      if ((await enqueueSummaries(store, now)) > 0) onNotice()
    }),
  }
  const all = Object.values(loops)
  const leasing = new LeaseLoop(world, process, { lease, loops: all, hasEnded })
  const wakeAll = () => {
    for (const each of all) each.wake()
  }
  const onTaken = () => {
    wakeAll()
    void lists.resume().catch(() => {})
  }
  lease.onTaken = onTaken
  const updates = createUpdates(world, process, { ...outside, store })
  const walletOf = (key: string) => key.slice(newKey.length)
  const typedKeys: Wallets = {
    ...wallets,
    probe: (key) => createClient(world, outside, process, walletOf(key), true),
  }
  const askAbout = createCredentialCheck({
    store,
    keyring,
    wallets: typedKeys,
    now,
    ...mutation.sameness,
    limits: createRates(process.clock.monotonicMs),
  })
  const typeKey: Domain['typeKey'] = (person, walletId) =>
    askAbout(person, { apiKey: `${newKey}${walletId}`, apiSecret: 'new' })
  const domain = { purchases, lists, prices, tracker, reconciler, inbox, store, updates, typeKey }
  const reply = (chatId: number) => outside.pace.turn(process, pacer, { chatId, urgency: 'reply' })
  return {
    domain: { ...domain, wakeOutbox: onNotice, reply },
    lease,
    start: () =>
      world.hasInstances ? leasing.wake() : world.timeline.at(world.nowMs, process, () => onTaken()),
    stir: () => {
      if (world.hasInstances) leasing.stir()
      for (const each of all) each.stir()
    },
    wakeAll,
    leads,
    lookAtLease: () => {
      if (world.hasInstances) leasing.rouse()
    },
  }
}

/** The lease of a process that is alone, which always holds it. */
const leadingAlone: Lease = {
  isHeld: () => true,
  isLast: () => true,
  check: async () => true,
  round: async () => {},
  release: async () => {},
}

const leaseOf = (
  world: World,
  process: BotProcess,
  store: Store,
  outside: Outside,
): { lease: Lease & { onTaken: () => void }; hasEnded: (token: string) => boolean } => {
  const hasEnded = (token: string) => world.weather.instances.seesEnds && outside.hasEnded(token)
  if (!world.hasInstances) return { lease: { ...leadingAlone, onTaken: () => {} }, hasEnded }
  const options: LeaseOptions = {
    store,
    name: leaseName,
    token: process.token,
    hasEnded,
    now: process.clock.now,
    monotonicMs: process.clock.monotonicMs,
    onTaken: () => {
      world.say('lease', () => `${process.token} leads`)
      lease.onTaken()
    },
    log,
    sleep: (ms, signal) =>
      new Promise((resolve) =>
        world.timeline.at(world.nowMs + ms, process, () => (signal.aborted ? nothing : resolve())),
      ),
  }
  const lease = { ...createLease(world.mutation.lease?.(options) ?? options), onTaken: () => {} }
  return { lease, hasEnded }
}

/** Whether the news is not sent because it is no longer true. */
const isOutdatedNews = async (store: Store, content: Notice['content']): Promise<boolean> => {
  if (content.kind === 'list' && content.what === 'held')
    return (await store.purchases.byId(content.purchaseId))?.heldById !== content.heldById
  const order = content.kind === 'announce' ? await store.orders.byId(content.orderId) : null
  return content.kind === 'announce' && order !== null && isOutdated(content.what, order)
}

/** Draws cards and sends announcements like the bot, but without texts. */
const deliverOf = (
  world: World,
  process: BotProcess,
  { store, outside, pacer, leads }: { store: Store; outside: Outside; pacer: Pacer; leads: () => boolean },
) => {
  const { telegram, isAlone, starts, pace, leases, work } = outside
  const warnings = warningsIn(store, telegram, process.clock.now)

  return async ({ chatId, content }: Notice): Promise<Delivery> => {
    let shown: Shown = null
    const [wasAlone, startsBefore, term] = [isAlone(), starts(), leases.term(process)]
    if (content.kind === 'card') {
      shown = (await store.orders.ofPurchase(content.purchaseId)).map(
        ({ id, placement, status, statusReported }) => ({ id, placement, status, statusReported }),
      )
    }
    if (await isOutdatedNews(store, content)) return { kind: 'sent' }
    const words = wordsOf(world.tables, chatId, content)
    const warning = await warnings.wordingOf(chatId, content)
    await pace.turn(process, pacer, { chatId, urgency: isAnswer(content) ? 'reply' : 'notice' })
    if (!leads()) throw new LeaseLost()
    await work.sends(process, chatId, () => process.pass('Telegram', world.random.spread(5, 500)))
    // A process that has been the worker since it read the state draws the newest state.
    const isUndisturbed = world.hasInstances
      ? term !== null && leases.term(process) === term
      : wasAlone && isAlone() && starts() === startsBefore
    const delivery = telegram.take(chatId, { content, words }, shown, isUndisturbed)
    if (!isUndisturbed && content.kind === 'card') outside.drawnLate(process, content.purchaseId)
    if (delivery.kind === 'later' && delivery.waitMs !== null)
      pacer.block(chatId, process.clock.monotonicMs() + delivery.waitMs)
    const messageId = delivery.kind === 'sent' ? telegram.warn(warning) : null
    const isNewCard =
      content.kind === 'card' && delivery.kind === 'sent' && isUnshown(world, content.purchaseId)
    await process.pass('Telegram answered', world.random.spread(5, 500))
    if (isNewCard) await store.purchases.showOn(content.purchaseId, telegram.cards.size)
    if (warning && messageId !== null) {
      const noted = warnings.note(warning, messageId)
      // If the write fails, a new message is not sent again, but an edit is made again.
      await (warning.messageId === null ? noted.catch(() => {}) : noted)
    }
    return delivery
  }
}

/** Whether no message shows the card yet. */
const isUnshown = (world: World, purchaseId: string): boolean =>
  world.tables.purchases.get(purchaseId)?.cardMessageId === null

/** Sends a callback of the provider. @returns whether the bot answered 200. */
export const callBack = async (process: BotProcess, orderId: string, body: object): Promise<boolean> => {
  const raw = Buffer.from(JSON.stringify(body))
  const callback = parseCallback(body)
  if (!callback) return false
  try {
    const event = statusReportOf(orderId, raw, callback, process.clock.now())
    return (await process.call(({ inbox }) => inbox.accept(event))) !== 'died'
  } catch {
    return false
  }
}
