import type { NoticeContent } from '../../../domain/notice.ts'
import type { Order, Purchase } from '../../../domain/order/order.ts'
import type { Lists } from '../../../orders/listing/list-orders.ts'
import type { Store } from '../../../store/store.ts'
import type { Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import type { ReadBalance } from '../summary.ts'

/** What notices are worded from: the database as it is now, and balances that are read for them. */
export interface Sources {
  store: Store
  lists: Lists
  readBalance: ReadBalance
  freshenBalance: Services['freshenBalance']
  now: () => Date
}

/** A message that is edited where it stands; one that stands nowhere yet is sent. */
interface LiveMessage {
  kind: 'standing'
  screen: Screen
  messageId: number | null
  /** Notes that it is being sent, before it is. */
  setsOut?: () => Promise<void>
  /** Notes that it stands elsewhere from now on. */
  standsOn: (messageId: number) => Promise<void>
  /** It has to be edited when it is over. */
  isWarning?: boolean
}

/** A new wording of a message, unless it is gone. */
export interface Amendment {
  kind: 'amendment'
  screen: Screen
  messageId: number
  /** Notes what the message says from now on. */
  noted: () => Promise<void>
}

/** A message that goes. */
interface Removal {
  kind: 'removal'
  messageId: number
}

/**
 * The effect on the chat: a new message, unless it says otherwise. Null: nothing, since it is not true any more.
 */
export type Worded = Screen | string | LiveMessage | Amendment | Removal | null

/** What kinds of notices there are. */
export type NoticeKind = NoticeContent['kind']
type ContentOf = { [Each in NoticeContent as Each['kind']]: Each }
/** What a notice of that kind is about. */
export type Content<Kind extends NoticeKind> = ContentOf[Kind]

/** How notices are worded, by kind. A private chat's id is its user's. */
export type Wordings<Kind extends NoticeKind> = {
  readonly [Each in Kind]: (
    content: Content<Each>,
    chatId: number,
    sources: Sources,
  ) => Worded | Promise<Worded>
}

/** Words what is about an order, if there still is one. */
export const ofOrder = async (
  { store }: Sources,
  orderId: string,
  word: (order: Order) => Worded | Promise<Worded>,
): Promise<Worded> => {
  const order = await store.orders.byId(orderId)
  return order && word(order)
}

/** The message in that chat which shows the purchase; null if none does. */
export const cardIn = (chatId: number, purchase: Purchase | null): number | null =>
  purchase?.chatId === chatId ? purchase.cardMessageId : null
