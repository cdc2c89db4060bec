import type { PurchaseLine } from '../../domain/order/order.ts'
import { type NearTwin, nearTwins, neighbours } from '../../lists/meaning/near-twins.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Book } from '../../store/shop/contacts.ts'
import type { KnownNumberStore } from '../../store/shop/known-numbers.ts'
import type { Store } from '../../store/store.ts'

/**
 * A familiar number that the person may have meant, if the given one is unfamiliar and one slip away; otherwise null.
 */
export const nearNumber = async (
  store: KnownNumberStore,
  book: Book,
  phone: Phone,
): Promise<NonNullable<PurchaseLine['near']> | null> => {
  const familiar = await store.familiar(book, phone, neighbours(phone))
  const [twin] = nearTwins([phone], new Set(familiar))
  return twin ? { phone: twin.other, slip: twin.slip } : null
}

/**
 * The numbers of a list that are one slip away from a saved number, from one that was ordered for often, or from
 * another number of the list.
 * @param served the numbers of the list that were ordered for before. These count as right.
 */
export const nearNumbers = async (
  { contacts, knownNumbers }: Pick<Store, 'contacts' | 'knownNumbers'>,
  book: Book,
  phones: readonly Phone[],
  served: ReadonlySet<string>,
): Promise<NearTwin[]> => {
  if (phones.every((phone) => served.has(phone))) return []
  const saved = new Set(await contacts.phones(book))
  const repeated = await knownNumbers.repeated(book.accountId)
  const maybe = nearTwins(phones, new Set([...saved, ...repeated]), served)
  const often = await knownNumbers.oftenServed(
    book,
    [...new Set(maybe.map(({ other }) => other))].filter((other) => !saved.has(other)),
  )
  return nearTwins(phones, new Set([...saved, ...often]), served)
}
