import { chargesOf } from '../../../domain/debits/charge.ts'
import { inPricesOf } from '../../../domain/selling/agent-prices.ts'
import { dayAfter } from '../../../exports/export-period.ts'
import { nameKey } from '../../../lists/names/contact-name.ts'
import { readPhone } from '../../../lists/read-phone.ts'
import { clockIn, dayIn, startOfDay } from '../../../messaging/time-zone.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { readSpent } from '../../../shop/tally.ts'
import {
  type HistoryEntry,
  type HistoryQuery,
  type HistorySearch,
  historyStates,
} from '../../../store/orders/history.ts'
import { bookOf, type Contact } from '../../../store/shop/contacts.ts'
import {
  type HistoryFilter,
  historyPeriods,
  isFilterNetwork,
  noFilter,
  readReferencePart,
} from '../../buttons/history-filter.ts'
import { followedScreen } from '../../cards/followed.ts'
import { amountsFor, standingSeenBy, type View, viewOf } from '../../cards/viewer.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { readReference } from '../../chat/reference.ts'
import { type Button, button, inRows, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { day, plainClock, startOf } from '../../chat/time.ts'
import { labels } from '../../words/labels.ts'
import { lookUp } from '../following/lookup.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import { member } from '../guards/guards.ts'
import * as words from './history-words.ts'

const ordersPerPage = 8
const maxContacts = 8

/** `/orders`: shows all orders, or those that match the text after the command. */
export const orders = async (ctx: BotContext, services: Services, text: string): Promise<void> =>
  text === '' ? showOrders(ctx, services, 0, noFilter) : member(findOrders)(ctx, services, text)

const findOrders = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  text: string,
): Promise<void> => {
  if (await search(ctx, services, person, text)) return
  const reference = readReference(text)
  if (reference) return lookUp(ctx, services, reference)
  ctx.talk.say({ text: words.notFound(text), rows: [[allButton, searchButton], [homeButton]] })
}

/**
 * Shows a page of orders, newest first, each with a button to open it. A list counts as one. Owners see the account's
 * orders, agents their own.
 */
export const showOrders = async (
  ctx: BotContext,
  services: Services,
  page: number,
  filter: HistoryFilter,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    // A person without an account sees the orders that they follow.
    const followed = await followedScreen(services.store, ctx.talk.chatId, services.now())
    if (followed) ctx.talk.show(followed)
    else sayAccountNeeded(ctx, services)
    return
  }
  ctx.talk.show(await pageScreen(services, person, page, filter))
}

const pageScreen = async (
  services: Services,
  person: Person,
  page: number,
  filter: HistoryFilter,
): Promise<Screen> => {
  const { store, now } = services
  const first = page * ordersPerPage
  const found = await store.history.page(queryOf(person, filter, now()), first, ordersPerPage + 1)
  const shown = found.slice(0, ordersPerPage)
  const searched = filter.search?.by === 'phone' ? [filter.search.phone] : []
  const names = await store.contacts.names(bookOf(person), [...searched, ...shown.flatMap(phonesOf)])
  const networks = await store.history.networks(person.accountId)
  const view = await viewOf(store, person, person.role)
  const { timeZone } = await store.preferences.of(person.userId)
  const lines = shown.map((entry, index) => lineOf(entry, first + index + 1, { names, view, timeZone }))
  const byDay = Map.groupBy(shown.keys(), (index) => dayIn(timeZone, shown[index]?.order.createdAt ?? now()))
  const heads = await dayHeads(services, person, [...byDay.keys()], { filter, view, timeZone })
  const openButtons = shown.map(({ order }, index) => openButton(order, String(first + index + 1)))
  const name = names.get(searched[0] ?? '') ?? null
  const text = words.historyPage(
    [...byDay.values()].map((indexes, day) => [
      heads[day] ?? '',
      ...indexes.map((index) => lines[index] ?? ''),
    ]),
    { page, filter, name },
  )
  if (page === 0 && shown.length === 0 && networks.length === 0) return { text, rows: [[homeButton]] }
  return {
    text,
    rows: [
      openButtons.slice(0, 4),
      openButtons.slice(4),
      pagingButtons(page, filter, found.length > ordersPerPage),
      ...filterRows(filter, networks.filter(isFilterNetwork)),
      lastRow(filter),
    ],
  }
}

const queryOf = (
  { accountId, userId, role }: Person,
  { state, period, network, search }: HistoryFilter,
  now: Date,
): HistoryQuery => ({
  accountId,
  userId: role === 'owner' ? null : userId,
  state,
  since: period === 'all' ? null : startOf(period, now),
  network,
  search,
})

/** The number that a line shows: the first of the order. */
const phonesOf = ({ order }: HistoryEntry): string[] => order.recipients.slice(0, 1).map(({ phone }) => phone)

const lineOf = (
  entry: HistoryEntry,
  index: number,
  { names, view, timeZone }: { names: ReadonlyMap<string, string>; view: View; timeZone: string },
): string => {
  const { order } = entry
  const time = plainClock(clockIn(timeZone)(order.createdAt))
  const priced = inPricesOf(order, view.prices)
  const charges = priced && chargesOf([priced])
  const name = names.get(order.recipients[0]?.phone ?? '') ?? null
  const line =
    entry.kind === 'list'
      ? words.listLine(index, standingSeenBy(entry.parts, view), time)
      : words.orderLine(index, order, { name, charges, time })
  return view.role === 'owner' && order.ownerChatId !== null ? words.withAgent(line, order.agentName) : line
}

/** The headings of the given days. If a filter leaves orders out, the headings do not show the day's total. */
const dayHeads = async (
  { store, now }: Services,
  { accountId, userId, role }: Person,
  days: readonly string[],
  { filter, view, timeZone }: { filter: HistoryFilter; view: View; timeZone: string },
): Promise<string[]> => {
  const isWhole = filter.state === 'all' && filter.network === null && filter.search === null
  const whose = { accountId, userId: role === 'owner' ? null : userId, prices: amountsFor(view.prices) }
  const heads: string[] = []
  for (const name of days) {
    const [from, to] = [startOfDay(timeZone, name), startOfDay(timeZone, dayAfter(name))]
    const spent =
      isWhole && view.prices !== 'none' ? await readSpent(store.tallies, whose, { from, to }) : null
    heads.push(words.dayHead(dayName(name, dayIn(timeZone, now())), spent))
  }
  return heads
}

/** `Today`, `Yesterday` or `21 Nov 2026`. */
const dayName = (name: string, today: string): string => {
  if (name === today) return words.todayWord
  return dayAfter(name) === today ? words.yesterdayWord : day(new Date(name))
}

/** A button that opens an order; for an order of a list, it opens the list. */
export const openButton = (
  { id, listed, purchaseId }: { id: string; listed: boolean; purchaseId: string },
  label: string,
): Button =>
  button(label, listed ? { do: 'list', purchaseId, act: { act: 'open' } } : { do: 'open', orderId: id })

const pageButton = (label: string, page: number, filter: HistoryFilter): Button =>
  button(label, { do: 'orders', page, filter })

const pagingButtons = (page: number, filter: HistoryFilter, hasMore: boolean): Button[] => [
  ...(page > 0 ? [pageButton(labels.previous, page - 1, filter)] : []),
  ...(hasMore ? [pageButton(labels.next, page + 1, filter)] : []),
]

/** The filter buttons. Each keeps the other filters; the chosen ones are marked. */
const filterRows = (filter: HistoryFilter, networks: string[]): Button[][] => {
  const choice = (word: string, change: Partial<HistoryFilter>): Button => {
    const chosen = { ...filter, ...change }
    const isChosen =
      chosen.state === filter.state && chosen.period === filter.period && chosen.network === filter.network
    return pageButton(words.choiceLabel(word, isChosen), 0, chosen)
  }
  const networkButtons = [
    choice(words.historyLabels.anyNetwork, { network: null }),
    ...networks.map((network) => choice(network, { network })),
  ]
  return [
    historyStates.map((state) => choice(words.stateLabel(state), { state })),
    historyPeriods.map((period) => choice(words.periodLabel(period), { period })),
    ...(networks.length > 1 ? inRows(networkButtons, 3) : []),
  ]
}

const searchButton: Button = button(words.historyLabels.search, { do: 'search_orders' })
const homeButton: Button = button(labels.home, { do: 'home' })
const allButton: Button = pageButton(words.historyLabels.allOrders, 0, noFilter)

const lastRow = ({ search }: HistoryFilter): Button[] => [
  ...(search ? [allButton] : []),
  searchButton,
  homeButton,
]

// ── Search ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** `Search`: asks what to search for. */
export const askSearch = async (ctx: BotContext): Promise<void> => {
  await askNext(ctx, { what: 'search_orders' })
  ctx.talk.say({ text: words.askSearch, rows: [[button(labels.leave, { do: 'leave' })]] })
}

/** Takes the text to search for. The question stays open until something is found. */
export const takeSearch = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  { text }: { text: string },
): Promise<void> => {
  if (await search(ctx, services, person, text)) await forgetQuestion(ctx, services)
  else ctx.talk.say({ text: words.notFound(text), rows: [[button(labels.leave, { do: 'leave' })]] })
}

/**
 * Searches for orders by a number in any spelling, a reference or a part of one, or a contact's name.
 * @returns false if nothing was found.
 */
const search = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  text: string,
): Promise<boolean> => {
  const screen = await resultScreen(services, person, text)
  if (screen) ctx.talk.say(screen)
  return screen !== null
}

const resultScreen = async (services: Services, person: Person, text: string): Promise<Screen | null> => {
  const show = (search: HistorySearch) => pageScreen(services, person, 0, { ...noFilter, search })
  const written = readPhone(text)
  if (written) return show({ by: 'phone', phone: written.phone })
  const part = readReferencePart(text)
  const byReference: HistorySearch | null = part === null ? null : { by: 'reference', part }
  if (byReference && (await isFound(services, person, byReference))) return show(byReference)
  const contacts = await contactsLike(services, person, text)
  const [contact] = contacts
  if (!contact) return null
  return contacts.length === 1 ? show({ by: 'phone', phone: contact.phone }) : contactsScreen(text, contacts)
}

const isFound = async ({ store, now }: Services, person: Person, search: HistorySearch): Promise<boolean> => {
  const query = queryOf(person, { ...noFilter, search }, now())
  return (await store.history.page(query, 0, 1)).length > 0
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
