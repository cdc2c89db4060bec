import { cardOf, networkBack } from '../../domain/notice.ts'
import type { Purchase } from '../../domain/order/order.ts'
import { quietUntil } from '../../messaging/quiet-hours.ts'
import type { Queries, Store } from '../../store/store.ts'
import { isWalletError } from '../../wallets/wallets.ts'
import type { Lists } from '../listing/list-orders.ts'
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
 * @param network the network that is back; empty if a pause of all orders has ended.
 */
export const noteReopened = (
  { facts }: { facts: Pick<Queries['facts'], 'write'> },
  at: Date,
  network = '',
): Promise<void> => facts.write(factName, `${at.getTime()}:${network}`)

interface Reopening {
  store: Store
  lists: Pick<Lists, 'preview' | 'look'>
  now: () => Date
}

/**
 * Enqueues redraws of the cards of drafts that were made before orders reopened. If a network is back, also tells each
 * chat with an order for it that waits for Confirm, once, and looks again at the lists that left out its numbers. Does
 * nothing while orders are paused.
 * @returns how many redraws it enqueued.
 */
export const redrawReopened = async (reopening: Reopening): Promise<number> => {
  const { store, now } = reopening
  const reopened = await store.facts.read(factName)
  if (reopened === null || reopened === isNone || (await maintenanceOf(store))) return 0
  const [reopenedMs = '', network = ''] = reopened.split(':')
  const told = new Set<number>()
  let drawn = 0
  for (let after = ''; ; ) {
    const drafts = await store.purchases.shownDrafts(new Date(Number(reopenedMs)), after, maxTogether)
    const waiting: Purchase[] = []
    // After a pause of all orders, no list has left out numbers, so none has to be read.
    if (network !== '')
      for (const draft of drafts) if (await waitsFor(reopening, draft, network)) waiting.push(draft)
    await store.transaction(async (tx) => {
      for (const { id, chatId } of drafts) await tx.notices.enqueue(chatId, cardOf(id), now())
      const byAge = waiting.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
      const latest = new Map(byAge.map(({ chatId, id }) => [chatId, id]))
      for (const [chatId, purchaseId] of latest) {
        if (told.has(chatId)) continue
        const until = quietUntil(await tx.preferences.of(chatId), now())
        await tx.notices.enqueue(chatId, networkBack(network, purchaseId), now(), null, until)
      }
    })
    for (const draft of waiting) {
      told.add(draft.chatId)
      if (draft.kind === 'list') await lookAgain(reopening, draft)
    }
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

/** Whether the draft could not be confirmed, or not in full, because the network was down. */
const waitsFor = async (
  { lists }: Reopening,
  { id, kind, lines }: Purchase,
  network: string,
): Promise<boolean> => {
  if (kind !== 'list') return lines.some((line) => line.network === network)
  const preview = await lists.preview(id)
  return preview?.selection.down.some((recipient) => recipient.network === network) === true
}

/** If the provider does not answer, the list's card stays as it is, with its Refresh button. */
const lookAgain = async ({ lists }: Reopening, { id }: Purchase): Promise<void> => {
  try {
    await lists.look(id)
  } catch (error) {
    if (!isWalletError(error)) throw error
  }
}
