import { cardOf, ordersAgain, untilLetGo } from '../domain/notice.ts'
import { quietUntil } from '../messaging/quiet-hours.ts'
import { maintenanceOf } from '../orders/buying/maintenance.ts'
import type { Store } from '../store/store.ts'

/** People who are told in one go. */
const maxTogether = 100

/** Owes a person, once, the news that orders are taken again, because maintenance refused them an order. */
export const oweOrdersAgain = (store: Store, chatId: number, at: Date): Promise<void> =>
  store.transaction(async (tx) => {
    if (await tx.operations.isOwed(chatId, ordersAgain)) return
    await tx.notices.owe(chatId, ordersAgain, at, null, untilLetGo)
  })

/**
 * Tells those who were refused that orders are taken again, each when their quiet hours are over; the card of their
 * newest draft is drawn anew. Does nothing while orders are paused, and may be repeated.
 * @returns how many it told.
 */
export const tellOrdersAgain = async (store: Store, now: () => Date): Promise<number> => {
  let told = 0
  for (;;) {
    const waiting = (await maintenanceOf(store)) ? [] : await store.operations.waitingForOrders(maxTogether)
    for (const each of waiting) told += Number(await releaseFor(store, each, now()))
    if (waiting.length < maxTogether) return told
  }
}

const releaseFor = (
  store: Store,
  { id, chatId }: { id: number; chatId: number },
  at: Date,
): Promise<boolean> =>
  store.transaction(async (tx) => {
    if (!(await tx.operations.releaseHeldNotice(id, quietUntil(await tx.preferences.of(chatId), at))))
      return false
    const draft = await tx.purchases.newestDraft(chatId, chatId, at)
    if (draft) await tx.notices.owe(chatId, cardOf(draft.id), at)
    return true
  })
