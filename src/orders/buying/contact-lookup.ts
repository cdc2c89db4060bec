import { nameKey, nearness } from '../../lists/names/contact-name.ts'
import type { NamedLine, Names } from '../../lists/reading.ts'
import type { Phone } from '../../provider/phone.ts'
import { type Book, bookOf, type Contact, type ContactStore, maxContacts } from '../../store/shop/contacts.ts'
import type { Queries } from '../../store/store.ts'

/** A shorter beginning of a name matches too many customers. */
const minBeginningLength = 3
/** How many saved names are searched for one with that beginning. */
const maxLookedAt = 200
/** In a longer list only whole names are found: each beginning is compared with the whole book. */
const maxBeginnings = 300

/**
 * Finds the customers that a name means: those with exactly that name, else those with a name that begins so.
 * @param key the name, folded.
 */
export const whoIsMeant = async (
  contacts: Pick<ContactStore, 'named' | 'containing'>,
  book: Book,
  key: string,
  most: number,
): Promise<Contact[]> => {
  const same = await contacts.named(book, key, most)
  if (same.length > 0 || key.length < minBeginningLength) return same
  const near = await contacts.containing(book, { key, digits: null }, maxLookedAt)
  return beginningWith(key, near.map(folded)).slice(0, most)
}

interface Folded {
  contact: Contact
  key: string
}

const folded = (contact: Contact): Folded => ({ contact, key: nameKey(contact.name) })

/** People whose name begins with it come first, then people with a later word that does. */
const beginningWith = (key: string, saved: readonly Folded[]): Contact[] => {
  const near = (how: ReturnType<typeof nearness>) =>
    saved.filter((each) => nearness(each.key, key) === how).map(({ contact }) => contact)
  return [...near('begins'), ...near('word_begins')]
}

/** The numbers of the saved names that these lines mean; null where none of them is saved. */
export const namesMeant = async (
  contacts: Pick<ContactStore, 'page'>,
  book: Book,
  lines: readonly NamedLine[],
): Promise<Names | null> => {
  if (lines.length === 0) return null
  const saved = (await contacts.page(book, 0, maxContacts)).map(folded)
  if (saved.length === 0) return null
  const byKey = Map.groupBy(saved, ({ key }) => key)
  const found = new Map<string, Phone | null>()
  const unknown = new Set<string>()
  for (const { key } of lines.flatMap(({ request }) => request.readings)) {
    if (found.has(key) || unknown.has(key)) continue
    const meant = byKey.get(key)?.map(({ contact }) => contact) ?? beginnings(key, saved, unknown.size)
    if (meant.length > 0) found.set(key, numberOf(meant))
    else unknown.add(key)
  }
  return found.size > 0 ? Object.fromEntries(found) : null
}

const beginnings = (key: string, saved: readonly Folded[], looked: number): Contact[] =>
  key.length < minBeginningLength || looked > maxBeginnings ? [] : beginningWith(key, saved)

const numberOf = (meant: readonly Contact[]): Phone | null => {
  const [first, more] = meant
  return first && !more ? first.phone : null
}

/** The book of the person whose purchase it is. */
export const bookOfOrderer = async (
  { accounts }: Pick<Queries, 'accounts'>,
  { accountId, userId }: { accountId: string; userId: number },
): Promise<Book> => {
  const member = await accounts.member(userId)
  return bookOf({ accountId, userId, role: member?.role ?? 'owner' })
}
