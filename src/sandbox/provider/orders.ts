import { type Account, priceFor } from './accounts.ts'
import { type Bundle, catalogue } from './catalogue.ts'
import type { ProviderOrderState, ProviderTransactionState } from './control.ts'
import type { Ledger } from './ledger.ts'
import { type Refusal, refuse } from './refusal.ts'
import { apiTimestamp } from './timestamp.ts'

interface Recipient {
  phone: string
  status: string
  deliveredAtMs: number | null
  refunded: boolean
}

export interface Order {
  id: number
  reference: string
  type: 'single' | 'bulk'
  accountId: string
  bundle: Bundle
  /** For one recipient. */
  pricePesewas: number
  recipients: Recipient[]
  webhookUrl: string | null
  placedAtMs: number
}

/** A request for an order, whose form has been checked. */
export interface OrderRequest {
  type: 'single' | 'bulk'
  bundleId: number
  phones: string[]
  webhookUrl: string | null
  /** See `ProviderSettings.bulkPending`. */
  pending: 'refuse' | 'skip'
}

/** A change of one status: of the order, or of one recipient of a bulk order. */
export interface StatusChange {
  order: Order
  scope: 'order' | 'recipient'
  /** Null if the change is about a whole bulk order. */
  phone: string | null
  status: string
  deliveredAtMs: number | null
}

export type Placement =
  | { kind: 'placed'; order: Order; debit: ProviderTransactionState; changes: StatusChange[] }
  | Refusal

const finalStatuses = new Set(['delivered', 'failed', 'cancelled', 'refunded'])

/** An unknown status does not count as final, so its phone still has a pending order. */
export const isFinal = (status: string): boolean => finalStatuses.has(status)

/**
 * The status of an order, made from those of its recipients. API §4.4 does not say how to do that for a bulk order.
 * Here, if all recipients have the same status, the order has it too. If not, it is `processing` until all are
 * final. After that, it is the first of `delivered`, `failed`, `cancelled` and `refunded` that a recipient has.
 */
export const orderStatus = ({ recipients }: Pick<Order, 'recipients'>): string => {
  const statuses = new Set(recipients.map(({ status }) => status))
  const [first = 'processing'] = statuses
  if (statuses.size === 1) return first
  if (![...statuses].every(isFinal)) return 'processing'
  return ['delivered', 'failed', 'cancelled'].find((status) => statuses.has(status)) ?? 'refunded'
}

/** The time of the last delivery; null if the order is not delivered. */
export const deliveredAtMs = (order: Order): number | null =>
  orderStatus(order) === 'delivered'
    ? order.recipients.reduce((latest, each) => Math.max(latest, each.deliveredAtMs ?? 0), 0)
    : null

export const totalPesewas = (order: Order): number => order.pricePesewas * order.recipients.length

/**
 * The orders, and the changes of status that they may make.
 *
 * | from | to | money |
 * |---|---|---|
 * | (placed by a client) | `processing` | debit of price × recipients, once |
 * | `processing` | `delivered` | |
 * | `processing` | `failed`, `cancelled` | credit of the recipient's price |
 * | any | `refunded` | credit, if there was none |
 *
 * API §3 does not say which changes are possible, so the page or a test may make any other change too. Whatever the
 * changes, a recipient is credited at most once.
 */
export class Orders {
  readonly #orders: Order[] = []
  readonly #byReference = new Map<string, Order>()
  readonly #byPhone = new Map<string, Recipient[]>()
  readonly #ledger: Ledger
  readonly #clock: () => number
  readonly #word: (length: number) => string

  constructor(ledger: Ledger, clock: () => number, word: (length: number) => string) {
    this.#ledger = ledger
    this.#clock = clock
    this.#word = word
  }

  /** Oldest first. */
  all(): readonly Order[] {
    return this.#orders
  }

  find(reference: string): Order | undefined {
    return this.#byReference.get(reference)
  }

  /** An order is placed completely or not at all (API §4.2 and §4.3). */
  place(account: Account, request: OrderRequest): Placement {
    const bundle = catalogue.find(({ id }) => id === request.bundleId)
    if (!bundle) return refuse('NOT_FOUND', `There is no bundle with id ${request.bundleId}.`)
    const phones = this.#placeable(account, request)
    if (!Array.isArray(phones)) return phones
    return this.#charge(account, this.#draft(account, request, bundle, phones))
  }

  /**
   * Changes the status of one recipient. Without a phone, changes the open recipients; if none is open, those that
   * are not delivered; and if all are delivered, all of them.
   *
   * @returns the changes; those of a bulk order's recipients come before that of the order
   */
  move(order: Order, status: string, phone?: string): StatusChange[] {
    const before = orderStatus(order)
    const moved = movable(order, phone).filter((recipient) => recipient.status !== status)
    for (const recipient of moved) {
      recipient.status = status
      recipient.deliveredAtMs = status === 'delivered' ? this.#clock() : null
    }
    return changesOf(order, moved, before !== orderStatus(order))
  }

  /** Credits the price of all recipients that have one of these statuses and no credit yet, in one entry. */
  refund(order: Order, statuses: readonly string[]): ProviderTransactionState | null {
    const due = order.recipients.filter(({ status, refunded }) => !refunded && statuses.includes(status))
    if (due.length === 0) return null
    for (const recipient of due) recipient.refunded = true
    return this.#ledger.credit({
      accountId: order.accountId,
      amountPesewas: order.pricePesewas * due.length,
      description: `Refund: ${purchaseText(order.bundle, due)}`,
      reference: order.reference,
    })
  }

  #placeable(account: Account, request: OrderRequest): string[] | Refusal {
    const distinct = [...new Set(request.phones)]
    const free = distinct.filter((phone) => !this.#isPending(account, phone))
    if (request.pending === 'skip' && free.length > 0) return free
    if (distinct.length < request.phones.length) {
      return refuse('VALIDATION_ERROR', 'phones: each phone number may be in the list only once.')
    }
    if (free.length === distinct.length) return distinct
    const pending = distinct.filter((phone) => !free.includes(phone)).join(', ')
    return refuse('PENDING_ORDER', `A pending order already exists for ${pending}.`)
  }

  #isPending(account: Account, phone: string): boolean {
    const recipients = this.#byPhone.get(`${account.id} ${phone}`) ?? []
    return recipients.some(({ status }) => !isFinal(status))
  }

  #draft(account: Account, request: OrderRequest, bundle: Bundle, phones: string[]): Order {
    const id = this.#orders.length + 1
    const prefix = request.type === 'bulk' ? 'BUD-BULK' : 'BUD-API'
    return {
      id,
      // The number at the end makes the reference unique, even if the random part repeats.
      reference: `${prefix}-${this.#word(8)}-${100_000 + id}`,
      type: request.type,
      accountId: account.id,
      bundle,
      pricePesewas: priceFor(account, bundle),
      recipients: phones.map((phone) => ({
        phone,
        status: 'processing',
        deliveredAtMs: null,
        refunded: false,
      })),
      webhookUrl: request.webhookUrl,
      placedAtMs: this.#clock(),
    }
  }

  #charge(account: Account, order: Order): Placement {
    const debit = this.#ledger.debit({
      accountId: account.id,
      amountPesewas: totalPesewas(order),
      description: purchaseText(order.bundle, order.recipients),
      reference: order.reference,
    })
    if (!debit) return insufficient(this.#ledger.balance(account.id), totalPesewas(order))
    this.#keep(order)
    return { kind: 'placed', order, debit, changes: changesOf(order, order.recipients, true) }
  }

  #keep(order: Order): void {
    this.#orders.push(order)
    this.#byReference.set(order.reference, order)
    for (const recipient of order.recipients) {
      const key = `${order.accountId} ${recipient.phone}`
      this.#byPhone.set(key, [...(this.#byPhone.get(key) ?? []), recipient])
    }
  }
}

const movable = (order: Order, phone: string | undefined): Recipient[] => {
  const { recipients } = order
  if (phone !== undefined) return recipients.filter((recipient) => recipient.phone === phone)
  const open = recipients.filter(({ status }) => !isFinal(status))
  if (open.length > 0) return open
  const undelivered = recipients.filter(({ status }) => status !== 'delivered')
  return undelivered.length > 0 ? undelivered : recipients
}

const changesOf = (order: Order, moved: readonly Recipient[], orderMoved: boolean): StatusChange[] => {
  const scope = order.type === 'single' ? 'order' : 'recipient'
  const changes: StatusChange[] = moved.map((recipient) => ({
    order,
    scope,
    phone: recipient.phone,
    status: recipient.status,
    deliveredAtMs: recipient.deliveredAtMs,
  }))
  if (order.type === 'single' || !orderMoved) return changes
  const whole = { order, phone: null, status: orderStatus(order), deliveredAtMs: deliveredAtMs(order) }
  return [...changes, { ...whole, scope: 'order' }]
}

const purchaseText = (bundle: Bundle, recipients: readonly Recipient[]): string => {
  const [first] = recipients
  const whom = recipients.length === 1 && first ? first.phone : `${recipients.length} numbers`
  return `${bundle.network} ${bundle.volume} for ${whom}`
}

const inGhs = (pesewas: number): string => `GHS ${(pesewas / 100).toFixed(2)}`

const insufficient = (balance: number, cost: number): Refusal =>
  refuse(
    'INSUFFICIENT_BALANCE',
    `The wallet balance of ${inGhs(balance)} is lower than the order price of ${inGhs(cost)}.`,
  )

export const orderState = (order: Order): ProviderOrderState => {
  const delivered = deliveredAtMs(order)
  return {
    reference: order.reference,
    type: order.type,
    accountId: order.accountId,
    network: order.bundle.network,
    volume: order.bundle.volume,
    phones: order.recipients.map(({ phone, status }) => ({ phone, status })),
    pricePesewas: order.pricePesewas,
    totalPesewas: totalPesewas(order),
    status: orderStatus(order),
    placedAt: apiTimestamp(order.placedAtMs),
    deliveredAt: delivered === null ? null : apiTimestamp(delivered),
    webhookUrl: order.webhookUrl,
  }
}
