import type { PurchaseLine } from '../journal/order.ts'
import { nearTwins, neighbours } from '../lists/near-twins.ts'
import type { Phone } from '../provider/phone.ts'
import type { Book } from '../store/customers.ts'
import type { KnownNumberStore } from '../store/known-numbers.ts'

/** The number that may have been meant: one that is familiar, where the given one is not. */
export const nearNumber = async (
  store: KnownNumberStore,
  book: Book,
  phone: Phone,
): Promise<NonNullable<PurchaseLine['near']> | null> => {
  const familiar = await store.familiar(book, phone, neighbours(phone))
  const [twin] = nearTwins([phone], new Set(familiar))
  return twin ? { phone: twin.other, slip: twin.slip } : null
}
