import { cardOf } from '../../domain/notice.ts'
import type { Queries } from '../../store/store.ts'

/** Redraws the account's unconfirmed cards, because its balance has changed. */
export const redrawDrafts = async (tx: Queries, accountId: string, at: Date): Promise<void> => {
  for (const { id, chatId } of await tx.purchases.liveDrafts(accountId, at))
    await tx.notices.enqueue(chatId, cardOf(id, true), at)
}
