import type { Member } from '../../store/accounts/accounts.ts'
import type { ShownOrder } from '../../store/orders/cards.ts'
import { bookOf, type Contact } from '../../store/shop/contacts.ts'
import type { Queries } from '../../store/store.ts'

type Asked = Pick<Queries, 'accounts' | 'contacts'>

/**
 * The contacts with these numbers in the viewer's book; none if the viewer does not belong to the account.
 * @param viewerId the chat that shows the names. A private chat has its user's id.
 */
export const savedFor = async (
  { accounts, contacts }: Asked,
  { accountId, phones, viewerId }: { accountId: string; phones: string[]; viewerId: number },
): Promise<Contact[]> => savedBy({ contacts }, await accounts.member(viewerId), { accountId, phones })

/**
 * Like `savedFor`, for a viewer who was already read from the database.
 * @param viewer null if the viewer belongs to no account.
 */
export const savedBy = async (
  { contacts }: Pick<Queries, 'contacts'>,
  viewer: Member | null,
  { accountId, phones }: { accountId: string; phones: string[] },
): Promise<Contact[]> => (viewer?.accountId === accountId ? contacts.byPhones(bookOf(viewer), phones) : [])

/** The saved name of the order's number; null if it has none, or if the order has several numbers. */
export const savedName = ({ order, saved }: Pick<ShownOrder, 'order' | 'saved'>): string | null =>
  order.recipients.length === 1 ? (saved[0]?.name ?? null) : null
