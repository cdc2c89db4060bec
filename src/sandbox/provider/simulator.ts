import { type Account, type AccountChange, Accounts, demoAccounts, type NewAccount } from './accounts.ts'
import { Callbacks } from './callback-sender.ts'
import type {
  Fault,
  ProviderAccountState,
  ProviderCallbackState,
  ProviderLedger,
  ProviderOrderState,
  ProviderRequestState,
  ProviderSettings,
  ProviderState,
  ProviderTransactionState,
} from './control.ts'
import { Faults, faultDelayMs } from './faults.ts'
import { Ledger } from './ledger.ts'
import { Limits } from './limits.ts'
import { isFinal, type Order, type OrderRequest, Orders, orderState, orderStatus } from './orders.ts'
import { type Refusal, refuse } from './refusal.ts'
import { Timers } from './timers.ts'
import { apiTimestamp } from './timestamp.ts'

export interface ProviderChange {
  kind: 'order' | 'account' | 'request' | 'callback' | 'faults' | 'settings'
  /** The reference of the order, for the kinds `order` and `callback`. */
  reference?: string
}

export interface SimulatorOptions {
  settings?: Partial<ProviderSettings>
  /** Replaces the demo accounts. */
  accounts?: readonly NewAccount[]
  /** The clock for timestamps and limits, ms since 1970. Waits take real time. */
  now?: () => number
  /** Returns a number from 0 to below 1, for references and credentials. */
  random?: () => number
}

/** The default settings follow the API document, but orders are not delivered automatically. */
const defaultSettings: ProviderSettings = {
  deliverAfterMs: null,
  callbackDelayMs: 20,
  callbackRetriesMs: [1_000, 5_000, 30_000],
  callbackTimeoutMs: 5_000,
  limits: { perMinute: 60, perHour: 500, perDay: 5_000 },
  clockSkewMs: 0,
  dateByProxy: false,
  refundAfterMs: 0,
  lookUp: 'own',
  bulkRecipients: false,
  bulkCallbacks: 'recipient',
  bulkPending: 'refuse',
}

/** How many requests and callbacks `state` contains at most. */
const shown = 200

/** The simulated provider without HTTP: accounts, orders, their changes over time, and the faults. */
export class Simulator {
  // `#begin` sets these fields at the start and at each reset.
  ledger!: Ledger
  accounts!: Accounts
  orders!: Orders
  faults!: Faults
  callbacks!: Callbacks
  /** Oldest first. */
  requests!: ProviderRequestState[]
  tried!: ProviderCallbackState[]
  settings!: ProviderSettings
  #limits!: Limits
  #timers!: Timers
  readonly #openingSettings: ProviderSettings
  readonly #openingAccounts: readonly NewAccount[]
  readonly #now: () => number
  readonly #word: (length: number) => string
  readonly #listeners = new Set<(change: ProviderChange) => void>()

  constructor(options: SimulatorOptions) {
    const { now = Date.now, random = Math.random } = options
    this.#now = now
    this.#word = (length) => Array.from({ length }, () => letter(random())).join('')
    this.#openingSettings = { ...defaultSettings, ...options.settings }
    this.#begin(options.accounts ?? demoAccounts)
    this.#openingAccounts = this.accounts.states()
  }

  #begin(accounts: readonly NewAccount[]): void {
    this.settings = this.#openingSettings
    this.faults = new Faults()
    this.#limits = new Limits()
    this.#timers = new Timers()
    this.requests = []
    this.tried = []
    this.ledger = new Ledger(this.clock, this.#now)
    this.accounts = new Accounts(this.ledger, this.#word)
    this.orders = new Orders(this.ledger, this.clock, this.#word)
    this.callbacks = new Callbacks({
      faults: this.faults,
      settings: () => this.settings,
      clock: this.clock,
      onTry: (tried) => this.#recordTry(tried),
    })
    for (const account of accounts) this.accounts.add(account)
  }

  /** Resets everything to the start, including credentials. Pending deliveries and callbacks are dropped. */
  async reset(): Promise<void> {
    const ended = this.close()
    this.#begin(this.#openingAccounts)
    this.changed({ kind: 'settings' })
    await ended
  }

  /** The provider's time, which `clockSkewMs` shifts, ms since 1970. */
  readonly clock = (): number => this.#now() + this.settings.clockSkewMs

  /** For the `Date` header of an answer. */
  readonly date = (): Date => new Date(this.settings.dateByProxy ? this.#now() : this.clock())

  on(listener: (change: ProviderChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  changed(change: ProviderChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  /**
   * Counts a request with that account's API key.
   * @returns the refusal if a limit is exceeded (API §8)
   */
  admit(account: Account): Refusal | null {
    const waitMs = this.#limits.take(account.apiKey, this.settings.limits, this.#now())
    if (waitMs === 0) return null
    const retryAfterSeconds = Math.ceil(waitMs / 1_000)
    const refusal = refuse('RATE_LIMIT', `Too many requests. Try again in ${retryAfterSeconds} seconds.`)
    return { ...refusal, retryAfterSeconds }
  }

  /**
   * Places an order and starts its deliveries and callbacks.
   *
   * @returns a promise that usually resolves at once. With the fault `callback_early`, it resolves when that
   * callback was delivered.
   */
  async place(account: Account, request: Omit<OrderRequest, 'pending'>): Promise<Order | Refusal> {
    const placement = this.orders.place(account, { ...request, pending: this.settings.bulkPending })
    if (placement.kind === 'refused') return placement
    const { order, debit, changes } = placement
    const path = order.type === 'bulk' ? '/order/bulk' : '/order'
    const late = this.faults.strikePlacement('debit_late', path, account.id)
    if (late) this.ledger.hide(debit.id, this.clock() + faultDelayMs(late))
    if (this.faults.strikePlacement('debit_twice', path, account.id)) {
      const { accountId, amountPesewas, description, reference } = debit
      this.ledger.debit({ accountId, amountPesewas, description, reference })
    }
    this.#deliverLater(order)
    const early =
      order.webhookUrl !== null && this.faults.strikePlacement('callback_early', path, account.id) !== null
    this.changed({ kind: 'order', reference: order.reference })
    if (early) await this.callbacks.emitAtOnce(changes)
    else this.callbacks.emit(changes)
    return order
  }

  /**
   * Places an order as another program would that has the account's key: a single order for one number, a bulk order
   * for several. It has no callbacks.
   * @throws RangeError if there is no such account
   */
  placeElsewhere(idOrKey: string, order: { bundleId: number; phones: string[] }): Promise<Order | Refusal> {
    const type = order.phones.length === 1 ? 'single' : 'bulk'
    return this.place(this.account(idOrKey), { type, ...order, webhookUrl: null })
  }

  /**
   * Changes the status of an order, as in `Orders.move`.
   * @throws RangeError if there is no such order or recipient
   */
  setStatus(reference: string, status: string, options: { phone?: string; quiet?: boolean } = {}): void {
    const order = this.orders.find(reference)
    if (!order) throw new RangeError(`No order ${reference}`)
    const { phone, quiet = false } = options
    if (phone !== undefined && !order.recipients.some((recipient) => recipient.phone === phone)) {
      throw new RangeError(`${phone} is not a recipient of ${reference}`)
    }
    const changes = this.orders.move(order, status, phone)
    this.#refund(order)
    this.changed({ kind: 'order', reference })
    if (!quiet) this.callbacks.emit(changes)
  }

  addFault(fault: Fault): string {
    const id = this.faults.add(fault)
    this.changed({ kind: 'faults' })
    return id
  }

  /** Ends one fault, or all, and sends the callbacks that were held back. */
  endFaults(id?: string): void {
    if (id === undefined) this.faults.clear()
    else this.faults.remove(id)
    this.callbacks.releaseUnheld()
    this.changed({ kind: 'faults' })
  }

  addAccount(account: NewAccount): ProviderAccountState {
    const added = this.accounts.add(account)
    this.changed({ kind: 'account' })
    return this.accounts.state(added)
  }

  /** @throws RangeError if there is no such account */
  account(idOrKey: string): Account {
    const account = this.accounts.find(idOrKey)
    if (!account) throw new RangeError(`No account ${idOrKey}`)
    return account
  }

  changeAccount(idOrKey: string, change: AccountChange): ProviderAccountState {
    const account = this.account(idOrKey)
    this.accounts.change(account, change)
    this.changed({ kind: 'account' })
    return this.accounts.state(account)
  }

  /**
   * Charges an order again, by any amount, as if by mistake.
   * @throws RangeError if there is no such order
   */
  debit(reference: string, amountPesewas: number): void {
    const order = this.orders.find(reference)
    if (!order) throw new RangeError(`No order ${reference}`)
    const debit = this.ledger.all(order.accountId).find((entry) => entry.reference === reference)
    const description = debit?.description ?? ''
    this.ledger.debit({ accountId: order.accountId, amountPesewas, description, reference })
    this.changed({ kind: 'order', reference })
  }

  /**
   * Credits any amount for an order. So a refund can be late, in parts, or too high.
   * @throws RangeError if there is no such order
   */
  credit(reference: string, amountPesewas: number): void {
    const order = this.orders.find(reference)
    if (!order) throw new RangeError(`No order ${reference}`)
    const description = `Refund of ${reference}`
    this.ledger.credit({ accountId: order.accountId, amountPesewas, description, reference })
    this.changed({ kind: 'order', reference })
  }

  /** The account's entries as `/transactions` lists them now. */
  entries(accountId: string): ProviderTransactionState[] {
    const visible = this.ledger.visible(accountId, this.clock())
    const isMany = this.faults.strikeListing('entries_many', accountId)
    const all = isMany ? [...visible, ...olderEntries(accountId)] : visible
    return this.faults.strikeListing('entries_reversed', accountId) ? all.reverse() : all
  }

  /** Shows the account's debits that the fault `debit_late` still hides. */
  showDebits(accountId: string): void {
    this.ledger.showAll(accountId)
    this.changed({ kind: 'account' })
  }

  /** A new `deliverAfterMs` applies to orders that are placed from now on. */
  changeSettings(change: Partial<ProviderSettings>): ProviderSettings {
    this.settings = { ...this.settings, ...change }
    this.changed({ kind: 'settings' })
    return this.settings
  }

  orderStates(): ProviderOrderState[] {
    return this.orders.all().map(orderState)
  }

  books(): ProviderLedger {
    const requests = structuredClone(this.requests.map(withoutAnswer))
    return { entries: this.ledger.timed(), orders: this.orderStates(), requests }
  }

  state(): ProviderState {
    return {
      settings: this.settings,
      accounts: this.accounts.states(),
      orders: this.orderStates().reverse(),
      transactions: this.ledger.all().reverse(),
      faults: this.faults.states(),
      requests: this.requests.slice(-shown).reverse().map(withoutAnswer),
      callbacks: this.tried.slice(-shown).reverse(),
    }
  }

  async close(): Promise<void> {
    this.#timers.close()
    await this.callbacks.close()
  }

  #deliverLater(order: Order): void {
    const { deliverAfterMs } = this.settings
    if (deliverAfterMs === null) return
    this.#timers.after(deliverAfterMs, () => {
      if (!isFinal(orderStatus(order))) this.setStatus(order.reference, 'delivered')
    })
  }

  #refund(order: Order): void {
    const { refundAfterMs } = this.settings
    this.orders.refund(order, refundAfterMs === 0 ? ['refunded', 'failed', 'cancelled'] : ['refunded'])
    if (!refundAfterMs) return
    this.#timers.after(refundAfterMs, () => {
      const credit = this.orders.refund(order, ['refunded', 'failed', 'cancelled'])
      if (credit) this.changed({ kind: 'order', reference: order.reference })
    })
  }

  #recordTry(tried: ProviderCallbackState): void {
    this.tried.push(tried)
    this.changed({ kind: 'callback', reference: tried.reference })
  }
}

const withoutAnswer = ({ answer: _, ...request }: ProviderRequestState) => request

/**
 * Older entries of a wallet, for the fault `entries_many`. All have the same time, as if they had been imported
 * together.
 */
const olderEntries = (accountId: string): ProviderTransactionState[] =>
  Array.from({ length: 250 }, (_, index) => ({
    id: 9_000_000 + index,
    type: 'credit' as const,
    accountId,
    amountPesewas: 100,
    description: 'Brought over',
    reference: `TOPUP-${index}`,
    balanceAfterPesewas: 0,
    createdAt: apiTimestamp(Date.UTC(2025, 0, 1)),
  }))

/** One of 32 letters and digits that people do not easily confuse. @param random from 0 to below 1 */
const letter = (random: number): string => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.charAt(Math.floor(random * 32))
