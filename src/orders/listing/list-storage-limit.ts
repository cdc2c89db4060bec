import { noAnswers, nothingShown } from '../../domain/list-draft.ts'
import { cardOf } from '../../domain/notice.ts'
import type { UnconfirmedList } from '../../store/orders/lists.ts'
import type { Queries } from '../../store/store.ts'
import { returnRetry } from '../buying/cancelling.ts'
import type { Person } from '../buying/purchases.ts'

/** The most bytes that all unconfirmed lists of a person may hold together: two files of the largest size. */
export const maxUnconfirmedBytes = 12_000_000

/** Lists older than this, ms, do not count, because their text has already been erased (`retention.ts`). */
const lookedAtMs = 48 * 60 * 60_000

/**
 * Makes room for a new or grown list if the person's lists are too large: first empties those that have ended, then
 * ends the oldest drafts, whose cards say so. The new or grown list itself is always kept, because it is the one that
 * the person wants.
 * @param bytes the size of the new list.
 * @param keptId if an existing list grows to that size, its id; null for a new list.
 */
export const makeRoom = async (
  tx: Queries,
  { userId, accountId }: Omit<Person, 'role'>,
  { bytes, keptId = null }: { bytes: number; keptId?: string | null },
  at: Date,
): Promise<void> => {
  const since = new Date(at.getTime() - lookedAtMs)
  const older = (await tx.lists.unconfirmed(accountId, userId, since)).filter(({ id }) => id !== keptId)
  let total = older.reduce((sum, list) => sum + list.bytes, bytes)
  const ended = older.filter(({ isDraft }) => !isDraft)
  const live = older.filter(({ isDraft }) => isDraft)
  for (const list of [...ended, ...live]) {
    if (total <= maxUnconfirmedBytes) return
    await empty(tx, list, at)
    total -= list.bytes
  }
}

const empty = async (tx: Queries, { id }: UnconfirmedList, at: Date): Promise<void> => {
  if (await tx.purchases.crowdOut(id)) {
    const purchase = await tx.purchases.byId(id)
    if (purchase) {
      await returnRetry(tx, purchase, at)
      await tx.notices.enqueue(purchase.chatId, cardOf(id), at)
    }
  }
  await tx.lists.change(id, { text: '', answers: noAnswers, shown: nothingShown })
}
