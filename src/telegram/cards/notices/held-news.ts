import type { Purchase } from '../../../domain/order/order.ts'
import type { Screen } from '../../chat/screen.ts'
import { orderedBy } from '../../words/agent.ts'
import { listHeld } from '../lists/list-card.ts'
import { memberRole } from '../viewer.ts'
import { listButtons } from './next-step-buttons.ts'
import type { Sources } from './wording.ts'

/** The news that the rest of a list waits for an order; null if it does not, or if this chat does not get the news. */
export const heldNews = async (
  purchase: Purchase,
  chatId: number,
  { store, now }: Sources,
): Promise<Screen | null> => {
  const screen = await listHeld(store, purchase, now(), chatId)
  return screen && inChat(purchase, screen, chatId, store)
}

/**
 * The news of a list, worded for the reader in `chatId`: the person who ordered, or the responsible owner if an agent
 * ordered. Null if the chat is neither's.
 */
export const inChat = async (
  purchase: Purchase,
  screen: Screen,
  chatId: number,
  store: Sources['store'],
): Promise<Screen | null> => {
  if (chatId === purchase.chatId) return { ...screen, replyTo: purchase.cardMessageId }
  if ((await memberRole(store, purchase, chatId)) !== 'owner') return null
  const [first] = await store.orders.ofPurchase(purchase.id)
  // The owner gets a button that opens the list's card.
  const rows = first ? listButtons(first) : []
  return { text: `${orderedBy(first?.agentName ?? null)}\n${screen.text}`, rows }
}
