import type { PurchaseLine } from '../../domain/order/order.ts'
import { type NearTwin, nearTwins, neighbours } from '../../lists/meaning/near-twins.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Book } from '../../store/shop/contacts.ts'
import type { KnownNumberStore } from '../../store/shop/known-numbers.ts'
import type { Store } from '../../store/store.ts'

/**
 * A familiar number that differs from the given one by a single typing slip, if the given one is unfamiliar; otherwise
 * null.
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
 * The numbers of a list that differ by one typing slip from a saved number, a frequently ordered one, or another number
 * of the list.
 * @param served the numbers of the list with an earlier order. They count as correct.
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
