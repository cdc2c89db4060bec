import { type ListAnswers, noAnswers } from '../../../src/domain/list-draft.ts'
import { briefId } from '../../../src/orders/buying/earlier-order.ts'
import { offerOf } from '../../../src/orders/buying/prices.ts'
import type { Person, Purchases } from '../../../src/orders/buying/purchases.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Domain } from '../bot/process.ts'
import type { OrderRow } from '../bot/tables.ts'
import type { World } from '../world.ts'
import type { Service } from './service.ts'

/** Runs the work in the living bot. If the bot dies before the end, the work is repeated, like a redelivered update. */
export type Ask = <T>(work: (domain: Domain) => Promise<T>) => Promise<T>

/** The result of pressing Confirm. */
export type Confirmation = Awaited<ReturnType<Purchases['confirm']>>

export interface ListLine {
  phone: Phone
  bundleId: number
}

export interface PeopleOptions {
  world: World
  service: Service
  ask: Ask
  /** Presses Confirm. @returns null if the press was not accepted. */
  confirm: (purchaseId: string, person: Person, after: string | null) => Promise<Confirmation | null>
  /** @param after the earlier order (`briefId`) that the card named. */
  onPress: (purchaseId: string, person: Person, after: string | null) => void
  /** @param cause the cause of the purchase that the press of Repeat makes. */
  onRepeat: (cause: string) => void
  /** @param lines the lines that Confirm orders, according to the preview. */
  onListPress: (purchaseId: string, lines: readonly ListLine[]) => void
  /** Whether the provider charged the order. An honest person would find that out by phone. */
  wasCharged: (order: OrderRow) => boolean
}

/** More numbers than fit in one order. */
const manyPhones = Array.from({ length: 300 }, (_, index) => `0241${100_000 + index}` as Phone)

/** People who buy. They press twice, cancel too late, order again, and decide what the bot cannot. */
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
    if (again && again.id !== draft.id)
      world.breaks(`the same message created two purchases, ${draft.id} and ${again.id}`)
    await world.sleep(random.spread(500, random.chance(0.03) ? 4_000_000 : 60_000))
    await this.#press(draft.id, person)
    for (const waitMs of [20_000, 200_000, 900_000, 3_600_000]) {
      await world.sleep(random.spread(waitMs / 10, waitMs))
      await this.#look(draft.id, person, phone)
    }
  }

  async #press(purchaseId: string, person: Person): Promise<void> {
    const { world, ask, confirm: confirmBy, onPress } = this.#options
    const { random } = world
    const presses = random.pick([1, 1, 1, 2, 3])
    const press = (after: string | null) => {
      onPress(purchaseId, person, after)
      return confirmBy(purchaseId, person, after)
    }
    const confirm = async () => {
      const outcome = await press(null)
      if (outcome?.kind !== 'repeated' || random.chance(0.4)) return
      await world.sleep(random.spread(500, 20_000))
      await press(briefId(outcome.earlier.order))
    }
    const cancel = () => ask(({ purchases }) => purchases.cancel(purchaseId, person, null))
    const acts: Promise<unknown>[] = []
    if (random.chance(0.04)) acts.push(cancel())
    else for (let press = 0; press < presses; press += 1) acts.push(later(world, press * 5, confirm))
    if (random.chance(0.08)) acts.push(later(world, random.spread(1, 5_000), cancel))
    await Promise.all(acts)
  }

  /** Pastes a list of numbers, confirms it, and looks at it again later. */
  async paste(person: Person, phones: readonly Phone[]): Promise<void> {
    const { world, service, ask } = this.#options
    const { random } = world
    const count = random.between(2, world.weather.lists.most)
    const numbers = count <= phones.length * 2 ? phones : manyPhones
    const lines = Array.from({ length: count }, () => {
      const bundle = random.pick(service.bundles)
      return `${random.pick(numbers)} ${bundle.volume} ${bundle.network}`
    })
    const answers: ListAnswers = { ...noAnswers, recent: 'order', questions: { duplicates: 'both' } }
    const list = { text: lines.join('\n'), fixedBundleId: null, answers }
    const cause = `list:${++this.#causes}`
    const draft = await ask(({ lists }) => lists.draft(person, cause, list))
    await this.#confirmList(person, draft.id)
    for (const waitMs of [20_000, 200_000, 900_000, 3_600_000]) {
      await world.sleep(random.spread(waitMs / 10, waitMs))
      await this.#lookAtList(person, draft.id)
    }
  }

  async #confirmList(person: Person, purchaseId: string): Promise<void> {
    const { world, ask, onListPress } = this.#options
    const { random } = world
    await ask(({ lists }) => lists.look(purchaseId).catch(() => {}))
    await world.sleep(random.spread(500, 60_000))
    const preview = await ask(({ lists }) => lists.preview(purchaseId))
    if (!preview) return
    if (random.chance(0.05)) {
      await ask(({ purchases }) => purchases.cancel(purchaseId, person, null))
      return
    }
    const presses = Array.from({ length: random.pick([1, 1, 2]) }, (_, press) =>
      later(world, press * 5, async () => {
        onListPress(purchaseId, preview.selection.send)
        await ask(({ lists }) => lists.confirm(purchaseId, person, preview.digest, null))
      }),
    )
    await Promise.all(presses)
  }

  async #lookAtList(person: Person, purchaseId: string): Promise<void> {
    const { world, ask } = this.#options
    const { random, tables } = world
    await this.decide(person, purchaseId, 0.3)
    const again = tables.purchases.first(
      ({ retryOfId, state }) => retryOfId === purchaseId && state === 'draft',
    )
    if (again && random.chance(0.5)) await this.#confirmList(person, again.id)
    const kind = random.pick(['failed', 'refused'] as const)
    if (random.chance(0.3)) await ask(({ lists }) => lists.retry(purchaseId, person, { kind }))
    if (random.chance(0.1)) await this.#judgeAll(purchaseId)
  }

  /** Continues a list that is held up, or stops it. @param stops the probability that the person stops it. */
  async decide(person: Person, purchaseId: string, stops: number): Promise<void> {
    const { world, ask } = this.#options
    if (!world.tables.purchases.get(purchaseId)?.heldById) return
    if (world.random.chance(stops)) await ask(({ lists }) => lists.stop(purchaseId, person))
    else await ask(({ lists }) => lists.goOn(purchaseId, person))
  }

  async #judgeAll(purchaseId: string): Promise<void> {
    const { world, ask, wasCharged } = this.#options
    for (const { id } of world.tables.orders.where((row) => row.purchaseId === purchaseId)) {
      const row = world.tables.orders.get(id)
      const order = row?.placement === 'review' ? await world.store.orders.byId(id) : null
      if (row && order) await ask(({ purchases }) => purchases.judge(order, wasCharged(row)))
    }
  }

  /** Presses Repeat, sometimes on two cards at the same time. */
  async #repeat(person: Person, { id, bundleId }: OrderRow, phone: Phone): Promise<void> {
    const { world, service, ask, onRepeat } = this.#options
    const { random } = world
    const bundle = service.bundles.find((each) => each.id === bundleId)
    if (!bundle) return
    const line = { ...offerOf(bundle, service.bundles), phone }
    const press = async () => {
      const cause = `again:${id}:${++this.#causes}`
      onRepeat(cause)
      const purchase = await ask(({ purchases }) => purchases.repeat(person, cause, line))
      if (purchase.state === 'draft' && random.chance(0.2)) await this.#press(purchase.id, person)
    }
    await Promise.all(Array.from({ length: random.pick([1, 1, 2]) }, (_, at) => later(world, at * 5, press)))
  }

  /** Looks at a purchase again later and does what its card offers. */
  async #look(purchaseId: string, person: Person, phone: Phone): Promise<void> {
    const { world, service, ask, wasCharged } = this.#options
    const { random, store, tables } = world
    const purchase = tables.purchases.get(purchaseId)
    if (purchase?.state === 'superseded' && purchase.successorId) {
      if (random.chance(0.5)) await this.#press(purchase.successorId, person)
      return
    }
    const row = tables.orders.first((order) => order.purchaseId === purchaseId)
    const order = row && (await store.orders.byId(row.id))
    if (!row || !order) return
    switch (order.placement) {
      case 'queued':
        if (random.chance(0.3)) await ask(({ purchases }) => purchases.sendAnyway(order.id, person))
        return
      case 'unconfirmed':
        // An impatient person orders the same bundle in the provider's dashboard. The debit looks like this order's.
        if (random.chance(world.weather.outsiders)) {
          service.place(order.accountId, order.bundleId, phone, null)
        }
        if (random.chance(0.3)) await quietly(ask, ({ reconciler }) => reconciler.check(order.accountId))
        return
      case 'placed':
        if (random.chance(0.1)) await quietly(ask, ({ tracker }) => tracker.refresh(order))
        if (random.chance(0.2)) await this.#repeat(person, row, phone)
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

/** A person's request may fail. The bot then tells them, so the error is ignored here. */
const quietly = (ask: Ask, work: (domain: Domain) => Promise<void>): Promise<void> =>
  ask((domain) => work(domain).catch(() => {}))
