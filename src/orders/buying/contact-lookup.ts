import { nameKey, nearness } from '../../lists/names/contact-name.ts'
import type { NamedLine, Names } from '../../lists/reading-result.ts'
import type { Phone } from '../../provider/phone.ts'
import { type Book, bookOf, type Contact, type ContactStore, maxContacts } from '../../store/shop/contacts.ts'
import type { Queries } from '../../store/store.ts'

/** A prefix with fewer characters would match too many contacts, so it finds none. */
const minBeginningLength = 3
/** How many contacts that contain the prefix are examined at most. */
const maxLookedAt = 200
/**
 * After this many unknown names, only whole names are looked up, because comparing each prefix with all contacts is
 * slow.
 */
const maxBeginnings = 300

/**
 * Finds the contacts that a name may mean: those with exactly that name or, if there are none, those whose name, or a
 * later word of it, begins with `key`.
 * @param key the name as folded by `nameKey`.
 * @param most the most contacts to return.
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

/** Contacts whose whole name begins with the key come first, then those with a later word that does. */
const beginningWith = (key: string, saved: readonly Folded[]): Contact[] => {
  const near = (how: ReturnType<typeof nearness>) =>
    saved.filter((each) => nearness(each.key, key) === how).map(({ contact }) => contact)
  return [...near('begins'), ...near('word_begins')]
}

/**
 * Maps each name in these lines to its phone, or to null if several contacts match. The result is null if no name is
 * known.
 */
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

export const bookOfOrderer = async (
  { accounts }: Pick<Queries, 'accounts'>,
  { accountId, userId }: { accountId: string; userId: number },
): Promise<Book> => {
  const member = await accounts.member(userId)
  return bookOf({ accountId, userId, role: member?.role ?? 'owner' })
}
