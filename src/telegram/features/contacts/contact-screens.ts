import { cleanName, nameKey } from '../../../lists/names/contact-name.ts'
import { readPhone } from '../../../lists/read-phone.ts'
import { type Person, whoseOrders } from '../../../orders/buying/purchases.ts'
import { usualBundles } from '../../../shop/habit.ts'
import { type Book, bookOf, type Contact } from '../../../store/shop/contacts.ts'
import { type HistoryFilter, noFilter } from '../../buttons/history-filter.ts'
import { contactLabels } from '../../cards/words/contact.ts'
import type { BotContext } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { type Button, button, homeButton, inRows, pagingButtons, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { bundleName } from '../../words/bundle.ts'
import { labels } from '../../words/labels.ts'
import { contactsButton } from './contacts-button.ts'
import * as keptNumbers from './kept-numbers.ts'
import * as words from './words.ts'

/** How many contacts a page shows. A book of at most `maxAlone` contacts fits on one page. */
const perPage = 4
const maxAlone = 5

/** How many contacts a search shows. */
export const maxFound = 6

const shownOrders = 3

/** How many of a contact's orders are read for the usual bundle. */
export const ordersLookedAt = 20

/** A button that opens the whole contact book. */
export const allButton: Button = contactsButton(contactLabels.all, { act: 'list', page: 0 })

/** A button that asks for a file or a text with names and numbers. */
export const importButton: Button = contactsButton(contactLabels.import, { act: 'import' })

/** A person, and the contact book that they may read and change. */
export interface Owner {
  person: Person
  book: Book
}

/** The person who writes, with their book; null if they have no account. */
export const ownerOf = async (ctx: BotContext): Promise<Owner | null> => {
  const person = await personOf(ctx)
  return person && { person, book: bookOf(person) }
}

/** A page of the contact book. @param page counted from 0. */
export const bookScreen = async ({ store }: Services, book: Book, page: number): Promise<Screen> => {
  const count = await store.contacts.count(book)
  const add = contactsButton(contactLabels.add, { act: 'add' })
  if (count === 0) {
    const kept = await keptNumbers.buttons(store, book)
    return { text: words.noContacts, rows: [[add, importButton], kept, [homeButton]] }
  }
  const onPage = count <= maxAlone ? maxAlone : perPage
  const pages = Math.ceil(count / onPage)
  // If the page no longer exists (after a deletion, or on an old message), the last one is shown.
  const at = Math.min(page, pages - 1)
  const shown = await store.contacts.page(book, at * onPage, onPage)
  return {
    text: words.book(shown, count, at, pages),
    rows: [
      ...openButtons(shown),
      pagingButtons(at, at + 1 < pages, (label, to) => contactsButton(label, { act: 'list', page: to })),
      [
        contactsButton(contactLabels.search, { act: 'search' }),
        contactsButton(labels.more, { act: 'more' }),
        // A page in the middle has two buttons for turning pages. With Home, it would have nine; More leads there too.
        ...(at > 0 && at + 1 < pages ? [] : [homeButton]),
      ],
    ],
  }
}

/** What can be done with the whole contact book. */
export const bookMenu = async ({ store }: Services, book: Book): Promise<Screen> => ({
  text: words.bookMenu(await store.contacts.count(book)),
  rows: [
    [contactsButton(contactLabels.add, { act: 'add' }), importButton],
    [contactsButton(contactLabels.export, { act: 'export' })],
    await keptNumbers.buttons(store, book),
    [contactsButton(labels.back, { act: 'list', page: 0 }), homeButton],
  ],
})

const openButtons = (shown: readonly Contact[]): Button[][] => {
  const buttons = shown.map((contact) => {
    const alone = shown.filter(({ name }) => name === contact.name).length === 1
    return contactsButton(words.choiceLabel(contact, alone), { act: 'open', id: contact.id })
  })
  return inRows(buttons, 2)
}

/** The contacts whose name or number contains the text. */
export const foundScreen = async (services: Services, owner: Owner, typed: string): Promise<Screen> => {
  const found = await search(services, owner.book, typed)
  const [only] = found
  if (only && found.length === 1) return contactScreen(services, owner, only)
  const shown = found.slice(0, maxFound)
  const again = contactsButton(contactLabels.search, { act: 'search' })
  const add = contactsButton(contactLabels.add, { act: 'add' })
  return {
    text: words.searched(typed, shown, found.length > maxFound),
    rows: [...openButtons(shown), shown.length === 0 ? [again, add] : [again], [allButton]],
  }
}

/** Reads one contact more than is shown, to know whether there are more. */
const search = ({ store }: Services, book: Book, typed: string): Promise<Contact[]> => {
  const digits = typed.replace(/[\s().+-]/g, '')
  const whole = readPhone(typed)?.phone
  return store.contacts.containing(
    book,
    {
      // Digits are also searched in names, such as `Shop 2`.
      key: nameKey(cleanName(typed) ?? digits).slice(0, words.maxTypedLength),
      digits: whole ?? (/^\d{2,15}$/.test(digits) ? digits : null),
    },
    maxFound + 1,
  )
}

/** The contact's newest orders that the person may see. */
export const ordersOf = ({ store }: Services, { person }: Owner, { phone }: Contact, take: number) =>
  store.contacts.ordersFor({ ...whoseOrders(person), phone }, take)

/** One contact, with their newest orders and the usual bundle. */
export const contactScreen = async (services: Services, owner: Owner, contact: Contact): Promise<Screen> => {
  const orders = await ordersOf(services, owner, contact, ordersLookedAt)
  const [usual] = usualBundles(orders)
  const shown = orders.slice(0, shownOrders)
  const act = (label: string, name: 'buy' | 'rename' | 'delete') =>
    contactsButton(label, { act: name, id: contact.id })
  return {
    text: words.contact(
      contact,
      shown.map((order) => words.orderOf(order, contact.phone, services.now())),
      usual
        ? { bundle: bundleName(usual.network, usual.volume), times: usual.times, of: orders.length }
        : null,
    ),
    rows: [
      [
        act(contactLabels.buy, 'buy'),
        button(contactLabels.orders, { do: 'orders', page: 0, filter: ofPhone(contact) }),
      ],
      [act(contactLabels.rename, 'rename'), act(contactLabels.delete, 'delete')],
      [contactsButton(labels.back, { act: 'list', page: 0 })],
    ],
  }
}

const ofPhone = ({ phone }: Contact): HistoryFilter => ({ ...noFilter, search: { by: 'phone', phone } })

/** A button that undoes one change of the contact book. @param change the id of the change. */
export const undoButton = (change: string): Button =>
  contactsButton(contactLabels.undo, { act: 'undo', change })
