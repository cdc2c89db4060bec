import { cardOf } from '../../domain/notice.ts'
import type { Queries } from '../../store/store.ts'

/**
 * Redraws the cards that can still be confirmed on the account, because its balance is another one now. What is left of a
 * list is one of them.
 */
export const redrawDrafts = async (tx: Queries, accountId: string, at: Date): Promise<void> => {
  for (const { id, chatId } of await tx.purchases.liveDrafts(accountId, at))
    await tx.notices.owe(chatId, cardOf(id, true), at)
}
