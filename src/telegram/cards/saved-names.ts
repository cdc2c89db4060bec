import type { Order } from '../../journal/order.ts'
import { bookOf, type Customer } from '../../store/customers.ts'
import type { AllQueries } from '../../store/store.ts'

type Asked = Pick<AllQueries, 'accounts' | 'customers'>

/**
 * The numbers that are saved in the viewer's book; none if the viewer is no member of the account.
 * @param viewerId whose chat it is shown in: a private chat's id is its user's.
 */
export const savedFor = async (
  { accounts, customers }: Asked,
  { accountId, phones, viewerId }: { accountId: string; phones: string[]; viewerId: number },
): Promise<Customer[]> => {
  const viewer = await accounts.member(viewerId)
  return viewer?.accountId === accountId ? customers.byPhones(bookOf(viewer), phones) : []
}

/** The name of the customer if the order is for one number; null where it is not saved. */
export const savedName = async (
  queries: Asked,
  { accountId, recipients }: Pick<Order, 'accountId' | 'recipients'>,
  viewerId: number,
): Promise<string | null> => {
  const [only, more] = recipients
  if (!only || more) return null
  const [saved] = await savedFor(queries, { accountId, phones: [only.phone], viewerId })
  return saved?.name ?? null
}
