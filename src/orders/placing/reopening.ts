import { cardOf, networkBack } from '../../domain/notice.ts'
import { quietUntil } from '../../messaging/quiet-hours.ts'
import type { Queries, Store } from '../../store/store.ts'
import { maintenanceOf } from '../permission/switches.ts'

/**
 * While all orders are paused or a network is down, the cards of open drafts say so. When orders reopen, these cards
 * are redrawn. The time of the reopening is kept in the database until all redraws are enqueued, so that a restart
 * loses none.
 */

const factName = 'reopened'
const isNone = ''

/** The most redraws that are enqueued in one transaction. */
const maxTogether = 100

/**
 * Notes that orders reopen. Call it in the transaction that reopens them.
 * @param network the network that is back; by default all orders were paused.
 */
export const noteReopened = (
  { facts }: { facts: Pick<Queries['facts'], 'write'> },
  at: Date,
  network = '',
): Promise<void> => facts.write(factName, `${at.getTime()}:${network}`)

/**
 * Enqueues redraws of the cards of drafts that were made before orders reopened. If a network is back, also tells each
 * chat that has a card of a single order for it, once. Does nothing while orders are paused.
 * @returns how many it enqueued.
 */
export const redrawReopened = async (store: Store, now: () => Date): Promise<number> => {
  const reopened = await store.facts.read(factName)
  if (reopened === null || reopened === isNone || (await maintenanceOf(store))) return 0
  const [reopenedMs = '', network = ''] = reopened.split(':')
  const told = new Set<number>()
  let drawn = 0
  for (let after = ''; ; ) {
    const drafts = await store.purchases.shownDrafts(new Date(Number(reopenedMs)), after, maxTogether)
    await store.transaction(async (tx) => {
      for (const { id, chatId } of drafts) await tx.notices.enqueue(chatId, cardOf(id), now())
      for (const { chatId, lines } of drafts) {
        if (told.has(chatId) || !lines.some((line) => line.network === network)) continue
        const until = quietUntil(await tx.preferences.of(chatId), now())
        await tx.notices.enqueue(chatId, networkBack(network), now(), null, until)
      }
    })
    for (const { chatId, lines } of drafts)
      if (lines.some((line) => line.network === network)) told.add(chatId)
    drawn += drafts.length
    after = drafts.at(-1)?.id ?? after
    if (drafts.length < maxTogether) break
  }
  await store.transaction(async (tx) => {
    // Orders may have reopened once more in the meantime.
    if ((await tx.facts.lock(factName)) === reopened) await tx.facts.write(factName, isNone)
  })
  return drawn
}
