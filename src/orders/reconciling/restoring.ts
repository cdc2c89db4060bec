import { crashPoint } from '../../base/crash-point.ts'
import { MovedDatabase, type Restored } from '../../database/copies/copy-mark.ts'
import { cardOf } from '../../domain/notice.ts'
import type { Order } from '../../domain/order/order.ts'
import type { PatchTo } from '../../store/orders/order-placing.ts'
import type { Queries, Store } from '../../store/store.ts'
import { enqueueNews } from '../following/order-news.ts'
import { skipDue } from '../reminding/reminders.ts'

/**
 * The first start on a copy of the database. Only the provider knows what has happened since the copy was made, so
 * nothing in the copy is sent:
 *
 * | found | becomes | because |
 * |---|---|---|
 * | a draft | `expired` | it may have been confirmed since, on the same card |
 * | a reminder that is due | skipped | its card may have been sent and confirmed since |
 * | `queued`, `sending` | `unconfirmed` | it may have been sent since; the wallet's entries show it |
 * | an account | audited | orders made and charged since are not in this database (`audit.ts`) |
 *
 * An order that becomes `unconfirmed` here may have been sent at any time between the making of the copy and this
 * start. So its debit may be as old as the copy (`sentAt`). But the ten minutes before `not_placed` and the day of
 * watching count from this start (`latestSend`). If they counted from the copy, they would be over immediately,
 * although the debit of an order sent a minute ago may not have appeared yet.
 */
interface TakenOver extends Restored {
  drafts: number
  orders: number
  accounts: number
}

/**
 * The transaction may take this long, ms. A transaction that exceeds its limit starts again from the beginning, and the
 * bot does no other work before it is done.
 */
const maxMs = 10 * 60_000

/**
 * Prepares the database if it is marked as a copy; otherwise does nothing. One transaction removes the mark and does
 * everything else, so that after a crash halfway the next start does all of it again. No process works on a marked
 * copy: each one calls this first, and waits if another one is removing the mark.
 * @returns what was changed; null if there was nothing to do.
 * @throws {MovedDatabase | UnreadableStamp}
 */
export const takeOverCopy = async (store: Store, at: Date): Promise<TakenOver | null> => {
  // After a move to another database, both contain the same orders. A bot may start only on the new one.
  if (await store.copies.isMoved()) throw new MovedDatabase()
  return store.transaction(
    async (tx) => {
      const stamp = await tx.copies.stamp()
      if (stamp === null) return null
      // If the clock is behind, the time of the copy is in the future.
      const from = stamp < at ? stamp : at
      if (!(await tx.copies.unstamp({ from, at }))) return null
      await tx.copies.dropLeasesAndInvitations(at)
      const orders = await doubtOrders(tx, from, at)
      crashPoint('restoring')
      const drafts = await endDrafts(tx, at)
      await skipDue(tx, at)
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

/** The patch for an order in doubt. Without a send time, it may have been sent as early as the copy was made. */
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
