import { costsOf } from '../../domain/list-draft.ts'
import type { Denial, Wanted } from '../../domain/may-order.ts'
import { answeringCard } from '../../domain/notice.ts'
import { chunksOf } from '../../domain/order/chunking.ts'
import type { Purchase } from '../../domain/order/order.ts'
import { kindFor } from '../../domain/order/order.ts'
import { zero } from '../../provider/money.ts'
import type { Phone } from '../../provider/phone.ts'
import type { NewOrder } from '../../store/orders/order-placing.ts'
import type { Queries } from '../../store/store.ts'
import { redrawOrigin } from '../buying/cancelling.ts'
import { offerOf } from '../buying/prices.ts'
import type { Person } from '../buying/purchases.ts'
import { withConfirmedTerms } from '../buying/queueing.ts'
import { allowedNetworks, spendableWithin } from '../buying/spendable.ts'
import { denialFor, type Moment } from '../permission/orderer.ts'
import { keepLeft } from './list-left.ts'
import type { Preview } from './list-preview.ts'
import { journalOf } from './list-preview.ts'

export type ListConfirmation =
  /**
   * `leftId`: the draft with the lines that were not confirmed, which still has to be shown; null if all were
   * confirmed.
   */
  | { kind: 'confirmed'; leftId: string | null }
  /** An earlier press confirmed it, or it has ended. */
  | { kind: 'already'; purchase: Purchase }
  | { kind: 'expired' }
  /** The preview has changed since the button was made. */
  | { kind: 'changed' }
  /** Some numbers were ordered after the preview was made. Nothing was confirmed; the card now marks these numbers. */
  | { kind: 'repeated' }
  | { kind: 'nothing_ready' }
  /** The person may not order. The draft stays. */
  | { kind: 'denied'; denial: Denial }
  | { kind: 'unknown' }

/**
 * Confirms a list exactly as its preview showed it, and writes all its orders in the caller's transaction. The lines
 * that were not ready become a new draft.
 */
export const confirmList = async (
  tx: Queries,
  preview: Preview,
  { person, digest, cardMessageId }: { person: Person; digest: string; cardMessageId: number | null },
  { newId, ...moment }: Moment & { newId: () => string },
): Promise<ListConfirmation> => {
  const { purchase, selection } = preview
  const { at } = moment
  const isOutdated = purchase.state === 'draft' && preview.digest !== digest
  // If an older preview was pressed, the card stays on the current preview's message, because the older message may be
  // deleted.
  if (cardMessageId !== null && !isOutdated) await tx.purchases.showOn(purchase.id, cardMessageId)
  await tx.notices.enqueue(purchase.chatId, answeringCard(purchase.id), at)
  if (purchase.state !== 'draft') return { kind: 'already', purchase }
  if (isOutdated) return { kind: 'changed' }
  if (selection.send.length === 0) return { kind: 'nothing_ready' }
  if (await flagRepeats(tx, preview, at)) return { kind: 'repeated' }
  const step = { kind: 'confirm', wanted: wantedOf(preview) } as const
  const denial = await denialFor(tx, person, step, moment)
  if (denial) return hinder(tx, preview, denial)
  if (!(await tx.purchases.leaveDraft({ id: purchase.id, userId: person.userId, now: at }, 'confirmed')))
    return { kind: 'expired' }
  const orders = await withConfirmedTerms(tx, ordersOf(purchase, preview, newId, at), { role: person.role })
  await tx.orders.insertQueued(orders, newId)
  await redrawOrigin(tx, purchase, at)
  const left = await keepLeft(tx, person, preview, { newId, at })
  return { kind: 'confirmed', leftId: left?.id ?? null }
}

/**
 * Stores in the preview the limit or the networks that caused the denial, so that the person can confirm the lines that
 * are allowed.
 */
const hinder = async (
  tx: Queries,
  { purchase, list }: Preview,
  denial: Denial,
): Promise<ListConfirmation> => {
  const bounds =
    denial.kind === 'limit'
      ? spendableWithin(denial)
      : denial.kind === 'network'
        ? allowedNetworks(denial.allowed)
        : denial.kind === 'network_down'
          ? { down: denial.down }
          : null
  if (bounds) await tx.lists.change(purchase.id, { shown: { ...list.shown, ...bounds } })
  return { kind: 'denied', denial }
}

/**
 * Marks the numbers that were ordered after this preview was made, for example from another preview of the same paste.
 * @returns false if there are none.
 */
const flagRepeats = async (
  tx: Queries,
  { purchase, list, selection }: Preview,
  at: Date,
): Promise<boolean> => {
  const keyOf = ({ phone, bundleId }: { phone: Phone; bundleId: number }) => `${phone} ${bundleId}`
  const phones = [...new Set(selection.send.map(({ phone }) => phone))]
  const { recent } = await journalOf(tx, purchase, phones, at)
  const sent = new Set(selection.send.map(keyOf))
  const flagged = new Set(list.shown.recent.map(({ orderId }) => orderId))
  const repeats = recent.filter((order) => sent.has(keyOf(order)) && !flagged.has(order.orderId))
  if (repeats.length === 0) return false
  const shown = { ...list.shown, recent: [...repeats, ...list.shown.recent] }
  await tx.lists.change(purchase.id, { shown, answers: { ...list.answers, recent: 'skip' } })
  return true
}

/** The bundles that the list orders. Each has the price that counts towards an agent's limit. */
export const wantedOf = ({ selection: { send }, list: { shown } }: Preview): Wanted[] => {
  const costs = costsOf(shown)
  return send.map(({ network, bundleId }) => ({
    network,
    pricePesewas: costs.get(bundleId) ?? zero,
    agentPesewas: shown.seen?.[bundleId] ?? null,
  }))
}

/**
 * The distance between the positions of two orders. Phones that are split off an order become an order at the next
 * position, and may be split again. An order has at most a hundred numbers, so there is always a free position.
 */
const placesBetween = 1_000

const ordersOf = (
  purchase: Purchase,
  { selection: { send }, list: { shown } }: Preview,
  newId: () => string,
  createdAt: Date,
): NewOrder[] => {
  const costs = costsOf(shown)
  const places = new Map(send.map((recipient, position) => [recipient, position]))
  let afterId: string | null = null
  return chunksOf(send).flatMap((recipients, index) => {
    const [first] = recipients
    const cost = first && costs.get(first.bundleId)
    if (!first || cost === undefined) return []
    const bundle = shown.bundles.find(({ id }) => id === first.bundleId)
    const id = newId()
    const order: NewOrder = {
      id,
      purchaseId: purchase.id,
      accountId: purchase.accountId,
      userId: purchase.userId,
      chatId: purchase.chatId,
      kind: kindFor(recipients.length),
      listed: true,
      position: index * placesBetween,
      afterId,
      bundleId: first.bundleId,
      network: first.network,
      volume: first.volume,
      offerSlug: bundle ? offerOf(bundle, shown.bundles).offerSlug : first.offerSlug,
      unitPricePesewas: cost,
      ...(shown.seen && { agentUnitPesewas: shown.seen[first.bundleId] ?? null }),
      recipients: recipients.map((each) => ({ phone: each.phone, position: places.get(each) ?? 0 })),
      createdAt,
    }
    afterId = id
    return [order]
  })
}
