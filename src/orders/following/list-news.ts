import { type ListNews, listNotice } from '../../domain/notice.ts'
import type { Queries } from '../../store/store.ts'

/**
 * Enqueues news of a closed list. It replaces earlier news that the chat has not got yet, because both would say the
 * same: the text is written when it is sent.
 */
export const enqueueListNews = async (
  tx: Queries,
  chatId: number,
  { purchaseId, what }: { purchaseId: string; what: Exclude<ListNews, 'held'> },
  at: Date,
  { notBefore, quietUntil }: { notBefore: Date | null; quietUntil: Date | null },
): Promise<void> => {
  const unsent = await tx.notices.takeBackListNews(chatId, purchaseId)
  const notice = listNotice(purchaseId, unsent.some((earlier) => earlier.what === 'done') ? 'done' : what)
  // News that could not wait is not held back by good news.
  const mayWait = unsent.every(({ isQuiet }) => isQuiet)
  await tx.notices.enqueue(chatId, notice, at, notBefore, mayWait ? quietUntil : null)
}
