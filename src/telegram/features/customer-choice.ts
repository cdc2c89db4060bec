import { networksOf } from '../../lists/phone.ts'
import { mapOf, prefixChanges } from '../../orders/network-prefixes.ts'
import type { Person } from '../../orders/purchases.ts'
import type { Bundle, Phone } from '../../provider/index.ts'
import { cleanName, nameKey } from '../../shop/customer-name.ts'
import { regulars } from '../../shop/habit.ts'
import { whoIsMeant } from '../../shop/whom.ts'
import { bookOf, type Customer } from '../../store/customers.ts'
import { type Key, key } from '../screen.ts'
import type { Services } from '../services.ts'
import * as words from '../texts/customer.ts'

/** The most customers that one question offers. */
const mostOffered = 6
/** Of so many orders it is seen who buys these days. */
const ordersLookedAt = 200
/** So many of a book are looked through for numbers of a network. */
const mostLookedAt = 60

type Offered = Pick<Customer, 'phone'> & { name: string | null }

/** Buttons with who may be meant where a bundle's number is asked for. */
export const customerKeys = async (
  services: Services,
  person: Person,
  bundle: Pick<Bundle, 'id' | 'network'>,
): Promise<Key[][]> => {
  const offered = await likelyFor(services, person, bundle.network)
  return pickKeys(offered, bundle.id)
}

/** Saved customers who buy that network often and lately, then saved ones whose number looks like it, then numbers. */
const likelyFor = async ({ store }: Services, person: Person, network: string): Promise<Offered[]> => {
  const book = bookOf(person)
  const userId = person.role === 'owner' ? null : person.userId
  const recent = await store.customers.recentRecipients(
    { accountId: person.accountId, userId },
    ordersLookedAt,
  )
  const phones = regulars(recent.filter((order) => order.network === network).map(({ phone }) => phone))
  const names = await store.customers.names(book, phones)
  const saved = phones.filter((phone) => names.has(phone))
  const map = mapOf(await prefixChanges(store))
  const others = (await store.customers.page(book, 0, mostLookedAt)).filter(
    ({ phone }) => !saved.includes(phone) && networksOf(phone, map).includes(network),
  )
  const unsaved = phones.filter((phone) => !names.has(phone))
  return [
    ...saved.map((phone) => ({ phone, name: names.get(phone) ?? null })),
    ...others,
    ...unsaved.slice(0, 2).map((phone) => ({ phone, name: null })),
  ].slice(0, mostOffered)
}

const pickKeys = (offered: readonly Offered[], bundleId: number): Key[][] =>
  inTwos(
    offered.map(({ phone, name }) =>
      key(labelOf({ phone, name }, offered), { do: 'bundle', bundleId, phone }),
    ),
  )

const labelOf = ({ phone, name }: Offered, among: readonly Offered[]): string =>
  name === null
    ? phone
    : words.choiceLabel({ name, phone }, among.filter((other) => other.name === name).length === 1)

/** Two buttons a row. */
export const inTwos = (keys: Key[]): Key[][] =>
  keys.flatMap((_, index) => (index % 2 === 0 ? [keys.slice(index, index + 2)] : []))

/** What a text means where a number is asked for. */
type NamedThere =
  | { kind: 'phone'; phone: Phone }
  /** Several have that name, or it stands somewhere in theirs. */
  | { kind: 'several'; text: string; rows: Key[][] }
  | { kind: 'nobody'; text: string }
  /** It is no name at all. */
  | { kind: 'no_name' }

export const namedThere = async (
  { store }: Services,
  person: Person,
  bundleId: number,
  text: string,
): Promise<NamedThere> => {
  const name = text.length > 80 || /\d{5}/.test(text) ? null : cleanName(text)
  const typed = name && nameKey(name)
  if (!name || !typed) return { kind: 'no_name' }
  const book = bookOf(person)
  const meant = await whoIsMeant(store.customers, book, typed, mostOffered)
  const [only] = meant
  if (only && meant.length === 1) return { kind: 'phone', phone: only.phone }
  const found =
    meant.length > 0
      ? meant
      : await store.customers.containing(book, { key: typed, digits: null }, mostOffered)
  if ((await store.customers.count(book)) === 0) return { kind: 'no_name' }
  if (found.length === 0) return { kind: 'nobody', text: words.nobodyAtNumber(name) }
  return { kind: 'several', text: words.whoAtNumber(name), rows: pickKeys(found, bundleId) }
}
