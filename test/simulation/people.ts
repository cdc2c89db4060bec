import { offerOf } from '../../src/orders/prices.ts'
import type { Person } from '../../src/orders/purchases.ts'
import type { Phone } from '../../src/provider/phone.ts'
import type { OrderRow } from './memory/rows.ts'
import type { Domain } from './process.ts'
import type { Service } from './service.ts'
import type { World } from './world.ts'

/** Runs the work in the bot that lives; a redelivered update repeats it where the bot did not live to the end. */
export type Ask = <T>(work: (domain: Domain) => Promise<T>) => Promise<T>

export interface PeopleOptions {
  world: World
  service: Service
  ask: Ask
  onPress: (purchaseId: string) => void
  /** Whether the provider charged the order: what an honest person finds out by phone. */
  wasCharged: (order: OrderRow) => boolean
}

/** People who buy: they press twice, cancel too late, order again, and judge what the bot cannot. */
export class People {
  readonly #options: PeopleOptions
  readonly #repeated = new Set<string>()
  #causes = 0

  constructor(options: PeopleOptions) {
    this.#options = options
  }

  async buy(person: Person, phone: Phone, cause = `text:${++this.#causes}`): Promise<void> {
    const { world, service, ask } = this.#options
    const { random } = world
    const bundle = random.pick(service.bundles)
    const line = { ...offerOf(bundle, service.bundles), phone }
    if (random.chance(0.3)) {
      await ask(({ prices }) => prices.list(person.accountId, 'person').catch(() => null))
    }
    const draft = await ask(({ purchases }) => purchases.draft(person, cause, [line]))
    const again = random.chance(0.1) && (await ask(({ purchases }) => purchases.draft(person, cause, [line])))
    if (again && again.id !== draft.id) world.breaks(`two purchases of one cause: ${draft.id}, ${again.id}`)
    await world.sleep(random.spread(500, random.chance(0.03) ? 4_000_000 : 60_000))
    await this.#press(draft.id, person)
    for (const waitMs of [20_000, 200_000, 900_000, 3_600_000]) {
      await world.sleep(random.spread(waitMs / 10, waitMs))
      await this.#look(draft.id, person, phone)
    }
  }

  async #press(purchaseId: string, person: Person): Promise<void> {
    const { world, ask, onPress } = this.#options
    const { random } = world
    const presses = random.pick([1, 1, 1, 2, 3])
    const confirm = async () => {
      onPress(purchaseId)
      await ask(({ purchases }) => purchases.confirm(purchaseId, person, null))
    }
    const cancel = () => ask(({ purchases }) => purchases.cancel(purchaseId, person, null))
    const acts: Promise<unknown>[] = []
    if (random.chance(0.04)) acts.push(cancel())
    else for (let press = 0; press < presses; press += 1) acts.push(later(world, press * 5, confirm))
    if (random.chance(0.08)) acts.push(later(world, random.spread(1, 5_000), cancel))
    await Promise.all(acts)
  }

  /** Comes back to a purchase and does what its card offers. */
  async #look(purchaseId: string, person: Person, phone: Phone): Promise<void> {
    const { world, service, ask, wasCharged } = this.#options
    const { random, store } = world
    const purchase = store.tables.purchases.get(purchaseId)
    if (purchase?.state === 'superseded' && purchase.successorId) {
      if (random.chance(0.5)) await this.#press(purchase.successorId, person)
      return
    }
    const row = store.tables.orders.first((order) => order.purchaseId === purchaseId)
    const order = row && (await store.orders.byId(row.id))
    if (!row || !order) return
    switch (order.placement) {
      case 'queued':
        if (random.chance(0.3)) await ask(({ purchases }) => purchases.sendAnyway(order.id, person))
        return
      case 'unconfirmed':
        // Who cannot wait orders the same in the provider's dashboard: its debit looks like this order's.
        if (random.chance(world.weather.outsiders)) {
          service.place(order.accountId, order.bundleId, phone, null)
        }
        if (random.chance(0.3)) await quietly(ask, ({ settler }) => settler.check(order.accountId))
        return
      case 'placed':
        if (random.chance(0.1)) await quietly(ask, ({ tracker }) => tracker.refresh(order))
        return
      case 'review':
        if (random.chance(0.4)) await ask(({ purchases }) => purchases.judge(order, wasCharged(row)))
        return
      case 'not_placed':
      case 'rejected':
        if (random.chance(0.3) && !this.#repeated.has(order.id)) {
          this.#repeated.add(order.id)
          void this.buy(person, phone, `again:${order.id}:0`)
        }
        return
      default:
        return
    }
  }
}

const later = async (world: World, ms: number, act: () => Promise<unknown>): Promise<void> => {
  await world.sleep(ms)
  await act()
}

/** What a person asks for may fail: they are told, and that is all. */
const quietly = (ask: Ask, work: (domain: Domain) => Promise<void>): Promise<void> =>
  ask((domain) => work(domain).catch(() => {}))
