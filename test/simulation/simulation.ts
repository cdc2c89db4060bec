import { endMute } from '../../src/messaging/digest.ts'
import type { Person } from '../../src/orders/buying/purchases.ts'
import { beginMaintenance, endMaintenance, markNetwork } from '../../src/orders/permission/switches.ts'
import { orderStatuses, type Pesewas } from '../../src/provider/index.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { encodePress } from '../../src/telegram/buttons/table.ts'
import { judge, table } from '../judge/judge.ts'
import { BotProcess, callBack, type Domain, type Outside, sealedOf } from './bot/process.ts'
import { type Ask, type Confirmation, People } from './outside/people.ts'
import { type Charge, type ChargedRecipient, Service } from './outside/service.ts'
import { Telegram } from './outside/telegram.ts'
import { TypedKeys } from './outside/typed-keys.ts'
import type { InstancesWeather } from './outside/weather.ts'
import { Wishes } from './outside/wishes.ts'
import { Random } from './random.ts'
import { evidenceOf } from './watches/evidence.ts'
import { LeaseWatch, type RoundCount } from './watches/lease-watch.ts'
import { PaceWatch } from './watches/pace-watch.ts'
import { Watch } from './watches/watch.ts'
import { WorkWatch } from './watches/work-watch.ts'
import { type Mutation, World } from './world.ts'

export interface Run {
  seed: number
  purchases: number
  mutation?: Mutation
  traced?: boolean
  /** How many processes work together; drawn if absent. */
  instances?: number | undefined
  /** Whether only the judge checks the run, at its end. */
  judgedAlone?: boolean
}

export interface Result {
  seed: number
  purchases: number
  /** The first broken promise, or null. */
  broken: string | null
  /** The first broken promise that the watch has reported, or null. */
  watched: string | null
  trace: string[]
  debits: number
  crashes: number
  steps: number
  mistaken: number
  instances: number
  rounds: RoundCount
  /** Messages that waited for the pacer, and how many of them are excused from the shared rates. */
  paced: { messages: number; excused: number }
}

const minute = 60_000
const hour = 60 * minute
/**
 * How long the run continues after the faults. The last search for a debit ends a day after the last send. If that
 * day's requests are used up, polling waits for the next day.
 */
const calmMs = 52 * hour

/** Within this time, a card is drawn again, unless something keeps the process from it. */
const toDrawAgainMs = 5_000

/** Within this time, a POST's answer is committed, unless something keeps the process from it. */
const toCommitMs = 120_000

/** How long Telegram waits for the answer to an update. */
const patienceMs = 60_000

/**
 * Runs one simulation: a bot that starts and dies, with people, a provider and Telegram. The seed decides everything.
 */
export const simulate = async (run: Run): Promise<Result> => {
  const { seed, purchases, mutation = {}, traced = false, instances = null, judgedAlone = false } = run
  const simulation = new Simulation(new World({ seed, mutation, traced, instances, judgedAlone }), seed)
  return { seed, purchases, ...(await simulation.run(purchases)) }
}

class Simulation {
  readonly #world: World
  readonly #seed: number
  readonly #watch: Watch
  readonly #telegram: Telegram
  readonly #service: Service
  readonly #outside: Outside
  readonly #bots: BotProcess[] = []
  readonly #wishes: Wishes
  readonly #typedKeys: TypedKeys
  #people: People | null = null
  #crashes = 0
  #starts = 0
  #presses = 0
  /** The tokens of processes that have ended. */
  readonly #ended = new Set<string>()

  constructor(world: World, seed: number) {
    this.#world = world
    this.#seed = seed
    this.#watch = new Watch(world)
    this.#telegram = new Telegram(world)
    this.#service = new Service(world, {
      onCharge: (charge) => this.#watch.charged(charge),
      onStatus: (charge, recipient) => this.#report(charge, recipient),
    })
    const ask: Ask = (work) => this.#ask(work)
    this.#wishes = new Wishes({ world, service: this.#service, telegram: this.#telegram, ask, seed })
    this.#typedKeys = new TypedKeys({ world, service: this.#service, ask, seed })
    this.#outside = {
      service: this.#service,
      telegram: this.#telegram,
      onFirstByte: (orderId, process) => this.#watch.firstByte(orderId, process.resumesAtMs, this.#service),
      onLeftOut: (press) => this.#watch.leftOut(press),
      onAnswer: (orderId, reference, process) => this.#answered(orderId, reference, process),
      isAlone: () => this.#bots.length === 1,
      starts: () => this.#starts,
      hasEnded: (token) => this.#ended.has(token),
      drawnLate: (process, purchaseId) => this.#drawnLate(process, purchaseId),
      leases: new LeaseWatch(world),
      work: new WorkWatch(world),
      pace: new PaceWatch(world),
    }
  }

  async run(purchases: number): Promise<Omit<Result, 'seed' | 'purchases'>> {
    const world = this.#world
    world.say('weather', () => JSON.stringify(world.weather))
    const persons = await this.#open()
    for (let started = 0; started < this.#instances.count; started += 1) this.#startBot()
    const lastsMs = this.#schedule(purchases, persons)
    this.#scheduleTroubles(persons, lastsMs)
    let steps = await this.#runUntil(world.startMs + lastsMs)
    this.#endFaults(persons)
    steps += await this.#runUntil(world.nowMs + calmMs)
    if (world.watched === null) this.#watch.conclude(this.#service, this.#telegram)
    if (world.broken === null) await this.#judge()
    for (const bot of this.#bots) bot.alive = false
    return {
      broken: world.broken,
      watched: world.watched,
      trace: world.trace ?? [],
      debits: this.#service.charges.size,
      crashes: this.#crashes,
      steps,
      mistaken: this.#watch.mistaken,
      instances: this.#instances.count,
      // A copy, because the watches would keep the whole run in memory.
      rounds: { ...this.#outside.leases.count },
      paced: { messages: this.#outside.pace.messages, excused: this.#outside.pace.excused },
    }
  }

  /** Lets the judge, which shares no code with the bot, compare the end of the run with everything that happened. */
  async #judge(): Promise<void> {
    const verdicts = judge(await evidenceOf(this.#world, this.#service, this.#telegram))
    const broken = verdicts.filter(({ breaches }) => breaches.length > 0)
    if (broken.length > 0) this.#world.broken = `the judge says:\n${table(broken)}`
  }

  get #instances(): InstancesWeather {
    return this.#world.weather.instances
  }

  async #runUntil(untilMs: number): Promise<number> {
    const world = this.#world
    let version = -1
    const steps = await world.timeline.run(untilMs, () => {
      this.#watch.look(this.#service)
      if (world.tables.version !== version) {
        version = world.tables.version
        for (const bot of this.#bots) bot.stir()
      }
      return world.broken === null
    })
    world.timeline.nowMs = untilMs
    return steps
  }

  /** Creates accounts with their members. */
  async #open(): Promise<Person[]> {
    const { store, random } = this.#world
    // A separate random source, so that the other draws are the same as without limits.
    const limits = new Random(this.#seed)
    const persons: Person[] = []
    for (let index = 1; index <= random.between(1, 3); index += 1) {
      const accountId = `account${index}`
      this.#service.open(accountId, random.pick([20_000, 1_000_000, 1_000_000]))
      await store.accounts.insert({
        id: accountId,
        ...sealedOf(accountId),
        accountType: 'agent',
        now: this.#world.now(),
      })
      for (let member = 1; member <= random.between(1, 3); member += 1) {
        const userId = index * 10 + member
        const person: Person = { userId, chatId: userId, accountId, role: member === 1 ? 'owner' : 'agent' }
        await store.accounts.attach(person, this.#world.now())
        const limit = limits.pick<Pesewas | null>([null, 5_000 as Pesewas, 20_000 as Pesewas])
        await store.accounts.patchAgent(userId, { dailyLimitPesewas: limit })
        await this.#wishes.reconcile(person)
        persons.push(person)
      }
    }
    return persons
  }

  /** @returns after how many ms the last purchase is well under way. */
  #schedule(purchases: number, persons: Person[]): number {
    const world = this.#world
    const { random } = world
    const people = new People({
      world,
      service: this.#service,
      ask: (work) => this.#ask(work),
      confirm: (...press) => this.#confirm(...press),
      onPress: (purchaseId, person, after) => {
        this.#watch.pressed(purchaseId)
        this.#watch.wishes.pressed(purchaseId, after)
        this.#wishes.ordering(person)
      },
      onRepeat: (cause) => this.#watch.wishes.repeated(cause),
      onListPress: (purchaseId, lines) => this.#watch.pressedList(purchaseId, lines),
      wasCharged: (order) => this.#watch.wasCharged(order),
    })
    this.#people = people
    const phones = Array.from(
      { length: random.between(2, 12) },
      (_, index) => `02412345${10 + index}` as Phone,
    )
    const spanMs = purchases * random.pick([5_000, 30_000, 90_000])
    for (let count = 0; count < purchases; count += 1) {
      const [person, phone] = [random.pick(persons), random.pick(phones)]
      const isList = random.chance(world.weather.lists.rate)
      world.after(random.between(0, spanMs), () => {
        void (isList ? people.paste(person, phones) : people.buy(person, phone))
      })
      if (random.chance(world.weather.outsiders)) {
        const bundle = random.pick(this.#service.bundles)
        world.after(random.between(0, spanMs), () => {
          this.#service.place(person.accountId, bundle.id, phone, null)
        })
      }
      if (random.chance(world.weather.priceChanges)) {
        world.after(random.between(0, spanMs), () => this.#changePrice())
      }
      world.after(random.between(0, spanMs), () => this.#returnTo(person))
    }
    this.#wishes.schedule(persons, spanMs)
    this.#typedKeys.schedule(persons, spanMs)
    return spanMs + 2 * hour
  }

  #changePrice(): void {
    const { random } = this.#world
    const chosen = random.pick(this.#service.bundles)
    this.#service.changePrice(chosen.id, random.pick([-50, 50, 100]))
  }

  /** A person whose chat was muted returns. */
  #returnTo({ chatId }: Person): void {
    const { tables } = this.#world
    if (this.#telegram.unblock(chatId) || tables.chats.get(chatId)?.mutedAt) {
      void this.#ask(async ({ store, wakeOutbox }) => {
        const at = new Date(this.#world.nowMs)
        if ((await endMute(store, chatId, at)) !== null) wakeOutbox()
      })
    }
  }

  /** Disturbs the processes and the database at random times. */
  #scheduleTroubles(persons: Person[], spanMs: number): void {
    const world = this.#world
    const { random } = world
    const { clocks, leaves, chatter } = this.#instances
    const at = (times: number, run: () => void): void => {
      for (let count = 0; count < times; count += 1) world.after(random.between(0, spanMs), run)
    }
    at(world.weather.databaseRestarts, () => {
      world.databaseBackAtMs = world.nowMs + random.spread(500, 60_000)
      world.say('database', () => 'is restarted')
      for (const bot of this.#bots) bot.troubles += 1
    })
    at(world.weather.fullDisks, () => {
      world.diskFreeAtMs = world.nowMs + random.spread(5_000, 600_000)
      world.say('database', () => 'has a full disk')
    })
    // Somebody sets the clock of a process. This does not happen if the weather suspends whole machines: their
    // monotonic clock stops, so if the wall clock were set back too, no clock would show that a lease has ended.
    at(world.weather.pause.suspends ? 0 : clocks.sets, () => {
      const bot = random.pick(this.#bots)
      bot?.clock.set(random.between(-2 * clocks.offMs, 2 * clocks.offMs))
      bot?.stir()
    })
    at(world.weather.networkSwitches, () => this.#switchOff(random.pick(['MTN', 'Telecel'])))
    at(world.weather.maintenance, () => this.#pauseOrders())
    at(leaves, () => void this.#receiver()?.leave())
    if (world.aheadMs > 0) world.after(spanMs / 2, () => this.#setClockRight())
    at(chatter, () => this.#chat(random.pick(persons)))
  }

  /** An operator marks a network as down for a while. */
  #switchOff(network: 'MTN' | 'Telecel'): void {
    const world = this.#world
    const change = (isDown: boolean) =>
      this.#ask(({ store }) => store.transaction((tx) => markNetwork(tx, network, isDown, world.now())))
    void change(true)
    world.after(world.random.spread(60_000, hour), () => void change(false))
  }

  /** An operator pauses all orders for a while. */
  #pauseOrders(): void {
    const world = this.#world
    const change = (isPaused: boolean) =>
      this.#ask(({ store }) =>
        store.transaction(async (tx) => {
          await (isPaused ? beginMaintenance(tx, {}, world.now()) : endMaintenance(tx))
        }),
      )
    void change(true)
    world.after(world.random.spread(60_000, hour), () => void change(false))
  }

  /**
   * Checks that the order has its reference in time, unless its process was killed, suspended or cut off from the
   * database.
   */
  #answered(orderId: string, reference: string, bot: BotProcess): void {
    const { troubles } = bot
    this.#world.after(toCommitMs, () => {
      if (bot.alive && bot.troubles === troubles) this.#watch.answered(orderId, reference)
    })
  }

  /** Sets the clock right, either while processes run (their rounds follow it within a second) or while none runs. */
  #setClockRight(): void {
    const world = this.#world
    const { isBetweenLives } = world.weather.ahead
    world.say('clock', () => `is set back by ${world.aheadMs} ms`)
    if (isBetweenLives) for (const bot of [...this.#bots]) bot.kill('while the clock is set')
    world.aheadMs = 0
    world.after(world.random.between(0, 1_000), () => {
      for (const bot of this.#bots) bot.clockWasSet()
    })
  }

  /** A person sends many messages at once, and again a minute later. Each asks for a status and is answered. */
  #chat({ chatId, userId, accountId }: Person): void {
    const { random, store, tables } = this.#world
    const laterMs = random.between(45_000, 60_000)
    for (let message = 0; message < random.between(20, 150); message += 1) {
      this.#world.after(random.pick([0, laterMs]) + random.between(0, 5_000), async () => {
        const row = tables.orders.first((each) => each.accountId === accountId && each.reference !== null)
        const order = row && (await store.orders.byId(row.id))
        await this.#bot()?.call(({ reply, tracker, updates }) =>
          updates.message({ chatId, userId }, async () => {
            if (order) await tracker.refresh(order).catch(() => {})
            await reply(chatId)
          }),
        )
      })
    }
  }

  /**
   * If a process draws a card while another leads, the card must be drawn again. If the process is killed, suspended
   * or cut off at that moment, this is not possible, and the card may show an older state until something changes.
   */
  #drawnLate(bot: BotProcess, purchaseId: string): void {
    if (!this.#world.hasInstances || bot.isCutOff || this.#world.isDatabaseDown) return
    const { troubles } = bot
    const drawn = this.#telegram.cards.get(purchaseId)
    this.#world.after(toDrawAgainMs, () => {
      const hadTrouble = !bot.alive || bot.troubles !== troubles
      if (!hadTrouble && this.#telegram.cards.get(purchaseId) === drawn) {
        this.#telegram.drawnInTurns.delete(purchaseId)
      }
    })
  }

  #endFaults(persons: Person[]): void {
    this.#world.endFaults()
    this.#wishes.end(persons)
    for (const bot of this.#bots) bot.recover()
    for (let missing = this.#instances.count - this.#bots.length; missing > 0; missing -= 1) this.#startBot()
    this.#world.after(minute, () => {
      for (const person of persons) this.#returnTo(person)
    })
    for (let hours = 1; hours <= 12; hours += 1) this.#world.after(hours * hour, () => this.#decideLists())
  }

  /** People decide about every list that is held up. */
  #decideLists(): void {
    const { tables } = this.#world
    for (const purchase of tables.purchases.where(({ heldById }) => heldById !== null)) {
      void this.#people?.decide({ ...purchase, role: 'owner' }, purchase.id, 0.5)
    }
  }

  #startBot(): void {
    const world = this.#world
    world.say('bot', () => 'starts')
    this.#starts += 1
    const bot = new BotProcess(world, this.#outside)
    this.#bots.push(bot)
    bot.onTrouble = () => {
      if (!bot.alive) this.#ends(bot)
      else if (!world.hasInstances) this.#replaces(bot)
    }
  }

  #ends(bot: BotProcess): void {
    const world = this.#world
    this.#crashes += 1
    this.#ended.add(bot.token)
    this.#bots.splice(this.#bots.indexOf(bot), 1)
    for (const other of this.#bots) other.lookAtLease()
    const { count } = this.#instances
    world.after(world.random.spread(500, 120_000), () => this.#bots.length < count && this.#startBot())
  }

  /**
   * Starts another process next to a suspended one. Some time after that one has resumed, one of the two is stopped.
   */
  #replaces(bot: BotProcess): void {
    const world = this.#world
    const { resumesAtMs } = bot
    if (resumesAtMs - world.nowMs < 10_000) return
    // If the first one has resumed already, both would run to the end, without a lease.
    world.after(
      world.random.spread(1_000, 60_000),
      () => bot.paused && this.#bots.length === 1 && this.#startBot(),
    )
    world.after(resumesAtMs - world.nowMs + world.random.spread(1_000, 60_000), () => {
      if (this.#bots.length > 1) bot.kill('another has taken its place')
    })
  }

  /** The processes that are not suspended. */
  get #awake(): BotProcess[] {
    return this.#bots.filter(({ alive, paused }) => alive && !paused)
  }

  /** The process that handles updates: the worker, or the newest if there is no lease. */
  #bot(): BotProcess | undefined {
    return this.#world.hasInstances ? this.#awake.find(({ works }) => works) : this.#awake.at(-1)
  }

  /** A process that receives callbacks: any of them, or the newest if there is no lease. */
  #receiver(): BotProcess | undefined {
    return this.#world.hasInstances ? this.#world.random.pick(this.#awake) : this.#awake.at(-1)
  }

  /** Repeats an update until a process has handled it. */
  async #ask<T>(work: (domain: Domain) => Promise<T>): Promise<T> {
    for (;;) {
      const bot = this.#bot()
      try {
        const answer = bot ? await this.#answerOf(bot, work) : 'died'
        if (answer !== 'died') return answer as T
        if (!bot) for (const standby of this.#awake) standby.lookAtLease()
      } catch (error) {
        this.#world.say('person', () => `was answered: ${error}`)
      }
      await this.#world.sleep(1_000)
    }
  }

  /** Presses Confirm. @returns null if the press was dropped. */
  async #confirm(purchaseId: string, person: Person, after: string | null): Promise<Confirmation | null> {
    const data = encodePress({ do: 'confirm', purchaseId, after })
    const press = { ...person, id: ++this.#presses, purchaseId, data }
    for (;;) {
      const { handled, result } = await this.#ask(({ updates, purchases }) =>
        updates.press(press, () => purchases.confirm(purchaseId, person, { cardMessageId: null, after })),
      )
      if (result?.kind === 'repeated') this.#telegram.shows(person.chatId, 'Send again?')
      if (handled === 'done') return result
      await this.#world.sleep(1_000)
    }
  }

  /** If a process does not answer in time, another one is asked, although the first may still continue. */
  #answerOf<T>(bot: BotProcess, work: (domain: Domain) => Promise<T>): Promise<T | 'died'> {
    const answer = bot.call(work)
    if (!this.#world.hasInstances) return answer
    return Promise.race([answer, this.#world.sleep(patienceMs).then(() => 'died' as const)])
  }

  /** The provider reports an order's status, correctly or not. */
  #report(charge: Charge, recipient: ChargedRecipient | null): void {
    const { random, weather } = this.#world
    const { callback } = weather
    if (charge.orderId === null || random.chance(callback.never)) return
    const isEarly = !recipient && charge.status === 'processing' && random.chance(callback.early)
    const isLate = random.chance(callback.late) || random.chance(callback.reversed)
    const waitMs = isEarly ? 0 : random.spread(20, 3_000) + (isLate ? random.spread(5_000, 1_800_000) : 0)
    const { reference } = charge
    const { status } = recipient ?? charge
    const said = { reference, status, ...(recipient && { phone: recipient.phone }) }
    void this.#callBack(charge, said, waitMs)
    if (random.chance(callback.twice)) {
      void this.#callBack(charge, said, waitMs + random.spread(1, 60_000))
    }
    if (random.chance(callback.forged)) {
      void this.#callBack(
        charge,
        { reference, status: random.pick([...orderStatuses, 'odd']) },
        random.spread(1, 90_000),
      )
    }
    const alike = [...this.#service.charges.values()].find((other) => isAlikeElsewhere(other, charge))
    if (alike && random.chance(callback.misdirected)) {
      void this.#callBack(charge, { reference: alike.reference, status }, random.spread(1, 90_000))
    }
    if (random.chance(callback.foreign)) {
      const others = [...this.#service.charges.keys(), 'BUD-API-NONE-1']
      void this.#callBack(charge, { reference: random.pick(others), status }, random.spread(1, 90_000))
    }
  }

  async #callBack(
    charge: Charge,
    said: { reference: string; status: string; phone?: Phone },
    waitMs: number,
  ): Promise<void> {
    const world = this.#world
    const orderId = charge.orderId ?? ''
    const body = { event: 'order.status.updated', ...said, timestamp: world.now().toISOString() }
    await world.sleep(waitMs)
    for (const againMs of [10_000, 60_000, 600_000, 0]) {
      const bot = this.#receiver()
      if (bot && (await callBack(bot, orderId, body))) {
        world.say('callback', () => `${orderId} ${JSON.stringify(said)} is accepted`)
        this.#watch.acknowledged(charge, said.reference)
        return
      }
      await world.sleep(againMs)
    }
  }
}

const isAlikeElsewhere = (other: Charge, { kind, accountId, bundle, phone }: Charge): boolean =>
  other.orderId === null &&
  other.kind === kind &&
  other.accountId === accountId &&
  other.bundle.id === bundle.id &&
  other.phone === phone
