import type { NoticeContent } from '../../../domain/notice.ts'
import type { Order, Purchase } from '../../../domain/order/order.ts'
import type { Lists } from '../../../orders/listing/list-orders.ts'
import type { Store } from '../../../store/store.ts'
import type { Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import type { ReadBalance } from '../summary.ts'

/** What notices are worded from: the database as it is now, and balances, which may be read again. */
export interface Sources {
  store: Store
  lists: Lists
  readBalance: ReadBalance
  freshenBalance: Services['freshenBalance']
  now: () => Date
}

/** A screen that is edited in the message that shows it, or sent if no message shows it yet. */
interface LiveMessage {
  kind: 'live'
  screen: Screen
  messageId: number | null
  /** Called before sending, to record that the message is being sent. */
  setsOut?: () => Promise<void>
  /** Records which message shows the screen from now on. */
  standsOn: (messageId: number) => Promise<void>
  /** Whether the message must be edited when the trouble that it reports is over. */
  isWarning?: boolean
}

/** A new text for a message, if that message still exists. */
export interface Amendment {
  kind: 'amendment'
  screen: Screen
  messageId: number
  /** Records what the message says from now on. */
  noted: () => Promise<void>
}

/** A message to delete. */
interface Removal {
  kind: 'removal'
  messageId: number
}

/**
 * What to do in the chat: send a screen or a text, or edit or delete a message. Null: nothing, because the notice is no
 * longer true.
 */
export type Worded = Screen | string | LiveMessage | Amendment | Removal | null

export type NoticeKind = NoticeContent['kind']
type ContentOf = { [Each in NoticeContent as Each['kind']]: Each }
export type Content<Kind extends NoticeKind> = ContentOf[Kind]

/** How to word each kind of notice. @param chatId in a private chat, also the user's id. */
export type Wordings<Kind extends NoticeKind> = {
  readonly [Each in Kind]: (
    content: Content<Each>,
    chatId: number,
    sources: Sources,
  ) => Worded | Promise<Worded>
}

/** Words a notice about an order; null if the order no longer exists. */
export const ofOrder = async (
  { store }: Sources,
  orderId: string,
  word: (order: Order) => Worded | Promise<Worded>,
): Promise<Worded> => {
  const order = await store.orders.byId(orderId)
  return order && word(order)
}

/** The id of the message that shows the purchase in this chat; null if none does. */
export const cardIn = (chatId: number, purchase: Purchase | null): number | null =>
  purchase?.chatId === chatId ? purchase.cardMessageId : null
