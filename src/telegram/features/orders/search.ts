import { nameKey } from '../../../lists/names/contact-name.ts'
import { readPhone } from '../../../lists/read-phone.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { bookOf, type Contact } from '../../../store/shop/contacts.ts'
import { type HistoryFilter, noFilter, readFilter, readReferencePart } from '../../buttons/history-filter.ts'
import { type BotContext, forgetQuestion } from '../../chat/context.ts'
import { readReference } from '../../chat/reference.ts'
import { homeButton, leaveButton, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { lookUp } from '../following/lookup.ts'
import { member } from '../guards/guards.ts'
import { openList } from '../lists/list.ts'
import { allButton, pageButton, pageScreen, queryOf, showOrders } from './history.ts'
import * as words from './history-words.ts'
import { sayOrder } from './order.ts'

const maxContacts = 6

/** `/orders`: shows all orders, or those that match the text after the command. */
export const orders = async (ctx: BotContext, text: string): Promise<void> =>
  text === '' ? showOrders(ctx, 0, noFilter) : member(findOrders)(ctx, text)

const findOrders = async (ctx: BotContext, person: Person, text: string): Promise<void> => {
  if (await search(ctx, person, text)) return
  const reference = readReference(text)
  if (reference) return lookUp(ctx, reference)
  ctx.talk.say({ text: words.notFound(text), rows: [[allButton, homeButton]] })
}

/** Takes the text to search for. The question stays open until something is found. */
export const takeSearch = async (
  ctx: BotContext,
  person: Person,
  { text }: { text: string },
): Promise<void> => {
  if (await search(ctx, person, text)) await forgetQuestion(ctx)
  else ctx.talk.say({ text: words.notFound(text), rows: [[leaveButton]] })
}

/**
 * Searches for orders by a number in any spelling, a reference or a part of one, a contact's name, or words such as
 * “MTN yesterday”. If only one order is found, it is opened.
 * @returns false if nothing was found.
 */
export const search = async (ctx: BotContext, person: Person, text: string): Promise<boolean> => {
  const filter = await filterFor(ctx.services, person, text)
  if (filter === null) return false
  if ('text' in filter) ctx.talk.say(filter)
  else if (!(await openOnly(ctx, person, filter)))
    ctx.talk.say(await pageScreen(ctx.services, person, 0, filter))
  return true
}

/** The filter that the text means, or a question which contact it means; null if it means nothing. */
const filterFor = async (
  services: Services,
  person: Person,
  text: string,
): Promise<HistoryFilter | Screen | null> => {
  const filter = readFilter(text)
  if (filter) return filter
  const written = readPhone(text)
  if (written) return { ...noFilter, search: { by: 'phone', phone: written.phone } }
  const part = readReferencePart(text)
  if (part !== null) {
    const byReference: HistoryFilter = { ...noFilter, search: { by: 'reference', part } }
    if ((await found(services, person, byReference, 1)).length > 0) return byReference
  }
  const contacts = await contactsLike(services, person, text)
  const [contact] = contacts
  if (!contact) return null
  if (contacts.length > 1) return contactsScreen(text, contacts)
  return { ...noFilter, search: { by: 'phone', phone: contact.phone } }
}

const found = ({ store, now }: Services, person: Person, filter: HistoryFilter, most: number) =>
  store.history.page(queryOf(person, filter, now()), 0, most)

/** Opens the order or list if the filter finds only one. @returns false if it finds none or several. */
const openOnly = async (ctx: BotContext, person: Person, filter: HistoryFilter): Promise<boolean> => {
  const [entry, ...others] = await found(ctx.services, person, filter, 2)
  if (!entry || others.length > 0) return false
  if (entry.kind === 'order') {
    await sayOrder(ctx, entry.order)
    return true
  }
  const list = await ctx.services.store.purchases.byId(entry.order.purchaseId)
  if (list) await openList(ctx, list)
  return list !== null
}

/**
 * The contacts whose name or number contains the text. If the text is exactly a saved name, only the contacts with that
 * name are returned.
 */
const contactsLike = async ({ store }: Services, person: Person, text: string): Promise<Contact[]> => {
  const book = bookOf(person)
  const name = nameKey(text)
  const named = await store.contacts.named(book, name, maxContacts + 1)
  if (named.length > 0) return named
  const digits = text.replace(/[\s-]/g, '')
  const isDigits = /^\d{3,10}$/.test(digits)
  return store.contacts.containing(book, { key: name, digits: isDigits ? digits : null }, maxContacts + 1)
}

const contactsScreen = (text: string, contacts: Contact[]): Screen => {
  const shown = contacts.slice(0, maxContacts)
  const question = words.whichContact(text)
  return {
    text: contacts.length > maxContacts ? `${question}\n${words.moreContacts}` : question,
    rows: [
      ...shown.map(({ name, phone }) => [
        pageButton(words.contactLabel(name, phone), 0, { ...noFilter, search: { by: 'phone', phone } }),
      ]),
      [allButton, homeButton],
    ],
  }
}
