import type { Book, Customer, CustomerStore } from '../store/customers.ts'
import { nameKey, nearness } from './customer-name.ts'

/** A shorter beginning of a name means too many. */
const shortestBeginning = 3
/** So many saved names are looked through for one that begins so. */
const mostLookedAt = 200

/**
 * Whom a name means: those who are called just that, else those of whom a name begins so.
 * @param key folded
 */
export const whoIsMeant = async (
  customers: Pick<CustomerStore, 'named' | 'containing'>,
  book: Book,
  key: string,
  most: number,
): Promise<Customer[]> => {
  const same = await customers.named(book, key, most)
  if (same.length > 0 || key.length < shortestBeginning) return same
  const near = await customers.containing(book, { key, digits: null }, mostLookedAt)
  const how = (customer: Customer) => nearness(nameKey(customer.name), key)
  const begins = near.filter((customer) => how(customer) === 'begins')
  const inside = near.filter((customer) => how(customer) === 'word_begins')
  return [...begins, ...inside].slice(0, most)
}
