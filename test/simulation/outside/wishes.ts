import { createAgency } from '../../../src/accounts/agency.ts'
import type { Person } from '../../../src/orders/buying/purchases.ts'
import type { Pesewas } from '../../../src/provider/index.ts'
import { changeSetting } from '../../../src/settings/change.ts'
import type { Setting } from '../../../src/settings/setting.ts'
import { notifyLevels } from '../../../src/store/chats/preferences.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Domain } from '../bot/process.ts'
import { Random } from '../random.ts'
import type { World } from '../world.ts'
import type { Ask } from './people.ts'
import type { Service } from './service.ts'
import type { Telegram } from './telegram.ts'

const minute = 60_000

/** Settings of people, and of owners for their agents, which change before the start and during the run. */
export class Wishes {
  readonly #world: World
  readonly #service: Service
  readonly #telegram: Telegram
  readonly #ask: Ask
  /** A separate random source, so that wallets and limits are the same as without settings. */
  readonly #random: Random
  /** The owner of each account, who invites and removes its agents. */
  readonly #owners = new Map<string, Person>()

  constructor(options: { world: World; service: Service; telegram: Telegram; ask: Ask; seed: number }) {
    this.#world = options.world
    this.#service = options.service
    this.#telegram = options.telegram
    this.#ask = options.ask
    this.#random = new Random(options.seed + 1_000_003)
  }

  async reconcile(person: Person): Promise<void> {
    const { store } = this.#world
    if (person.role === 'owner') this.#owners.set(person.accountId, person)
    const topics = ['notify', 'zone', 'quiet', 'repeat', 'summary'] as const
    for (const topic of topics) await this.#change(store, person, this.#draw(topic))
    if (person.role === 'owner') await this.#change(store, person, this.#draw('level'))
    else
      await store.accounts.patchAgent(person.userId, {
        notifyLevel: this.#random.pick(['problems', 'ends', 'each']),
      })
  }

  #draw(topic: Setting['topic']): Setting {
    const random = this.#random
    const pesewas = (choices: (number | null)[]) => random.pick(choices) as Pesewas | null
    switch (topic) {
      case 'quiet': {
        const from = random.between(0, 23) * 60
        const hours = { from, to: (from + random.between(1, 23) * 60) % 1_440 }
        return { topic, hours: random.chance(0.5) ? hours : null }
      }
      case 'level':
        return { topic, pesewas: pesewas([null, 5_000, 15_000, 990_000]) }
      case 'repeat':
        return { topic, pesewas: pesewas([null, 2_400, 100_000, 100_000]) }
      case 'summary':
        return { topic, hour: random.pick([null, 7, 21]) }
      case 'zone':
        return {
          topic,
          timeZone: random.pick(['Africa/Accra', 'Africa/Accra', 'Asia/Kolkata', 'America/Lima']),
        }
      default:
        return { topic: 'notify', level: random.pick(notifyLevels) }
    }
  }

  #change = (
    store: Pick<Domain['store'], 'transaction'>,
    person: Person,
    setting: Setting,
  ): Promise<unknown> => {
    if (setting.topic === 'notify' && setting.level === 'failures')
      this.#telegram.shows(person.chatId, 'problems only')
    return store.transaction((tx) => changeSetting(tx, person, setting, this.#world.now()))
  }

  /** @param spanMs the time in which people change their settings. */
  schedule(persons: readonly Person[], spanMs: number): void {
    const random = this.#random
    for (const person of persons) {
      for (const topic of ['notify', 'quiet', 'zone', 'repeat'] as const) {
        if (!random.chance(0.4)) continue
        this.#after(random.between(0, spanMs), (domain) =>
          this.#reconcileAnew(domain, person, this.#draw(topic)),
        )
      }
      if (person.role === 'agent') this.#scheduleOwner(person, spanMs)
      else {
        const topUp = random.between(1_000, 20_000)
        this.#world.after(random.between(0, spanMs), () => this.#service.topUp(person.accountId, topUp))
      }
    }
  }

  #reconcileAnew = async (domain: Domain, person: Person, setting: Setting): Promise<void> => {
    await this.#change(domain.store, person, setting)
    domain.wakeOutbox()
  }

  /** Plans what the owner does to an agent. */
  #scheduleOwner(agent: Person, spanMs: number): void {
    const random = this.#random
    const owner = this.#owners.get(agent.accountId)
    if (!owner) return
    const at = random.between(0, spanMs)
    const againMs = random.spread(10_000, 60 * minute)
    if (random.chance(0.3)) {
      const pausedAt = (time: Date | null) => (domain: Domain) =>
        this.#agency(domain).changeAgent(owner, agent.userId, { pausedAt: time })
      this.#after(at, pausedAt(this.#world.now()))
      this.#after(at + againMs, pausedAt(null))
    }
    if (!random.chance(0.4)) return
    this.#after(random.between(0, spanMs), (domain) => this.#agency(domain).remove(owner, agent.userId))
    if (random.chance(0.7)) this.#after(spanMs, (domain) => this.#invite(domain, agent, owner))
  }

  /** Sometimes removes an agent who is about to order, and invites them again later. */
  ordering(agent: Person): void {
    const random = this.#random
    const owner = this.#owners.get(agent.accountId)
    if (agent.role !== 'agent' || !owner || !random.chance(this.#world.weather.removals)) return
    const removedMs = random.spread(5, minute)
    this.#after(removedMs, (domain) => this.#agency(domain).remove(owner, agent.userId))
    this.#after(removedMs + random.spread(minute, 30 * minute), (domain) =>
      this.#invite(domain, agent, owner),
    )
  }

  #invite = async ({ store }: Domain, agent: Person, owner: Person): Promise<void> =>
    store.transaction(async (tx) => {
      if (await tx.accounts.member(agent.userId)) return
      await tx.accounts.attach({ ...agent, invitedBy: owner.userId }, this.#world.now())
    })

  /** The functions by which owners manage agents. They need no keys here. */
  #agency = ({ store, wakeOutbox }: Domain) =>
    createAgency({
      store: store as Store,
      keyring: {} as Parameters<typeof createAgency>[0]['keyring'],
      now: this.#world.now,
      onNotice: wakeOutbox,
    })

  /** Ends all changes: resumes paused agents and releases held notices. */
  end(persons: readonly Person[]): void {
    for (const person of persons) {
      this.#after(minute, ({ store }) => store.accounts.patchAgent(person.userId, { pausedAt: null }))
      for (const setting of [
        { topic: 'quiet', hours: null },
        { topic: 'summary', hour: null },
      ] as const) {
        this.#after(50 * 60 * minute, (domain) => this.#reconcileAnew(domain, person, setting))
      }
    }
  }

  #after(ms: number, work: (domain: Domain) => Promise<unknown>): void {
    this.#world.after(ms, () => {
      void this.#ask(work)
    })
  }
}
