import { cardOf, ordersAgain, untilLetGo } from '../domain/notice.ts'
import { quietUntil } from '../messaging/quiet-hours.ts'
import { maintenanceOf } from '../orders/permission/switches.ts'
import type { Store } from '../store/store.ts'

const maxTogether = 100

/**
 * Remembers that a person could not order because of maintenance. Enqueues the notice that orders are accepted
 * again, which is held back until `releaseMaintenanceNotices`. Does nothing if that notice is already enqueued.
 */
export const enqueueForMaintenanceEnd = (store: Store, chatId: number, at: Date): Promise<void> =>
  store.transaction(async (tx) => {
    if (await tx.operations.isOwed(chatId, ordersAgain)) return
    await tx.notices.enqueue(chatId, ordersAgain, at, null, untilLetGo)
  })

/**
 * Tells the people whose orders were refused that orders are accepted again, each after their quiet hours, and
 * redraws the card of their newest draft. Does nothing while orders are paused. Repeated calls do no harm.
 * @returns how many people will be told
 */
export const releaseMaintenanceNotices = async (store: Store, now: () => Date): Promise<number> => {
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
    if (!(await tx.operations.endWaitForMaintenance(id, quietUntil(await tx.preferences.of(chatId), at))))
      return false
    const draft = await tx.purchases.newestDraft(chatId, chatId, at)
    if (draft) await tx.notices.enqueue(chatId, cardOf(draft.id), at)
    return true
  })
