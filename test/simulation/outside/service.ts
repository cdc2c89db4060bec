import { isTerminal } from '../../../src/domain/order/status.ts'
import type {
  Bundle,
  OrderStatus,
  Pesewas,
  Transaction,
  TransactionPage,
} from '../../../src/provider/index.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { World } from '../world.ts'

/** An order that the provider carried out and charged to the wallet. */
export interface Charge {
  reference: string
  accountId: string
  /** The bot's order; null if somebody else ordered with the same key. */
  orderId: string | null
  kind: 'single' | 'bulk'
  bundle: Bundle
  /** The first recipient's phone. */
  phone: Phone
  recipients: ChargedRecipient[]
  pricePesewas: Pesewas
  /** The price of all recipients together. */
  totalPesewas: Pesewas
  /** How many debits have its reference. */
  debits: number
  placedAtMs: number
  visibleAtMs: number
  /** The time from which its entry shows the reference. */
  referencedAtMs: number
  /** The time from which the look-up finds it. */
  knownAtMs: number
  status: string
  deliveredAtMs: number | null
  /** The statuses that look-ups have returned. */
  answered: Set<string>
}

export interface ChargedRecipient {
  phone: Phone
  status: string
  /** The statuses that look-ups have returned. */
  answered: Set<string>
}

interface Entry {
  id: number
  type: 'debit' | 'credit'
  charge: Charge
  amountPesewas: Pesewas
  atMs: number
  visibleAtMs: number
}

interface Wallet {
  balancePesewas: number
  entries: Entry[]
  arrivals: number[]
}

export type Refusal = { httpStatus: 401 | 402 | 404 | 409; type: string }

/** Called when something happens at the provider. */
export interface ServiceEvents {
  onCharge: (charge: Charge) => void
  /** @param recipient null: the status of the whole order. */
  onStatus: (charge: Charge, recipient: ChargedRecipient | null) => void
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

/** The provider: its wallets, orders and their statuses. It knows nothing of how requests reach it. */
export class Service {
  readonly charges = new Map<string, Charge>()
  bundles = [bundle(1, 'MTN', '5GB', 2350), bundle(2, 'MTN', '10GB', 4300), bundle(3, 'Telecel', '2GB', 1200)]
  /** The requests that arrived, for the judge. A POST is stored with its order. */
  readonly requests: {
    accountId: string | null
    atMs: number
    method: string
    path: string
    status: number | null
    orderId?: string
  }[] = []
  readonly #world: World
  readonly #events: ServiceEvents
  readonly #wallets = new Map<string, Wallet>()
  /** Former prices of bundles, each with the time when it ended. */
  readonly #formerPrices: { bundleId: number; pricePesewas: Pesewas; endedAtMs: number }[] = []
  #count = 0

  constructor(world: World, events: ServiceEvents) {
    this.#world = world
    this.#events = events
  }

  open(accountId: string, balancePesewas: number): void {
    this.#wallets.set(accountId, { balancePesewas, entries: [], arrivals: [] })
  }

  /** Adds money to the wallet. */
  topUp(accountId: string, pesewas: number): void {
    this.#wallet(accountId).balancePesewas += pesewas
  }

  changePrice(bundleId: number, byPesewas: number): void {
    this.bundles = this.bundles.map((bundle) => {
      if (bundle.id !== bundleId) return bundle
      const { pricePesewas } = bundle
      this.#formerPrices.push({ bundleId, pricePesewas, endedAtMs: this.#world.nowMs })
      return { ...bundle, pricePesewas: (pricePesewas + byPesewas) as Pesewas }
    })
  }

  /** When the bundle last had that price; null if it has it now, or never had it. */
  soldUntilMs(bundleId: number, pricePesewas: number): number | null {
    if (this.bundles.some((bundle) => bundle.id === bundleId && bundle.pricePesewas === pricePesewas))
      return null
    const last = this.#formerPrices.findLast(
      (each) => each.bundleId === bundleId && each.pricePesewas === pricePesewas,
    )
    return last?.endedAtMs ?? null
  }

  /** How many of the account's requests have arrived since that time. */
  requestsSince(accountId: string, sinceMs: number): number {
    return this.#wallet(accountId).arrivals.filter((atMs) => atMs >= sinceMs).length
  }

  balance(accountId: string): Pesewas {
    return this.#wallet(accountId).balancePesewas as Pesewas
  }

  /** The time by the provider's own clock. */
  get nowMs(): number {
    return this.#world.nowMs + this.#world.weather.clockOffsetMs
  }

  /**
   * Counts a request of the bot.
   * @param isHeldUp whether its process was suspended after it had counted the request, so that the request belongs
   * to an earlier window.
   */
  arrive(accountId: string, isHeldUp: boolean): void {
    const { arrivals } = this.#wallet(accountId)
    if (isHeldUp) return
    const now = this.#world.nowMs
    arrivals.push(now)
    for (const { lengthMs, most } of limits) {
      const oldest = arrivals[arrivals.length - most - 1]
      if (oldest !== undefined && oldest > now - lengthMs) {
        this.#world.breaks(`account ${accountId} made more than ${most} requests in ${lengthMs / 1000} s`)
      }
    }
  }

  place(accountId: string, bundleId: number, phone: Phone, orderId: string | null): Charge | Refusal {
    return this.#take('single', accountId, bundleId, [phone], orderId)
  }

  placeBulk(accountId: string, bundleId: number, phones: Phone[], orderId: string): Charge | Refusal {
    return this.#take('bulk', accountId, bundleId, phones, orderId)
  }

  /** All entries, oldest first. */
  entries() {
    return [...this.#wallets].flatMap(([accountId, { entries }]) =>
      entries.map(({ type, charge, amountPesewas, atMs, visibleAtMs }) => {
        // As long as the reference is missing, nobody can name the debit.
        const seenAtMs = Math.max(visibleAtMs, charge.referencedAtMs, charge.knownAtMs)
        return { accountId, type, amountPesewas, reference: charge.reference, atMs, visibleAtMs: seenAtMs }
      }),
    )
  }

  #take(
    kind: Charge['kind'],
    accountId: string,
    bundleId: number,
    phones: Phone[],
    orderId: string | null,
  ): Charge | Refusal {
    const wallet = this.#wallet(accountId)
    const bundle = this.bundles.find(({ id }) => id === bundleId)
    if (!bundle) return { httpStatus: 404, type: 'NOT_FOUND' }
    const pending = this.#pendingOf(accountId)
    const free = phones.filter((phone) => !pending.has(phone))
    const mayLeaveOut = kind === 'bulk' && this.#world.weather.lists.skips && free.length > 0
    if (free.length < phones.length && !mayLeaveOut) return { httpStatus: 409, type: 'PENDING_ORDER' }
    if (wallet.balancePesewas < bundle.pricePesewas * free.length) {
      return { httpStatus: 402, type: 'INSUFFICIENT_BALANCE' }
    }
    return this.#charge(wallet, { kind, accountId, bundle, phones: free, orderId })
  }

  #pendingOf(accountId: string): Set<Phone> {
    const open = [...this.charges.values()].filter((charge) => charge.accountId === accountId)
    return new Set(
      open.flatMap(({ recipients }) =>
        recipients.filter(({ status }) => !isTerminal(status)).map(({ phone }) => phone),
      ),
    )
  }

  status(accountId: string, reference: string): Omit<OrderStatus, 'meta'> | null {
    const charge = this.charges.get(reference)
    if (charge?.accountId !== accountId || charge.knownAtMs > this.#world.nowMs) return null
    const isBulk = charge.kind === 'bulk'
    const lags = isBulk && this.#world.weather.doubts.lags
    const names = isBulk && this.#world.weather.lists.names && !lags
    const status = lags ? 'processing' : charge.status
    charge.answered.add(status)
    if (!lags) for (const recipient of charge.recipients) recipient.answered.add(recipient.status)
    return {
      reference,
      type: charge.kind,
      network: charge.bundle.network,
      volume: charge.bundle.volume,
      phone: isBulk ? null : charge.phone,
      pricePesewas: charge.pricePesewas,
      totalPricePesewas: isBulk ? charge.totalPesewas : null,
      totalQuantity: isBulk ? charge.recipients.length : null,
      status,
      placedAt: this.#date(charge.placedAtMs),
      deliveredAt: lags || charge.deliveredAtMs === null ? null : this.#date(charge.deliveredAtMs),
      recipients: names
        ? charge.recipients.map(({ phone, status }) => ({ phone, status, deliveredAt: null }))
        : null,
      unreadableRecipients: 0,
    }
  }

  transactions(accountId: string, page: number, perPage: number): Omit<TransactionPage, 'meta'> {
    const { pageSize, isOrdered, isMixed } = this.#world.weather.wallet
    const size = Math.min(perPage, pageSize)
    const visible = this.#wallet(accountId).entries.filter(
      ({ visibleAtMs }) => visibleAtMs <= this.#world.nowMs,
    )
    const newestFirst = visible.toSorted((a, b) => b.atMs - a.atMs || b.id - a.id)
    const { oldestFirst, olderEntries } = this.#world.weather.doubts
    const own = (isOrdered || isMixed ? newestFirst : visible).map((entry) => this.#transaction(entry))
    const before = Array.from({ length: olderEntries }, (_, index) => this.#brought(index))
    const all = isOrdered && !isMixed ? [...own, ...before] : [...before, ...own]
    const listed = isOrdered && oldestFirst && !isMixed ? all.reverse() : all
    const lastPage = Math.max(1, Math.ceil(listed.length / size))
    return {
      transactions: listed.slice((page - 1) * size, page * size),
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

  #transaction({ id, type, charge, amountPesewas, atMs }: Entry): Transaction {
    const { network, volume } = charge.bundle
    const whom = charge.kind === 'bulk' ? `${charge.recipients.length} numbers` : charge.phone
    const isTold = this.#world.weather.wallet.describes
    return {
      id,
      type,
      amountPesewas,
      description: isTold ? `${network} ${volume} for ${whom}` : 'Data purchase',
      reference: charge.referencedAtMs > this.#world.nowMs ? null : charge.reference,
      balanceAfterPesewas: null,
      createdAt: this.#date(atMs),
    }
  }

  /** An entry from before the run. */
  #brought(index: number): Transaction {
    return {
      id: `brought ${index}`,
      type: 'credit',
      amountPesewas: 100 as Pesewas,
      description: 'Top-up',
      reference: null,
      balanceAfterPesewas: null,
      createdAt: this.#date(this.#world.startMs - 24 * 3_600_000),
    }
  }

  #charge(
    wallet: Wallet,
    { phones, ...order }: Pick<Charge, 'kind' | 'accountId' | 'bundle' | 'orderId'> & { phones: Phone[] },
  ): Charge {
    const { random, nowMs, weather } = this.#world
    const { debitLate, maxDebitDelayMs } = weather.post
    const delayMs = random.chance(debitLate) ? random.spread(1_000, maxDebitDelayMs) : 0
    const { unreferenced, unknown } = weather.doubts
    const isReferenced = !random.chance(unreferenced)
    const later = () => nowMs + random.spread(60_000, 3 * 3_600_000)
    const charge: Charge = {
      ...order,
      reference: `${order.kind === 'bulk' ? 'BUD-BULK' : 'BUD-API'}-SIM-${++this.#count}`,
      phone: phones[0] as Phone,
      recipients: phones.map((phone) => ({ phone, status: 'processing', answered: new Set() })),
      pricePesewas: order.bundle.pricePesewas,
      totalPesewas: (order.bundle.pricePesewas * phones.length) as Pesewas,
      debits: isReferenced && random.chance(weather.doubts.debitedTwice) ? 2 : 1,
      placedAtMs: nowMs,
      visibleAtMs: nowMs + delayMs,
      referencedAtMs: isReferenced ? nowMs : random.pick([later(), Number.POSITIVE_INFINITY]),
      knownAtMs: random.chance(unknown) ? later() : nowMs,
      status: 'processing',
      deliveredAtMs: null,
      answered: new Set(),
    }
    this.charges.set(charge.reference, charge)
    for (let debit = 0; debit < charge.debits; debit += 1) {
      this.#enter(wallet, 'debit', { charge, amountPesewas: charge.totalPesewas }, charge.visibleAtMs)
      wallet.balancePesewas -= charge.totalPesewas
    }
    this.#world.say('provider', () => `debit ${charge.reference} for ${charge.orderId ?? 'somebody else'}`)
    this.#events.onCharge(charge)
    this.#live(wallet, charge)
    return charge
  }

  #enter(
    wallet: Wallet,
    type: Entry['type'],
    entry: Pick<Entry, 'charge' | 'amountPesewas'>,
    visibleAtMs: number,
  ): void {
    wallet.entries.push({ ...entry, id: ++this.#count, type, atMs: this.#world.nowMs, visibleAtMs })
  }

  #live(wallet: Wallet, charge: Charge): void {
    const { random, weather } = this.#world
    const slowMs = random.chance(weather.slowDelivery) ? random.spread(60_000, 4 * 3_600_000) : 0
    this.#tell(charge, null)
    for (const recipient of charge.recipients) {
      const fails = random.chance(weather.failedDelivery)
      const end = fails ? random.pick(['failed', 'cancelled']) : 'delivered'
      const refunded = random.chance(0.7)
      const refundsAfterMs = random.spread(10_000, 3 * 3_600_000)
      this.#world.after(slowMs + random.spread(2_000, 600_000), () => {
        this.#change(charge, recipient, end)
        if (!fails) return
        this.#world.after(refundsAfterMs, () => {
          wallet.balancePesewas += charge.pricePesewas
          this.#enter(wallet, 'credit', { charge, amountPesewas: charge.pricePesewas }, this.#world.nowMs)
          if (refunded) this.#change(charge, recipient, 'refunded')
        })
      })
    }
  }

  #change(charge: Charge, recipient: ChargedRecipient, status: string): void {
    recipient.status = status
    const before = charge.status
    charge.status = wholeOf(charge.recipients)
    if (charge.status === 'delivered') charge.deliveredAtMs ??= this.#world.nowMs
    this.#world.say('provider', () => `${charge.reference} ${recipient.phone} is ${status}`)
    if (charge.kind === 'bulk') this.#tell(charge, recipient)
    if (charge.status !== before) this.#tell(charge, null)
  }

  #tell(charge: Charge, recipient: ChargedRecipient | null): void {
    const { callbacks } = this.#world.weather.lists
    const scope = recipient ? 'recipient' : 'order'
    if (charge.kind === 'single' || callbacks === 'both' || callbacks === scope) {
      this.#events.onStatus(charge, recipient)
    }
  }
}

/** The status of an order, made from those of its recipients. */
const wholeOf = (recipients: readonly ChargedRecipient[]): string => {
  const statuses = new Set(recipients.map(({ status }) => status))
  const [first = 'processing'] = statuses
  if (statuses.size === 1) return first
  if (![...statuses].every(isTerminal)) return 'processing'
  return ['delivered', 'failed', 'cancelled'].find((status) => statuses.has(status)) ?? 'refunded'
}
