import { cardOf } from '../../domain/notice.ts'
import type { Queries, Store } from '../../store/store.ts'
import { maintenanceOf } from '../permission/switches.ts'

/**
 * While orders are paused, on all networks or on one, the cards of open drafts say so. When a pause ends, these cards
 * are redrawn. The time of its end is kept in the database until all redraws are enqueued, so that a restart loses
 * none.
 */

const factName = 'paused_cards'
const isNone = ''

/** The most redraws that are enqueued in one transaction. */
const maxTogether = 100

/** Call it in the transaction that ends the pause. */
export const notePauseEnded = (
  { facts }: { facts: Pick<Queries['facts'], 'write'> },
  at: Date,
): Promise<void> => facts.write(factName, String(at.getTime()))

/**
 * Enqueues redraws for drafts that were made before the last pause ended. Does nothing while orders are paused. It may
 * be called again.
 * @returns how many redraws it enqueued.
 */
export const redrawPausedCards = async (store: Store, now: () => Date): Promise<number> => {
  const ended = await store.facts.read(factName)
  if (ended === null || ended === isNone || (await maintenanceOf(store))) return 0
  let drawn = 0
  for (let after = ''; ; ) {
    const drafts = await store.purchases.shownDrafts(new Date(Number(ended)), after, maxTogether)
    await store.transaction(async (tx) => {
      for (const { id, chatId } of drafts) await tx.notices.enqueue(chatId, cardOf(id), now())
    })
    drawn += drafts.length
    after = drafts.at(-1)?.id ?? after
    if (drafts.length < maxTogether) break
  }
  await store.transaction(async (tx) => {
    // Another pause may have ended in the meantime.
    if ((await tx.facts.lock(factName)) === ended) await tx.facts.write(factName, isNone)
  })
  return drawn
}
