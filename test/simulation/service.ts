import type { Bundle, OrderStatus, Pesewas, Transaction, TransactionPage } from '../../src/provider/index.ts'
import type { Phone } from '../../src/provider/phone.ts'
import type { World } from './world.ts'

/** An order that the provider carried out: money has left the wallet. */
export interface Charge {
  reference: string
  accountId: string
  /** The order of the bot that it belongs to; null: somebody else's with the same key. */
  orderId: string | null
  bundle: Bundle
  phone: Phone
  pricePesewas: Pesewas
  placedAtMs: number
  visibleAtMs: number
  status: string
  deliveredAtMs: number | null
  /** Status words that look-ups have answered. */
  answered: Set<string>
}

interface Entry {
  id: number
  type: 'debit' | 'credit'
  charge: Charge
  atMs: number
  visibleAtMs: number
}

interface Wallet {
  balancePesewas: number
  entries: Entry[]
  arrivals: number[]
}

export type Refusal = { httpStatus: 401 | 402 | 404 | 409; type: string }

/** Told of what happens at the provider. */
export interface ServiceEvents {
  onCharge: (charge: Charge) => void
  onStatus: (charge: Charge) => void
}

const minute = 60_000
const limits = [
  { lengthMs: minute, most: 60 },
  { lengthMs: 60 * minute, most: 500 },
  { lengthMs: 24 * 60 * minute, most: 5_000 },
]

const bundle = (id: number, network: string, volume: string, price: number): Bundle => ({
  id,
  network,
  volume,
  pricePesewas: price as Pesewas,
  offerSlug: `offer-${id}`,
  status: 'active',
})

/** The provider: wallets, orders and their lives. Knows nothing of how requests reach it. */
export class Service {
  readonly charges = new Map<string, Charge>()
  bundles = [bundle(1, 'MTN', '5GB', 2350), bundle(2, 'MTN', '10GB', 4300), bundle(3, 'Telecel', '2GB', 1200)]
  readonly #world: World
  readonly #events: ServiceEvents
  readonly #wallets = new Map<string, Wallet>()
  #count = 0

  constructor(world: World, events: ServiceEvents) {
    this.#world = world
    this.#events = events
  }

  open(accountId: string, balancePesewas: number): void {
    this.#wallets.set(accountId, { balancePesewas, entries: [], arrivals: [] })
  }

  balance(accountId: string): Pesewas {
    return this.#wallet(accountId).balancePesewas as Pesewas
  }

  /** The provider's own clock. */
  get nowMs(): number {
    return this.#world.nowMs + this.#world.weather.clockOffsetMs
  }

  /** Each request that the bot makes comes by here. */
  arrive(accountId: string): void {
    const { arrivals } = this.#wallet(accountId)
    const now = this.#world.nowMs
    arrivals.push(now)
    for (const { lengthMs, most } of limits) {
      const oldest = arrivals[arrivals.length - most - 1]
      if (oldest !== undefined && oldest > now - lengthMs) {
        this.#world.breaks(`more than ${most} requests of ${accountId} in ${lengthMs / 1000} s`)
      }
    }
  }

  place(accountId: string, bundleId: number, phone: Phone, orderId: string | null): Charge | Refusal {
    const wallet = this.#wallet(accountId)
    const bundle = this.bundles.find(({ id }) => id === bundleId)
    if (!bundle) return { httpStatus: 404, type: 'NOT_FOUND' }
    const pending = [...this.charges.values()].some(
      (other) =>
        other.accountId === accountId &&
        other.phone === phone &&
        (other.status === 'placed' || other.status === 'processing'),
    )
    if (pending) return { httpStatus: 409, type: 'PENDING_ORDER' }
    if (wallet.balancePesewas < bundle.pricePesewas) return { httpStatus: 402, type: 'INSUFFICIENT_BALANCE' }
    return this.#charge(wallet, { accountId, bundle, phone, orderId })
  }

  status(accountId: string, reference: string): Omit<OrderStatus, 'meta'> | null {
    const charge = this.charges.get(reference)
    if (charge?.accountId !== accountId) return null
    charge.answered.add(charge.status)
    return {
      reference,
      type: 'single',
      network: charge.bundle.network,
      volume: charge.bundle.volume,
      phone: charge.phone,
      pricePesewas: charge.pricePesewas,
      totalPricePesewas: null,
      totalQuantity: null,
      status: charge.status,
      placedAt: this.#date(charge.placedAtMs),
      deliveredAt: charge.deliveredAtMs === null ? null : this.#date(charge.deliveredAtMs),
      recipients: null,
      unreadableRecipients: 0,
    }
  }

  transactions(accountId: string, page: number, perPage: number): Omit<TransactionPage, 'meta'> {
    const { pageSize, isOrdered } = this.#world.weather.wallet
    const size = Math.min(perPage, pageSize)
    const visible = this.#wallet(accountId).entries.filter(
      ({ visibleAtMs }) => visibleAtMs <= this.#world.nowMs,
    )
    const listed = isOrdered ? visible.toSorted((a, b) => b.atMs - a.atMs || b.id - a.id) : visible
    const lastPage = Math.max(1, Math.ceil(listed.length / size))
    return {
      transactions: listed.slice((page - 1) * size, page * size).map((entry) => this.#transaction(entry)),
      unreadable: 0,
      pagination: { currentPage: page, perPage: size, total: listed.length, lastPage },
    }
  }

  #wallet(accountId: string): Wallet {
    const wallet = this.#wallets.get(accountId)
    if (!wallet) throw new Error(`There is no wallet ${accountId}.`)
    return wallet
  }

  #date(atMs: number): Date {
    return new Date(atMs + this.#world.weather.clockOffsetMs)
  }

  #transaction({ id, type, charge, atMs }: Entry): Transaction {
    const { network, volume } = charge.bundle
    const isTold = this.#world.weather.wallet.describes
    return {
      id,
      type,
      amountPesewas: charge.pricePesewas,
      description: isTold ? `${network} ${volume} for ${charge.phone}` : 'Data purchase',
      reference: charge.reference,
      balanceAfterPesewas: null,
      createdAt: this.#date(atMs),
    }
  }

  #charge(wallet: Wallet, order: Pick<Charge, 'accountId' | 'bundle' | 'phone' | 'orderId'>): Charge {
    const { random, nowMs, weather } = this.#world
    const { debitLate, longestDebitDelayMs } = weather.post
    const delayMs = random.chance(debitLate) ? random.spread(1_000, longestDebitDelayMs) : 0
    const charge: Charge = {
      ...order,
      reference: `BUD-API-SIM-${++this.#count}`,
      pricePesewas: order.bundle.pricePesewas,
      placedAtMs: nowMs,
      visibleAtMs: nowMs + delayMs,
      status: 'processing',
      deliveredAtMs: null,
      answered: new Set(),
    }
    this.charges.set(charge.reference, charge)
    this.#enter(wallet, 'debit', charge, charge.visibleAtMs)
    wallet.balancePesewas -= charge.pricePesewas
    this.#world.say('provider', () => `debit ${charge.reference} for ${charge.orderId ?? 'somebody else'}`)
    this.#events.onCharge(charge)
    this.#live(wallet, charge)
    return charge
  }

  #enter(wallet: Wallet, type: Entry['type'], charge: Charge, visibleAtMs: number): void {
    wallet.entries.push({ id: ++this.#count, type, charge, atMs: this.#world.nowMs, visibleAtMs })
  }

  #live(wallet: Wallet, charge: Charge): void {
    const { random, weather } = this.#world
    const world = this.#world
    const change = (status: string) => {
      charge.status = status
      if (status === 'delivered') charge.deliveredAtMs = world.nowMs
      world.say('provider', () => `${charge.reference} is ${status}`)
      this.#events.onStatus(charge)
    }
    this.#events.onStatus(charge)
    const takes = random.chance(weather.slowDelivery) ? random.spread(60_000, 4 * 3_600_000) : 0
    const fails = random.chance(weather.failedDelivery)
    const refunded = random.chance(0.7)
    const refundsAfter = random.spread(10_000, 3 * 3_600_000)
    const end = fails ? random.pick(['failed', 'cancelled']) : 'delivered'
    world.after(takes + random.spread(2_000, 600_000), () => {
      change(end)
      if (!fails) return
      world.after(refundsAfter, () => {
        wallet.balancePesewas += charge.pricePesewas
        this.#enter(wallet, 'credit', charge, world.nowMs)
        if (refunded) change('refunded')
      })
    })
  }
}
