import { digestSubject, type NoticeContent } from '../../../src/domain/notice.ts'
import { isOtherCharge } from '../../../src/domain/order/order.ts'
import { leaseReserveMs, mayGo, sendLeaseMs } from '../../../src/domain/order/placement.ts'
import { haveAllRecipientsEnded } from '../../../src/domain/order/recipient-ends.ts'
import { isTerminal, rankOf } from '../../../src/domain/order/status.ts'
import { isUncertain } from '../../../src/domain/order/uncertainty.ts'
import { windows } from '../../../src/wallets/budget.ts'
import type { OrderRow, PurchaseRow } from '../bot/tables.ts'
import type { Press } from '../bot/updates.ts'
import type { Charge, Service } from '../outside/service.ts'
import type { Telegram } from '../outside/telegram.ts'
import type { World } from '../world.ts'
import { WishesWatch } from './wishes-watch.ts'

/** The placements of an order that has cost the wallet money, or may still do so. */
const mayCost = ['queued', 'sending', 'unconfirmed', 'review', 'placed']

/** If an attempt began before its network went down, this much time may pass until its first byte. */
const toSendMs = 120_000

/**
 * The longest time between the request for prices and the first byte. It includes a query to a database that does not
 * answer, and a wrong clock.
 */
const fromPriceToByteMs = 25_000

/** How far clocks may drift apart in such a short time. */
const toleranceMs = 50

/** Observes the run and reports broken promises, after each step and when everything has come to rest. */
export class Watch {
  readonly wishes: WishesWatch
  readonly #world: World
  readonly #presses = new Map<string, number>()
  readonly #chargesOfOrder = new Map<string, Charge[]>()
  readonly #chargesOfPurchase = new Map<string, number>()
  /** For each list, how often each number was confirmed with a bundle, and how often it was charged. */
  readonly #confirmed = new Map<string, Map<string, number>>()
  readonly #chargedLines = new Map<string, Map<string, number>>()
  /** When lists were closed. */
  readonly #closed = new Map<string, number>()
  readonly #seen = new Map<string, OrderRow>()
  /** When each order became `sending`, by the one clock that is right. */
  readonly #sendingSince = new Map<string, number>()
  /** Accounts whose credentials were known to be refused at the end of the last step. */
  #refused = new Set<string>()
  /** Orders that a person was asked to review. */
  readonly #reviewed = new Set<string>()
  /** References that callbacks named before the order had a proven one. */
  readonly #named = new Map<string, string>()
  /**
   * References of other charges that callbacks to an order's own address named. They are false, but may seem to fit.
   */
  readonly #misnamed = new Map<string, Set<string>>()
  /** Networks that were down at the end of the last step, and since when. */
  #down = new Map<string, number>()
  #wasPaused = false
  /** When the bot learned the outcome of each order whose outcome was unknown before. */
  readonly #settledAt = new Map<string, number>()
  /** When each order's newest refund became known. */
  readonly #refundedAt = new Map<string, number>()
  readonly #changedOrders: () => OrderRow[]
  readonly #changedPurchases: () => PurchaseRow[]
  #version = -1
  /** How many orders have the reference of another order because nothing distinguishes the two orders. */
  mistaken = 0

  constructor(world: World) {
    const { orders, purchases } = world.tables
    this.#world = world
    this.#changedOrders = orders.changes()
    this.#changedPurchases = purchases.changes()
    this.wishes = new WishesWatch(world)
  }

  pressed(purchaseId: string): void {
    this.#presses.set(purchaseId, (this.#presses.get(purchaseId) ?? 0) + 1)
  }

  leftOut({ userId, purchaseId }: Press): void {
    if (this.#world.tables.members.get(userId))
      this.#world.breaks(
        `user ${userId}'s press of Confirm on purchase ${purchaseId} was dropped as flooding`,
      )
  }

  /** A person confirms these lines of a list. A second press of the same list does not count again. */
  pressedList(purchaseId: string, lines: readonly { phone: string; bundleId: number }[]): void {
    this.#confirmed.set(purchaseId, counts(lines.map(({ phone, bundleId }) => `${phone} ${bundleId}`)))
  }

  wasCharged(order: OrderRow): boolean {
    return (this.#chargesOfOrder.get(order.id)?.length ?? 0) > 0
  }

  /** The bot has answered 200 to a callback to the order's own address that names this reference. */
  acknowledged(charge: Charge, reference: string): void {
    const order = this.#world.tables.orders.get(charge.orderId ?? '')
    if (!order) return
    if (reference !== charge.reference) {
      this.#misnamed.set(order.id, (this.#misnamed.get(order.id) ?? new Set()).add(reference))
    } else if (order.reference === null || order.inferred) {
      this.#named.set(order.id, reference)
    }
  }

  /** @param resumedAtMs when the sending process last resumed after it was suspended. */
  firstByte(orderId: string, resumedAtMs: number, service: Service): void {
    const order = this.#world.tables.orders.get(orderId)
    if (order) this.#checkPrice(order, resumedAtMs, service)
    const downAtMs = Math.max(this.#down.get(order?.network ?? '') ?? Number.POSITIVE_INFINITY, resumedAtMs)
    if (this.#world.nowMs - downAtMs > toSendMs)
      this.#world.breaks(`order ${orderId} was sent although its network ${order?.network} is marked as down`)
    if (order?.placement !== 'sending') {
      this.#world.breaks(`order ${orderId} was sent while it was ${order?.placement} instead of sending`)
    } else if (
      this.#world.nowMs - (this.#sendingSince.get(orderId) ?? 0) >
      sendLeaseMs - leaseReserveMs + toleranceMs
    ) {
      this.#world.breaks(`order ${orderId} was sent with too little time left on its lease`)
    } else if (order.listed) this.#checkTurn(order)
  }

  /** The price at which an order is sent is at most some seconds old, or a minute if half of the requests are used. */
  #checkPrice(
    { id, accountId, bundleId, unitPricePesewas }: OrderRow,
    resumedAtMs: number,
    service: Service,
  ): void {
    const { nowMs } = this.#world
    const endedAtMs = service.soldUntilMs(bundleId, unitPricePesewas)
    if (endedAtMs === null) return
    const isHalfUsed = windows.some(
      ({ lengthMs, limit }) => service.requestsSince(accountId, nowMs - lengthMs - toSendMs) >= limit / 2,
    )
    const mostMs = (isHalfUsed ? 60_000 : 5_000) + fromPriceToByteMs
    const agoMs = nowMs - Math.max(endedAtMs, resumedAtMs)
    if (agoMs > mostMs)
      this.#world.breaks(
        `order ${id} was sent at ${unitPricePesewas} pesewas, a price that ended ${agoMs} ms ago`,
      )
  }

  /** The orders of a list are sent one after another, and none is sent while the rest is held up. */
  #checkTurn({ id, purchaseId }: OrderRow): void {
    const { orders, purchases } = this.#world.tables
    const isBeside = (row: OrderRow) =>
      row.purchaseId === purchaseId && row.id !== id && row.placement === 'sending'
    if (orders.first(isBeside))
      this.#world.breaks(`order ${id} was sent while another order of its list was being sent`)
    if (purchases.get(purchaseId)?.heldById)
      this.#world.breaks(`order ${id} was sent although its list is on hold`)
  }

  /** A process has received the answer to the order's own POST with this reference, and has had time to store it. */
  answered(orderId: string, reference: string): void {
    const { orders } = this.#world.tables
    const order = orders.get(orderId)
    const holder = orders.first((row) => row.reference === reference)
    const isKept = order?.reference === reference || order?.otherReference === reference
    if (order?.placement !== 'placed' || order.inferred || isKept || holder?.inferred === false) return
    this.#world.breaks(
      `order ${orderId} keeps the reference ${order.reference} and has lost ${reference}, which its own answer named`,
    )
  }

  charged(charge: Charge): void {
    if (charge.orderId === null) return
    const order = this.#world.tables.orders.get(charge.orderId)
    if (!order) {
      this.#world.breaks(
        `debit ${charge.reference} is for order ${charge.orderId}, which is not in the database`,
      )
      return
    }
    this.#chargesOfOrder.set(order.id, [...(this.#chargesOfOrder.get(order.id) ?? []), charge])
    if (order.listed) {
      this.#chargedList(order, charge)
      return
    }
    const debits = (this.#chargesOfPurchase.get(order.purchaseId) ?? 0) + 1
    this.#chargesOfPurchase.set(order.purchaseId, debits)
    const isPressed = this.#presses.has(order.purchaseId) || this.wishes.isRepeat(order.purchaseId)
    const confirmations = isPressed ? 1 : 0
    if (debits > confirmations) {
      this.#world.breaks(
        `purchase ${order.purchaseId} was debited ${debits} times but confirmed ${confirmations} times`,
      )
    }
  }

  /** Each number is charged at most as often as it was confirmed with that bundle, and each order once. */
  #chargedList({ id, purchaseId }: OrderRow, charge: Charge): void {
    if ((this.#chargesOfOrder.get(id)?.length ?? 0) > 1) this.#world.breaks(`order ${id} was charged twice`)
    const charges = this.#chargedLines.get(purchaseId) ?? new Map<string, number>()
    this.#chargedLines.set(purchaseId, charges)
    for (const { phone } of charge.recipients) {
      const line = `${phone} ${charge.bundle.id}`
      const debits = (charges.get(line) ?? 0) + 1
      charges.set(line, debits)
      const most = this.#confirmed.get(purchaseId)?.get(line) ?? 0
      if (debits > most) {
        this.#world.breaks(
          `list ${purchaseId}: number and bundle “${line}” were debited ${debits} times but confirmed ${most} times`,
        )
      }
    }
  }

  /** Called after each step. */
  look(service: Service): void {
    const { version } = this.#world.tables
    if (version === this.#version) return
    this.#version = version
    for (const order of this.#changedOrders()) {
      const before = this.#seen.get(order.id)
      if (before === order) continue
      this.#seen.set(order.id, order)
      if (before) this.#compare(before, order, service)
      else if (order.placement === 'queued' && order.reason === null) {
        this.#checkLimit(order)
        if (this.#isDown(order.network))
          this.#world.breaks(
            `order ${order.id} was confirmed although its network ${order.network} is marked as down`,
          )
        if (this.#isPaused())
          this.#world.breaks(`order ${order.id} was confirmed although all orders are paused`)
        this.wishes.confirmed(order)
      }
      this.#check(order)
    }
    this.#lookAtLists()
    this.wishes.look()
    this.#lookAtKeys()
    this.#lookAtNetworks()
    this.#wasPaused = this.#isMaintenance()
  }

  #isMaintenance(): boolean {
    return Boolean(this.#world.tables.facts.get('maintenance')?.value)
  }

  /** Whether all orders were paused before this step and still are. */
  #isPaused(): boolean {
    return this.#wasPaused && this.#isMaintenance()
  }

  /** Whether the network was down before this step and still is. */
  #isDown(network: string): boolean {
    return this.#down.has(network) && this.#networksDown().has(network)
  }

  #networksDown(): Set<string> {
    const fact = this.#world.tables.facts.get('networks_down')
    return new Set(Object.keys(JSON.parse(fact?.value ?? '{}')))
  }

  #lookAtNetworks(): void {
    const down = this.#networksDown()
    for (const network of this.#down.keys()) if (!down.has(network)) this.#down.delete(network)
    for (const network of down) if (!this.#down.has(network)) this.#down.set(network, this.#world.nowMs)
  }

  #lookAtKeys(): void {
    const refused = this.#world.tables.accounts.where(({ unauthorizedSince }) => unauthorizedSince !== null)
    this.#refused = new Set(refused.map(({ id }) => id))
  }

  /** Nothing is sent with a key that is known to be refused. */
  #checkKey({ id, accountId }: OrderRow): void {
    const isRefused = this.#world.tables.accounts.get(accountId)?.unauthorizedSince != null
    if (isRefused && this.#refused.has(accountId))
      this.#world.breaks(`order ${id} is being sent although its account’s key is known to be refused`)
  }

  /** If debits show that the key is used elsewhere too, an inferred debit is announced as likely, not as certain. */
  #checkInference(order: OrderRow, service: Service): void {
    const held = service.charges.get(order.reference ?? '')
    if (!order.inferred || order.reason === 'likely' || !held) return
    const foreign = [...service.charges.values()].find((charge) =>
      this.#isPlainlyForeign(charge, order, held),
    )
    if (foreign)
      this.#world.breaks(
        `order ${order.id} took debit ${order.reference} as certain, although debit ${foreign.reference} shows that the key is also used elsewhere`,
      )
    if (held.orderId !== order.id && held.kind === 'bulk' && !isSameNumbers(order, held)) {
      this.#world.breaks(
        `bulk order ${order.id} was matched by guessing to debit ${order.reference} of ${ownerOf(held)}`,
      )
    }
  }

  /**
   * Whether a debit is clearly somebody else's: it was visible in the same read as the order's debit, and no order
   * here has its bundle or its reference.
   */
  #isPlainlyForeign(charge: Charge, order: OrderRow, held: Charge): boolean {
    const { orders } = this.#world.tables
    const isClear = charge.referencedAtMs === charge.placedAtMs && charge.knownAtMs === charge.placedAtMs
    return (
      charge.orderId === null &&
      charge.accountId === order.accountId &&
      isClear &&
      charge.placedAtMs >= held.placedAtMs &&
      charge.visibleAtMs <= held.visibleAtMs &&
      orders.first(
        (row) =>
          row.accountId === charge.accountId &&
          (row.bundleId === charge.bundle.id || row.reference === charge.reference),
      ) === undefined
    )
  }

  /** An agent's newest purchase is within what was left of their daily limit. */
  #checkLimit({ id, userId, accountId, createdAt }: OrderRow): void {
    const { orders, members } = this.#world.tables
    const limit = members.get(userId)?.dailyLimitPesewas ?? null
    if (limit === null) return
    const day = createdAt.toISOString().slice(0, 10)
    const spent = orders
      .where((row) => row.accountId === accountId && row.userId === userId)
      .filter((row) => row.createdAt.toISOString().startsWith(day) && mayCost.includes(row.placement))
      // A charge beyond the price, and its refund, do not concern the agent.
      .map(({ chargedPesewas, unitPricePesewas, quantity, refundedPesewas, extraPesewas }) => {
        const extra = extraPesewas ?? 0
        const own = (chargedPesewas ?? unitPricePesewas * quantity) - extra
        return own - Math.max(0, (refundedPesewas ?? 0) - extra)
      })
      .reduce((sum, each) => sum + Math.max(0, each), 0)
    if (spent > limit)
      this.#world.breaks(
        `order ${id} brings agent ${userId}'s spending today to ${spent} pesewas, above the limit of ${limit}`,
      )
  }

  #lookAtLists(): void {
    for (const { id, kind, closedAt } of this.#changedPurchases()) {
      if (kind !== 'list') continue
      const before = this.#closed.get(id)
      if (before !== undefined && closedAt?.getTime() !== before)
        this.#world.breaks(`list ${id} was closed twice`)
      if (closedAt) this.#closed.set(id, closedAt.getTime())
    }
  }

  #check(order: OrderRow): void {
    const { id, placement, leaseToken, leaseUntil, reference, inferred, reconcileAt } = order
    if (placement === 'review') this.#reviewed.add(id)
    if (placement === 'sending' && (leaseToken === null || leaseUntil === null)) {
      this.#world.breaks(`order ${id} is sending but has no lease`)
    }
    if ((placement === 'placed') !== (reference !== null)) {
      this.#world.breaks(
        `order ${id} is ${placement} but ${reference === null ? 'has no reference' : `has the reference ${reference}`}`,
      )
    }
    if (placement === 'placed' && !inferred && reconcileAt !== null) {
      this.#world.breaks(`order ${id} is proven, but the search for its debit is still scheduled`)
    }
  }

  #compare(before: OrderRow, after: OrderRow, service: Service): void {
    const { id } = after
    this.wishes.changed(before, after)
    if (after.refundedPesewas !== before.refundedPesewas) this.#refundedAt.set(id, this.#world.nowMs)
    if (after.leaseToken !== before.leaseToken) this.#sendingSince.set(id, this.#world.nowMs)
    if (before.placement !== after.placement) {
      this.#world.say('order', () => `${id}: ${before.placement} → ${after.placement} ${after.reason ?? ''}`)
      if (!mayGo(before.placement, after.placement) || (before.placement === 'placed' && !before.inferred)) {
        this.#world.breaks(
          `order ${id} went from ${before.placement} to ${after.placement}, which is not allowed`,
        )
      }
      if (isReconciling(before, after)) this.#settledAt.set(id, this.#world.nowMs)
      else if (after.placement === 'unconfirmed') this.#settledAt.delete(id)
      if (after.placement === 'sending') this.#checkKey(after)
      if (after.placement === 'placed') this.#checkInference(after, service)
      return
    }
    if (before.status === after.status) return
    this.#world.say('order', () => `${id}: ${before.status} → ${after.status} ${after.statusReported}`)
    const fell = rankOf(after.status ?? '') < rankOf(before.status ?? '')
    const charge = service.charges.get(after.reference ?? '')
    if (fell && !charge?.answered.has(after.status ?? '')) {
      this.#world.breaks(
        `the status of order ${id} fell from ${before.status} to ${after.status}, which no look-up has returned`,
      )
    }
  }

  /** Called long after all faults have ended. */
  conclude(service: Service, telegram: Telegram): void {
    const { orders, notices } = this.#world.tables
    for (const order of orders.all()) this.#concludeOrder(order, service, telegram)
    for (const charge of service.charges.values()) this.#concludeCharge(charge, service, telegram)
    this.#concludeLists(telegram)
    this.#concludeWarnings(telegram)
    this.wishes.conclude(telegram, (subject) => this.#isSetAside(subject))
    const owed = notices.where(({ setAsideAt }) => setAsideAt === null)
    if (owed.length > 0)
      this.#world.breaks(
        `${owed.length} messages are still queued at the end, for example ${JSON.stringify(owed[0])}`,
      )
  }

  #concludeOrder(order: OrderRow, service: Service, telegram: Telegram): void {
    const { id, placement, reference, purchaseId } = order
    if (placement === 'queued' || placement === 'sending' || placement === 'unconfirmed') {
      this.#world.breaks(
        `order ${id} has no outcome at the end: it is ${placement} (reason: ${order.reason})`,
      )
      return
    }
    const shown = telegram.cards.get(purchaseId)?.find((each) => each.id === id)
    const isTrue =
      shown?.placement === placement &&
      shown.status === order.status &&
      shown.statusReported === order.statusReported
    const isExcused = telegram.drawnInTurns.has(purchaseId) || this.#isSetAside(`purchase:${purchaseId}`)
    if (!isTrue && !isExcused) {
      this.#world.breaks(
        `the card of order ${id} shows ${JSON.stringify(shown)}, but the order is ${placement} with the status ${order.status}`,
      )
    }
    this.#concludeOutcome(order, telegram)
    if (reference !== null) this.#concludePlaced(order, service.charges.get(reference), telegram)
  }

  /** If the person was told that an order's outcome is unknown, they were later told the outcome. */
  #concludeOutcome(order: OrderRow, telegram: Telegram): void {
    const { id, chatId: whom, placement } = order
    const sinceMs = this.#settledAt.get(id)
    if (sinceMs === undefined || this.#isSetAside(`order:${id}`) || this.#isSetAside(digestSubject)) return
    // Before that time, another order may have held up the list.
    const sentMs = this.#sendingSince.get(id) ?? 0
    const isDoubtTold = telegram.told.some(
      ({ chatId, content, atMs }) =>
        chatId === whom && atMs >= sentMs && atMs < sinceMs && isAboutDoubt(content, order),
    )
    if (!isDoubtTold) return
    const isTold = telegram.told.some(
      ({ chatId, content, atMs }) => chatId === whom && atMs >= sinceMs && isAboutOutcome(content, order),
    )
    if (!isTold)
      this.#world.breaks(
        `chat ${whom} was told that order ${id} is in doubt, but never that it turned out to be ${placement}`,
      )
  }

  #concludePlaced(order: OrderRow, charge: Charge | undefined, telegram: Telegram): void {
    const { id, status } = order
    if (charge?.accountId !== order.accountId) {
      this.#world.breaks(`order ${id} has the reference ${order.reference}, which is not in its wallet`)
      return
    }
    if (charge.orderId !== id) {
      this.mistaken += 1
      if (!isAlike(order, charge))
        this.#world.breaks(`order ${id} has the debit of ${ownerOf(charge)}, which does not match it`)
    }
    const isUnseen = isTerminal(status) && status !== 'delivered' && charge.status !== 'delivered'
    const unseenRefund = isUnseen && isTerminal(charge.status)
    const isLagging = charge.kind === 'bulk' && this.#world.weather.doubts.lags
    if (!isLagging && (order.statusReported || (status !== charge.status && !unseenRefund))) {
      this.#world.breaks(
        `order ${id} ended as ${status}${order.statusReported ? ' (only reported by a callback)' : ''}, but the provider has ${charge.status}`,
      )
    }
    this.#concludeMoney(order, charge, telegram)
    if (order.listed) {
      this.#concludeTurn(order, telegram)
      this.#concludeRecipients(order, charge)
      return
    }
    const isTold = (whom: number) =>
      telegram.told.some(({ chatId, content }) => chatId === whom && isAboutEnd(content, order))
    const isExcused = this.#isSetAside(`order:${id}`) || this.#isSetAside(digestSubject)
    if (!isTerminal(status) || isExcused) return
    if (!isTold(order.chatId) && !this.wishes.isSilent(order)) {
      this.#world.breaks(`chat ${order.chatId} was not told that order ${id} is ${status}`)
    }
    if (order.ownerChatId !== null && status !== 'delivered' && !isTold(order.ownerChatId)) {
      this.#world.breaks(`the owner in chat ${order.ownerChatId} was not told that order ${id} is ${status}`)
    }
  }

  /**
   * If an order failed after its list had closed without a message, the person was told, whatever its status was
   * later.
   */
  #concludeTurn(order: OrderRow, telegram: Telegram): void {
    const turnedAtMs = this.wishes.turnedAtMs(order.id)
    if (turnedAtMs === null || this.#isSetAside(`order:${order.id}`) || this.#isSetAside(digestSubject))
      return
    const isTold = telegram.told.some(
      ({ chatId, atMs, content }) =>
        chatId === order.chatId && atMs >= turnedAtMs && isAbout(content, order, 'status'),
    )
    if (!isTold)
      this.#world.breaks(
        `chat ${order.chatId} was not told that order ${order.id} failed after its list had closed`,
      )
  }

  /**
   * The person was told of charges beyond the confirmed price, of refunds, and of debits that may be a second order.
   */
  #concludeMoney(order: OrderRow, charge: Charge, telegram: Telegram): void {
    const { id, inferred, chargedPesewas, acceptedQuantity, quantity, otherReference, status } = order
    const allPesewas = charge.totalPesewas * charge.debits
    if (inferred && charge.debits > 1 && chargedPesewas !== allPesewas) {
      this.#world.breaks(
        `order ${id} was charged ${allPesewas} pesewas, but the bot has stored ${chargedPesewas}`,
      )
    }
    const tells = (about: string, sinceMs = 0) =>
      telegram.told.some(
        ({ chatId, content, atMs }) =>
          chatId === order.chatId && atMs >= sinceMs && isAbout(content, order, about),
      )
    if (this.#isSetAside(`order:${id}`) || this.#isSetAside(digestSubject)) return
    const isTold = tells('other_price') || (order.extraPesewas !== null && tells('overcharged'))
    if (isOtherCharge(order, chargedPesewas, acceptedQuantity ?? quantity) && !isTold) {
      this.#world.breaks(
        `chat ${order.chatId} was not told that order ${id} was charged ${chargedPesewas} pesewas instead of the confirmed price`,
      )
    }
    // If the record says `refunded`, the person was already told of the full refund.
    const refundedAtMs = status === 'refunded' ? undefined : this.#refundedAt.get(id)
    if (refundedAtMs !== undefined && order.refundedPesewas !== null && !tells('refund', refundedAtMs)) {
      this.#world.breaks(
        `chat ${order.chatId} was not told that ${order.refundedPesewas} pesewas of order ${id} were refunded`,
      )
    }
    if (otherReference !== null && !tells('two_references')) {
      this.#world.breaks(
        `chat ${order.chatId} was not told that order ${id} has a second reference, ${otherReference}`,
      )
    }
  }

  /** The status of each number is the provider's own, or is marked as reported. */
  #concludeRecipients(order: OrderRow, charge: Charge): void {
    if (order.kind === 'single' || charge.orderId !== order.id) return
    for (const { phone, status, reported } of order.recipients) {
      const truth = charge.recipients.find((recipient) => recipient.phone === phone)
      if (status === null || reported || !isTerminal(status)) continue
      const isBack =
        status !== 'delivered' && isTerminal(truth?.status ?? null) && truth?.status !== 'delivered'
      if (truth?.status !== status && !isBack) {
        this.#world.breaks(
          `number ${phone} of order ${order.id} ended as ${status}, but the provider has ${truth?.status}`,
        )
      }
    }
  }

  /** A list without open orders is closed, and its person got the closing message. */
  #concludeLists(telegram: Telegram): void {
    const { purchases, orders } = this.#world.tables
    const isConfirmed = (row: PurchaseRow) => row.kind === 'list' && row.state === 'confirmed'
    for (const { id, closedAt } of purchases.where(isConfirmed)) {
      const mayStay = orders.first((row) => row.purchaseId === id && this.#mayStayOpen(row)) !== undefined
      if (!closedAt && !mayStay) this.#world.breaks(`list ${id} was never closed`)
      const isTold = telegram.told.some(
        ({ content }) => content.kind === 'list' && content.purchaseId === id && content.what === 'done',
      )
      if (closedAt && !isTold && !this.#isSetAside(`list:${id}`) && !this.wishes.isListSilent(id)) {
        this.#world.breaks(`nobody was told that list ${id} is done`)
      }
    }
  }

  /**
   * A warning that is over is no longer shown. A warning is not checked if the process that sent it ended before it
   * stored the message.
   */
  #concludeWarnings(telegram: Telegram): void {
    const { orders, purchases } = this.#world.tables
    for (const { chatId, orderId, purchaseId, state, isNoted } of telegram.warnings.values()) {
      const order = orders.get(orderId)
      if (!order || !isNoted || this.#isSetAside(`order:${orderId}`)) continue
      const holds = purchases.get(purchaseId)?.heldById === orderId
      const isTrue = state === 'over' || (state === 'asked' && holds) || isUncertain(order)
      if (!isTrue)
        this.#world.breaks(
          `chat ${chatId} still shows a warning about order ${orderId}, which is ${order.placement}`,
        )
    }
  }

  /**
   * Whether the order may stay open: a person is asked about it, or its record does not change and callbacks have not
   * reported every number.
   */
  #mayStayOpen(order: OrderRow): boolean {
    if (order.placement === 'review') return true
    return this.#world.weather.doubts.lags && order.kind === 'bulk' && !haveAllRecipientsEnded(order)
  }

  #concludeCharge(charge: Charge, service: Service, telegram: Telegram): void {
    const { orders } = this.#world.tables
    if (charge.orderId === null) return
    const order = orders.get(charge.orderId)
    if (order?.reference === charge.reference) return
    const holder = orders.first(({ reference }) => reference === charge.reference)
    const isMisled = [order, holder].some(
      (each) => each && this.#misnamed.get(each.id)?.has(each.reference ?? ''),
    )
    if (this.#named.get(charge.orderId) === charge.reference && !isMisled) {
      this.#world.breaks(
        `order ${charge.orderId} does not have the reference ${charge.reference}, although a callback to its own address named it`,
      )
    }
    // The only evidence was the debit of an order made elsewhere with the same key, so the order counts as mistaken.
    if (this.#isByElsewhere(order, service)) return
    if (isMisled) return
    // Equal orders may have been confused. A person who was asked about one was told about all of them.
    const isTold = (other: OrderRow) =>
      isAlike(other, charge) && (other.reference === charge.reference || this.#reviewed.has(other.id))
    if (orders.where(isTold).length > 0) return
    const offsetMs = this.#world.weather.clockOffsetMs
    if (telegram.told.some(({ content }) => isInDoubt(content, charge, offsetMs))) return
    this.#world.breaks(
      `debit ${charge.reference} of order ${charge.orderId} (${order?.placement}, reference ${order?.reference}) was neither matched to the order nor reported to anybody`,
    )
  }

  /**
   * Whether the order's debit belongs to an order made elsewhere. If it belongs to another order here, that order's
   * debit is checked in turn.
   */
  #isByElsewhere(order: OrderRow | undefined, service: Service): boolean {
    const passed = new Set<OrderRow>()
    for (let each = order; each?.inferred && !passed.has(each); ) {
      passed.add(each)
      const holds = service.charges.get(each.reference ?? '')
      if (holds?.orderId === null) return true
      each = this.#world.tables.orders.get(holds?.orderId ?? '')
    }
    return false
  }

  #isSetAside(subject: string): boolean {
    const { notices } = this.#world.tables
    return notices.first((notice) => notice.subject === subject && notice.setAsideAt !== null) !== undefined
  }
}

/** Whether the notice says how the order ended. */
const isAboutEnd = (content: NoticeContent, order: OrderRow): boolean =>
  isAbout(content, order, 'status') &&
  (content.kind !== 'announce' || content.what.about !== 'status' || content.what.status === order.status)

/** Whether the order's outcome was unknown, and its person now learns it or is asked about it. */
const isReconciling = (before: OrderRow, after: OrderRow): boolean =>
  before.placement === 'unconfirmed' || (before.placement === 'review' && after.placement === 'placed')

/** Whether the notice gives the outcome of an order that was uncertain, and not only says that it is unknown. */
const isAboutOutcome = (content: NoticeContent, order: OrderRow): boolean => {
  const isDoubt =
    content.kind === 'announce' && content.what.about === 'placement' && content.what.while === 'unconfirmed'
  const isEdit = content.kind === 'warning' && content.orderId === order.id
  return (
    isEdit ||
    (!isDoubt && ['proof', 'other_reference', 'placement'].some((about) => isAbout(content, order, about)))
  )
}

/** Whether the notice says that the order's outcome is unknown. */
const isAboutDoubt = (content: NoticeContent, order: OrderRow): boolean =>
  content.kind === 'list'
    ? content.what === 'held' && content.purchaseId === order.purchaseId
    : isAbout(content, order, 'placement')

/** Whether the notice is about that order and topic, or is a digest that includes news of the order. */
const isAbout = (content: NoticeContent, { id }: OrderRow, about: string): boolean =>
  content.kind === 'digest'
    ? isIn(content, id)
    : content.kind === 'announce' && content.orderId === id && content.what.about === about

/** Whether a digest names the order, or counts it among the orders that it does not name. */
const isIn = (digest: Extract<NoticeContent, { kind: 'digest' }>, orderId: string): boolean =>
  digest.counted.length > 0 || digest.named.some((missed) => missed.orderId === orderId)

const counts = (values: readonly string[]): Map<string, number> => {
  const result = new Map<string, number>()
  for (const value of values) result.set(value, (result.get(value) ?? 0) + 1)
  return result
}

/**
 * Whether the notice says that the debit may be the person's order. A debit without a reference is recognised by its
 * amount and time.
 */
const isInDoubt = (content: NoticeContent, charge: Charge, offsetMs: number): boolean =>
  content.kind === 'announce' &&
  content.what.about === 'doubt' &&
  content.what.debits.some(({ reference, amountPesewas, atMs }) =>
    reference === null
      ? amountPesewas === charge.totalPesewas && atMs === charge.placedAtMs + offsetMs
      : reference === charge.reference,
  )

/**
 * Whether the charge looks like the order's own, apart from its time. The numbers of bulk orders are not compared: the
 * charge must only not have more recipients than the order.
 */
const isAlike = (order: OrderRow, { accountId, kind, bundle, phone, recipients }: Charge): boolean =>
  order.accountId === accountId &&
  order.kind === kind &&
  order.bundleId === bundle.id &&
  (kind === 'bulk'
    ? recipients.length <= order.quantity
    : order.recipients.some((recipient) => recipient.phone === phone))

/** Whose debit it is, in words. */
const ownerOf = ({ orderId }: Charge): string => (orderId === null ? 'somebody else' : `order ${orderId}`)

const isSameNumbers = (order: OrderRow, charge: Charge): boolean => {
  const sent = new Set(order.recipients.map(({ phone }) => phone as string))
  return charge.recipients.every(({ phone }) => sent.has(phone))
}
