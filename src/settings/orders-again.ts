import { maintenanceOf } from '../orders/maintenance.ts'
import { cardOf, ordersAgain, untilLetGo } from '../relay/notice.ts'
import type { WholeStore } from '../store/store.ts'
import { quietUntil } from './quiet-hours.ts'

/** As many as are told in one go. */
const mostTogether = 100

/** Somebody was refused an order by maintenance: they are told, once, when orders are taken again. */
export const oweOrdersAgain = (store: WholeStore, chatId: number, at: Date): Promise<void> =>
  store.transaction(async (tx) => {
    if (await tx.operations.isOwed(chatId, ordersAgain)) return
    await tx.notices.owe(chatId, ordersAgain, at, null, untilLetGo)
  })

/**
 * Tells whoever was refused that orders are taken again, each when their quiet hours are over; their newest draft's card
 * is drawn anew. Does nothing while orders are paused, and may be repeated.
 * @returns how many it told.
 */
export const tellOrdersAgain = async (store: WholeStore, now: () => Date): Promise<number> => {
  let told = 0
  for (;;) {
    const waiting = (await maintenanceOf(store)) ? [] : await store.operations.waitingForOrders(mostTogether)
    for (const each of waiting) told += Number(await letGo(store, each, now()))
    if (waiting.length < mostTogether) return told
  }
}

const letGo = (
  store: WholeStore,
  { id, chatId }: { id: number; chatId: number },
  at: Date,
): Promise<boolean> =>
  store.transaction(async (tx) => {
    if (!(await tx.operations.letGo(id, quietUntil(await tx.preferences.of(chatId), at)))) return false
    const draft = await tx.purchases.newestDraft(chatId, chatId, at)
    if (draft) await tx.notices.owe(chatId, cardOf(draft.id), at)
    return true
  })
