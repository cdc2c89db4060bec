import type { NoticeContent } from '../../../src/domain/notice.ts'
import { openPlacements } from '../../../src/domain/order/placement.ts'
import { progressOf } from '../../../src/domain/order/progress.ts'
import { isTerminal } from '../../../src/domain/order/status.ts'
import { quietUntil } from '../../../src/messaging/quiet-hours.ts'
import { recentMs } from '../../../src/orders/buying/earlier-order.ts'
import {
  defaultPreferences,
  type NotifyLevel,
  type Preferences,
} from '../../../src/store/chats/preferences.ts'
import type { NoticeRow, OrderRow } from '../bot/tables.ts'
import type { Telegram } from '../outside/telegram.ts'
import type { World } from '../world.ts'

/** The warnings of a low balance to one owner, compared with the balance that the bot knows. */
interface Warnings {
  level: number | null
  isBelow: boolean
  crossings: number
  told: number
}

type Announce = Extract<NoticeContent, { kind: 'announce' }>

/**
 * Checks that people's settings are respected (levels, quiet hours, warnings, summaries, repeats), and that nobody
 * orders while they are paused or removed.
 */
export class WishesWatch {
  readonly #world: World
  #lastNotice = 0
  /** The notify level of each order's person when the order's newest end was announced. */
  readonly #levels = new Map<string, NotifyLevel>()
  /**
   * For each list, whether it closed without a message, because its person wants to hear only of problems and there
   * were none. Later changes in the same commit have their own news.
   */
  readonly #closedSilently = new Map<string, boolean>()
  /** When each order last failed after its list had closed without a message. */
  readonly #turned = new Map<string, number>()
  readonly #warnings = new Map<number, Warnings>()
  /** For each person and each end of a summary's period, how many notices contain that summary. */
  readonly #summaries = new Map<number, Map<number, number>>()
  readonly #causes = new Set<string>()
  /** The earlier orders that the card of each purchase named when it was pressed. */
  readonly #warned = new Map<string, Set<string>>()

  constructor(world: World) {
    this.#world = world
    world.tables.onListClosed = (id, orders) => this.#listCloses(id, orders)
  }

  /** A person presses Repeat. */
  repeated(cause: string): void {
    this.#causes.add(cause)
  }

  /** A person presses Confirm. @param after the earlier order that the card names as the same. */
  pressed(purchaseId: string, after: string | null): void {
    if (after === null) return
    this.#warned.set(purchaseId, (this.#warned.get(purchaseId) ?? new Set()).add(after))
  }

  /** Whether the purchase was confirmed by a press of Repeat, because the person's settings allow that. */
  isRepeat(purchaseId: string): boolean {
    const purchase = this.#world.tables.purchases.get(purchaseId)
    return purchase?.remark === 'by_setting' && this.#causes.has(purchase.cause)
  }

  /** Called after each step in which something was written. */
  look(): void {
    this.#lookAtBalances()
    this.#lookAtNotices()
    this.#lookAtSummaries()
    for (const [userId, { crossings, told }] of this.#warnings) {
      if (crossings !== told)
        this.#world.breaks(
          `owner ${userId} was warned ${told} times of a low balance, but the balance fell below their level ${crossings} times`,
        )
    }
  }

  /** Called when an order was confirmed. */
  confirmed(order: OrderRow): void {
    const { members, purchases } = this.#world.tables
    const { id, userId, accountId, purchaseId } = order
    const member = members.get(userId)
    if (member?.accountId !== accountId)
      this.#world.breaks(`user ${userId} confirmed order ${id} after being removed from the account`)
    else if (member.pausedAt !== null)
      this.#world.breaks(`agent ${userId} confirmed order ${id} while paused`)
    if (purchases.get(purchaseId)?.remark === 'by_setting') this.#checkRepeat(order)
    else if (!order.listed) this.#checkSecond(order)
  }

  #checkRepeat(order: OrderRow): void {
    const { id, userId, accountId, bundleId, createdAt, recipients } = order
    const { freeRepeatPesewas: most } = this.#preferencesOf(userId)
    if (most === null || order.unitPricePesewas > most) {
      this.#world.breaks(
        `order ${id} for ${order.unitPricePesewas} pesewas was repeated without asking, but the person's limit for that is ${most ?? 'not set'}`,
      )
    }
    const since = new Date(createdAt.getTime() - recentMs)
    const isRecent = (row: OrderRow) =>
      row.createdAt >= since ||
      (row.sentAt !== null && row.sentAt >= since) ||
      openPlacements.includes(row.placement)
    const earlier = this.#world.tables.orders.first(
      (row) =>
        row.id !== id &&
        row.accountId === accountId &&
        row.bundleId === bundleId &&
        row.recipients.some(({ phone }) => recipients.some((each) => each.phone === phone)) &&
        isRecent(row),
    )
    if (earlier)
      this.#world.breaks(
        `order ${id} was repeated without asking, although the same order ${earlier.id} is recent or still open`,
      )
  }

  /**
   * If the same bundle was ordered for the same number within the last ten minutes and that order is still open, the
   * card named an earlier order when it was confirmed.
   */
  #checkSecond({ id, purchaseId, accountId, bundleId, createdAt, recipients }: OrderRow): void {
    const since = new Date(createdAt.getTime() - recentMs)
    const isAlike = (row: OrderRow) =>
      row.id !== id &&
      row.accountId === accountId &&
      row.bundleId === bundleId &&
      row.createdAt >= since &&
      row.createdAt < createdAt &&
      row.kind === 'single' &&
      openPlacements.includes(row.placement) &&
      row.recipients.some(({ phone }) => recipients.some((each) => each.phone === phone))
    const earlier = this.#world.tables.orders.first(isAlike)
    if (earlier && !this.#warned.get(purchaseId)?.size) {
      this.#world.breaks(
        `order ${id} was confirmed on a card that did not mention order ${earlier.id}, which is for the same number and bundle`,
      )
    }
  }

  changed(before: OrderRow, after: OrderRow): void {
    if (before.announcedStatus !== after.announcedStatus) {
      this.#levels.set(after.id, this.#preferencesOf(after.chatId).notify)
    }
    if (this.#hasTurned(before, after)) this.#turned.set(after.id, this.#world.nowMs)
    const isSent = before.placement !== 'sending' && after.placement === 'sending'
    if (!isSent || after.ownerChatId === null) return
    if (this.#world.tables.members.get(after.userId)?.accountId !== after.accountId) {
      this.#world.breaks(`order ${after.id} is being sent for agent ${after.userId}, who was removed`)
    }
  }

  /**
   * Whether the order has just failed after its list closed without a message. Bulk orders do not count, because news
   * about their single numbers may already report the failure.
   */
  #hasTurned({ status: before }: OrderRow, { kind, status, purchaseId }: OrderRow): boolean {
    const isFailed = status !== before && status !== 'delivered' && isTerminal(status)
    const isClosed = this.#world.tables.purchases.get(purchaseId)?.closedAt != null
    return isFailed && isClosed && kind === 'single' && this.isListSilent(purchaseId)
  }

  turnedAtMs(orderId: string): number | null {
    return this.#turned.get(orderId) ?? null
  }

  /** Called during a transaction. If it is rolled back, the list closes again later, and that counts. */
  #listCloses(id: string, orders: readonly OrderRow[]): void {
    const { total, delivered } = progressOf(orders)
    const chatId = orders[0]?.chatId ?? 0
    const isSilent = this.#preferencesOf(chatId).notify === 'failures' && delivered === total
    this.#closedSilently.set(id, isSilent)
  }

  /** Whether the order's end was shown only on its card, because its person wants no message. */
  isSilent({ id, status }: OrderRow): boolean {
    return status === 'delivered' && this.#levels.get(id) === 'failures'
  }

  isListSilent(purchaseId: string): boolean {
    return this.#closedSilently.get(purchaseId) ?? false
  }

  #preferencesOf(userId: number): Preferences {
    return this.#world.tables.preferences.get(userId) ?? defaultPreferences(userId)
  }

  #lookAtBalances(): void {
    const { accounts, members } = this.#world.tables
    for (const { userId, accountId } of members.where(({ role }) => role === 'owner')) {
      const level: number | null = this.#preferencesOf(userId).lowBalancePesewas
      const account = accounts.get(accountId)
      const known = [account?.balancePesewas, account?.explainedPesewas].filter((each) => each != null)
      const balance = known.length === 0 ? null : Math.min(...known)
      const isBelow = balance !== null && level !== null && balance < level
      const before = this.#warnings.get(userId) ?? { level: null, isBelow: false, crossings: 0, told: 0 }
      // If a person sets a level above the balance, they are told immediately, so that is no crossing.
      const isCrossed = isBelow && !before.isBelow && before.level === level
      const crossings = before.crossings + (isCrossed ? 1 : 0)
      this.#warnings.set(userId, { ...before, level, isBelow, crossings })
    }
  }

  #lookAtNotices(): void {
    const rows = this.#world.tables.notices.where(({ id }) => id > this.#lastNotice)
    for (const row of rows) {
      this.#lastNotice = Math.max(this.#lastNotice, row.id)
      const warned = this.#warnings.get(row.chatId)
      if (row.kind === 'low_balance' && warned) warned.told += 1
      const data = JSON.parse(row.data)
      if (row.kind === 'summary') this.#countSummary(row.chatId, data.toMs)
      if (row.kind === 'announce') this.#checkAnnounce(row, data, rows)
    }
  }

  /** Only good news waits for the end of quiet hours. */
  #checkAnnounce(row: NoticeRow, { what, orderId }: Announce, together: readonly NoticeRow[]): void {
    const isProgress = what.about === 'status' && !isTerminal(what.status)
    const isGood = what.about === 'status' && !what.contradicts && what.status === 'delivered'
    const isCalm = isGood || what.about === 'placed' || (isProgress && !what.contradicts)
    if (!isCalm && row.quietUntil !== null)
      this.#world.breaks(`bad news of order ${orderId} waits for the end of quiet hours: ${row.data}`)
    const preferences = this.#preferencesOf(row.chatId)
    const isAwoken = together.some(({ id, subject }) => id !== row.id && subject === row.subject)
    const until = quietUntil(preferences, row.createdAt)
    if (isGood && until && !row.quietUntil && !isAwoken) {
      this.#world.breaks(`chat ${row.chatId} gets good news in quiet hours: ${row.data}`)
    }
    const isOwn = this.#world.tables.orders.get(orderId)?.chatId === row.chatId
    if (isGood && isOwn && preferences.notify === 'failures') {
      this.#world.breaks(`chat ${row.chatId} asked for news of problems only, but gets: ${row.data}`)
    }
  }

  #countSummary(chatId: number, toMs: number): void {
    const told = this.#summaries.get(chatId) ?? new Map<number, number>()
    this.#summaries.set(chatId, told.set(toMs, (told.get(toMs) ?? 0) + 1))
  }

  /** Each summary that is marked as told was queued exactly once. */
  #lookAtSummaries(): void {
    for (const { userId, summaryToldTo } of this.#world.tables.preferences.all()) {
      if (summaryToldTo === null) continue
      const notices = this.#summaries.get(userId)?.get(summaryToldTo.getTime()) ?? 0
      if (notices !== 1)
        this.#world.breaks(
          `${notices} messages were queued for a summary that is marked as sent to user ${userId}, instead of one`,
        )
    }
  }

  /**
   * Called when everything has come to rest.
   * @param isSetAside whether Telegram refuses all messages about a subject.
   */
  conclude(telegram: Telegram, isSetAside: (subject: string) => boolean): void {
    for (const [userId, summaries] of this.#summaries) {
      for (const toMs of summaries.keys()) {
        const isTold = telegram.told.some(
          ({ chatId, content }) => chatId === userId && content.kind === 'summary' && content.toMs === toMs,
        )
        if (!isTold && !isSetAside('summary'))
          this.#world.breaks(`user ${userId} never got the summary up to ${new Date(toMs).toISOString()}`)
      }
    }
    const warned = (userId: number) =>
      telegram.told.some(({ chatId, content }) => chatId === userId && content.kind === 'low_balance')
    for (const [userId, { told }] of this.#warnings) {
      const isExcused = isSetAside(`balance:account${Math.floor(userId / 10)}`)
      if (told > 0 && !warned(userId) && !isExcused)
        this.#world.breaks(`owner ${userId} never got the warning of a low balance`)
    }
  }
}
