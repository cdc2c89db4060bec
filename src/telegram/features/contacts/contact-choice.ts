import { mapOf } from '../../../lists/meaning/prefix-line.ts'
import { cleanName, nameKey } from '../../../lists/names/contact-name.ts'
import { networksOf } from '../../../lists/read-phone.ts'
import { whoIsMeant } from '../../../orders/buying/contact-lookup.ts'
import { prefixChanges } from '../../../orders/buying/likely-network.ts'
import { type Person, whoseOrders } from '../../../orders/buying/purchases.ts'
import type { Bundle, Phone } from '../../../provider/index.ts'
import { regulars } from '../../../shop/habit.ts'
import { bookOf, type Contact } from '../../../store/shop/contacts.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import { type Button, button, inRows } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import * as words from './words.ts'

/** How many contacts one question offers. */
const maxOffered = 6
/** How many of the latest orders are searched for regular customers. */
const ordersLookedAt = 200
/** How many saved contacts are searched for numbers of a network. */
const maxLookedAt = 60

type Offered = Pick<Contact, 'phone'> & { name: string | null }

/** Returns the press of the button that chooses a number. */
type Choosing = (phone: Phone) => ButtonPress

/** Buttons with likely contacts, for the question which number gets a bundle. */
export const contactButtons = async (
  services: Services,
  person: Person,
  bundle: Pick<Bundle, 'network'>,
  pick: Choosing,
): Promise<Button[][]> => {
  const offered = await likelyFor(services, person, bundle.network)
  return pickButtons(offered, pick)
}

/**
 * Contacts who often and recently bought on the network, then other contacts with a number of the network, then up to
 * two numbers that are often ordered for but not saved.
 */
const likelyFor = async ({ store }: Services, person: Person, network: string): Promise<Offered[]> => {
  const book = bookOf(person)
  const recent = await store.contacts.recentRecipients(whoseOrders(person), ordersLookedAt)
  const phones = regulars(recent.filter((order) => order.network === network).map(({ phone }) => phone))
  const names = await store.contacts.names(book, phones)
  const saved = phones.filter((phone) => names.has(phone))
  const map = mapOf(await prefixChanges(store))
  const others = (await store.contacts.page(book, 0, maxLookedAt)).filter(
    ({ phone }) => !saved.includes(phone) && networksOf(phone, map).includes(network),
  )
  const unsaved = phones.filter((phone) => !names.has(phone))
  return [
    ...saved.map((phone) => ({ phone, name: names.get(phone) ?? null })),
    ...others,
    ...unsaved.slice(0, 2).map((phone) => ({ phone, name: null })),
  ].slice(0, maxOffered)
}

const pickButtons = (offered: readonly Offered[], pick: Choosing): Button[][] => {
  const buttons = offered.map(({ phone, name }) => button(labelOf({ phone, name }, offered), pick(phone)))
  return inRows(buttons, 2)
}

const labelOf = ({ phone, name }: Offered, among: readonly Offered[]): string =>
  name === null
    ? phone
    : words.choiceLabel({ name, phone }, among.filter((other) => other.name === name).length === 1)

/** The meaning of a text that was sent when the bot asked for a number. */
type NamedThere =
  | { kind: 'phone'; phone: Phone }
  /** Several contacts have the name, or a name that contains the text. */
  | { kind: 'several'; text: string; rows: Button[][] }
  | { kind: 'nobody'; text: string }
  /** The text is not a name. */
  | { kind: 'no_name' }

/** Reads a text as a contact's name when the bot asked for a number. */
export const namedThere = async (
  { store }: Services,
  person: Person,
  text: string,
  pick: Choosing,
): Promise<NamedThere> => {
  const name = text.length > 80 || /\d{5}/.test(text) ? null : cleanName(text)
  const typed = name && nameKey(name)
  if (!name || !typed) return { kind: 'no_name' }
  const book = bookOf(person)
  const meant = await whoIsMeant(store.contacts, book, typed, maxOffered)
  const [only] = meant
  if (only && meant.length === 1) return { kind: 'phone', phone: only.phone }
  const found =
    meant.length > 0 ? meant : await store.contacts.containing(book, { key: typed, digits: null }, maxOffered)
  if ((await store.contacts.count(book)) === 0) return { kind: 'no_name' }
  if (found.length === 0) return { kind: 'nobody', text: words.nobodyAtNumber(name) }
  return { kind: 'several', text: words.whoAtNumber(name), rows: pickButtons(found, pick) }
}
