import { crashPoint } from '../../crash-point.ts'
import { MovedDatabase, type Restored } from '../../database/copies/copy-mark.ts'
import { cardOf } from '../../domain/notice.ts'
import type { Order } from '../../domain/order.ts'
import type { PatchTo } from '../../store/orders/order-placing.ts'
import type { Queries, Store } from '../../store/store.ts'
import { enqueueNews } from '../following/order-news.ts'

/**
 * The first start on a copy of the database. Only the provider knows what has happened since the copy was made, so
 * nothing in it is sent:
 *
 * | found | becomes | because |
 * |---|---|---|
 * | a draft | `expired` | it may have been confirmed since, on the same card |
 * | `queued`, `sending` | `unconfirmed` | it may have been sent since; the wallet's entries tell |
 * | an account | audited | what was ordered since and charged is in nobody's books here (`audit.ts`) |
 *
 * An order that is `unconfirmed` by it may have been sent at any time from the copy's making to this start. So a
 * debit may be its own from the former on (`sentAt`), and the ten minutes before `not_placed` and the day of the
 * watch count from the latter (`latestSend`): counted from the copy's time they would be over at once, while a
 * debit of the last minute before the restore may not show yet.
 */
interface TakenOver extends Restored {
  drafts: number
  orders: number
  accounts: number
}

/** Long, because nothing else works yet and a rolled-back transaction would begin anew for ever. */
const maxMs = 10 * 60_000

/**
 * Prepares the database if it is marked as a copy; else does nothing. One transaction removes the mark and does
 * everything, so that after a kill in the middle the next start does it all. It has the whole database to itself, because
 * nothing works on a marked copy: each process comes here first, and one that finds the mark being removed waits.
 * @throws {MovedDatabase | UnreadableStamp}
 */
export const takeOver = async (store: Store, at: Date): Promise<TakenOver | null> => {
  // Two databases may hold the same orders; a bot starts on at most one of them.
  if (await store.copies.isMoved()) throw new MovedDatabase()
  return store.transaction(
    async (tx) => {
      const stamp = await tx.copies.stamp()
      if (stamp === null) return null
      // If the clock is behind, the copy's time would lie in the future.
      const from = stamp < at ? stamp : at
      if (!(await tx.copies.unstamp({ from, at }))) return null
      await tx.copies.dropLeasesAndInvitations(at)
      const orders = await doubtOrders(tx, from, at)
      crashPoint('restoring')
      const drafts = await endDrafts(tx, at)
      const accounts = await tx.copies.auditSince(from)
      return { from, at, drafts, orders, accounts }
    },
    { limitMs: maxMs },
  )
}

const endDrafts = async (tx: Queries, at: Date): Promise<number> => {
  const drafts = await tx.copies.expireDrafts()
  for (const { id, chatId } of drafts) await tx.notices.enqueue(chatId, cardOf(id), at)
  return drafts.length
}

const doubtOrders = async (tx: Queries, from: Date, at: Date): Promise<number> => {
  let doubted = 0
  for (const id of await tx.copies.unsent()) {
    const order = await tx.orders.byId(id)
    if (!order || !(await tx.orders.go({ id }, 'unconfirmed', doubt(order, from, at), at))) continue
    await enqueueNews(tx, order, at, { about: 'placement', while: 'unconfirmed' })
    doubted += 1
  }
  return doubted
}

/** An order that was being sent when the copy was made knows its earliest possible time. */
const doubt = (order: Order, from: Date, at: Date): PatchTo<'unconfirmed'> => ({
  reason: 'restored',
  sentAt: order.sentAt ?? new Date(Math.max(from.getTime(), order.createdAt.getTime())),
  leaseToken: null,
  leaseUntil: at,
  waitsForId: null,
  notBefore: null,
  nextPollAt: at,
  reconcileAt: at,
})
