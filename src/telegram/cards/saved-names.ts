import type { Member } from '../../store/accounts/accounts.ts'
import type { ShownOrder } from '../../store/orders/cards.ts'
import { bookOf, type Contact } from '../../store/shop/contacts.ts'
import type { Queries } from '../../store/store.ts'

type Asked = Pick<Queries, 'accounts' | 'contacts'>

/**
 * The numbers that are saved in the viewer's book; none if the viewer is no member of the account.
 * @param viewerId whose chat it is shown in: a private chat's id is its user's.
 */
export const savedFor = async (
  { accounts, contacts }: Asked,
  { accountId, phones, viewerId }: { accountId: string; phones: string[]; viewerId: number },
): Promise<Contact[]> => savedBy({ contacts }, await accounts.member(viewerId), { accountId, phones })

/** The same where the viewer was read already; null: they belong to no account. */
export const savedBy = async (
  { contacts }: Pick<Queries, 'contacts'>,
  viewer: Member | null,
  { accountId, phones }: { accountId: string; phones: string[] },
): Promise<Contact[]> => (viewer?.accountId === accountId ? contacts.byPhones(bookOf(viewer), phones) : [])

/** The name of the customer if the order is for one number; null where it is not saved. */
export const savedName = ({ order, saved }: Pick<ShownOrder, 'order' | 'saved'>): string | null =>
  order.recipients.length === 1 ? (saved[0]?.name ?? null) : null
