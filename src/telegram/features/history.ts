import { readPhone } from '../../lists/phone.ts'
import type { Person } from '../../orders/purchases.ts'
import { nameKey } from '../../shop/customer-name.ts'
import { bookOf, type Customer } from '../../store/customers.ts'
import {
  type HistoryEntry,
  type HistoryQuery,
  type HistorySearch,
  historyStates,
} from '../../store/history.ts'
import {
  type HistoryFilter,
  historyPeriods,
  isFilterNetwork,
  noFilter,
  readReferencePart,
} from '../buttons/history.ts'
import { askNext, type BotContext, forgetQuestion } from '../context.ts'
import { followedScreen } from '../followed.ts'
import { personOf } from '../person.ts'
import { readReference } from '../reference.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import * as words from '../texts/history.ts'
import { labels } from '../texts/labels.ts'
import { needAccount } from '../texts/refusal.ts'
import { startOf } from '../time.ts'
import { standingSeenBy, type View, viewOf } from '../viewer.ts'
import { lookUp } from './lookup.ts'

const ordersPerPage = 8
const mostCustomers = 8

/** `/orders`, with what is searched for behind it, or all. */
export const orders = async (ctx: BotContext, services: Services): Promise<void> => {
  const text = typeof ctx.match === 'string' ? ctx.match.trim() : ''
  if (text === '') return showOrders(ctx, services, 0, noFilter)
  if (await search(ctx, services, text)) return
  const reference = readReference(text)
  if (reference) return lookUp(ctx, services, reference)
  ctx.talk.say({ text: words.notFound(text), rows: [[allKey, searchKey], [homeKey]] })
}

/**
 * A page of the orders, newest first, with a button to open each; a list is one of them. Owners see those of the
 * account, agents their own.
 */
export const showOrders = async (
  ctx: BotContext,
  services: Services,
  page: number,
  filter: HistoryFilter,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    // Who has no account has the orders of others that they follow.
    const followed = await followedScreen(services.store, ctx.talk.chatId, services.now())
    ctx.talk.show(followed ?? needAccount)
    return
  }
  ctx.talk.show(await pageScreen(services, person, page, filter))
}

const pageScreen = async (
  { store, now }: Services,
  person: Person,
  page: number,
  filter: HistoryFilter,
): Promise<Screen> => {
  const first = page * ordersPerPage
  const found = await store.history.page(queryOf(person, filter, now()), first, ordersPerPage + 1)
  const shown = found.slice(0, ordersPerPage)
  const searched = filter.search?.by === 'phone' ? [filter.search.phone] : []
  const names = await store.customers.names(bookOf(person), [...searched, ...shown.flatMap(phonesOf)])
  const networks = await store.history.networks(person.accountId)
  const view = await viewOf(store, person, person.role)
  const lines = shown.map((entry, index) => lineOf(entry, first + index + 1, { names, view, now: now() }))
  const openKeys = shown.map(({ order }, index) => openKey(order, String(first + index + 1)))
  const name = names.get(searched[0] ?? '') ?? null
  const text = words.historyPage(lines, { page, filter, name })
  if (page === 0 && shown.length === 0 && networks.length === 0) return { text, rows: [[homeKey]] }
  return {
    text,
    rows: [
      openKeys.slice(0, 4),
      openKeys.slice(4),
      pagingKeys(page, filter, found.length > ordersPerPage),
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

/** The number that a line shows: that of the only one, or the first. */
const phonesOf = ({ order }: HistoryEntry): string[] => order.recipients.slice(0, 1).map(({ phone }) => phone)

const lineOf = (
  entry: HistoryEntry,
  index: number,
  { names, view, now }: { names: ReadonlyMap<string, string>; view: View; now: Date },
): string => {
  const { order } = entry
  const line =
    entry.kind === 'list'
      ? words.listLine(index, standingSeenBy(entry.parts, view), order.createdAt, now)
      : words.orderLine(index, order, names.get(order.recipients[0]?.phone ?? '') ?? null, now)
  return view.role === 'owner' && order.reportTo !== null ? words.withAgent(line, order.agentName) : line
}

export const openKey = (
  { id, listed, purchaseId }: { id: string; listed: boolean; purchaseId: string },
  label: string,
): Key => key(label, listed ? { do: 'list', purchaseId, act: { act: 'open' } } : { do: 'open', orderId: id })

const pageKey = (label: string, page: number, filter: HistoryFilter): Key =>
  key(label, { do: 'orders', page, filter })

const pagingKeys = (page: number, filter: HistoryFilter, hasMore: boolean): Key[] => [
  ...(page > 0 ? [pageKey(labels.previous, page - 1, filter)] : []),
  ...(hasMore ? [pageKey(labels.next, page + 1, filter)] : []),
]

/** The choices, each with the others kept; what is chosen is marked. */
const filterRows = (filter: HistoryFilter, networks: string[]): Key[][] => {
  const choice = (word: string, change: Partial<HistoryFilter>): Key => {
    const chosen = { ...filter, ...change }
    const isChosen =
      chosen.state === filter.state && chosen.period === filter.period && chosen.network === filter.network
    return pageKey(words.choiceLabel(word, isChosen), 0, chosen)
  }
  const networkKeys = [
    choice(words.historyLabels.anyNetwork, { network: null }),
    ...networks.map((network) => choice(network, { network })),
  ]
  return [
    historyStates.map((state) => choice(words.stateLabel(state), { state })),
    historyPeriods.map((period) => choice(words.periodLabel(period), { period })),
    ...(networks.length > 1 ? rowsOf(networkKeys, 3) : []),
  ]
}

const rowsOf = (keys: Key[], width: number): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / width) }, (_, row) =>
    keys.slice(row * width, (row + 1) * width),
  )

const searchKey: Key = key(words.historyLabels.search, { do: 'search_orders' })
const homeKey: Key = key(labels.home, { do: 'home' })
const allKey: Key = pageKey(words.historyLabels.allOrders, 0, noFilter)

const lastRow = ({ search }: HistoryFilter): Key[] => [...(search ? [allKey] : []), searchKey, homeKey]

// ── Search ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** `Search`: asks what for. */
export const askSearch = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!(await personOf(ctx, services))) {
    ctx.talk.show(needAccount)
    return
  }
  await askNext(ctx, { what: 'search_orders' })
  ctx.talk.say({ text: words.askSearch, rows: [[key(labels.leave, { do: 'leave' })]] })
}

/** What was sent when it was asked for: the question stays until something is found. */
export const takeSearch = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  if (await search(ctx, services, text)) await forgetQuestion(ctx, services)
  else ctx.talk.say({ text: words.notFound(text), rows: [[key(labels.leave, { do: 'leave' })]] })
}

/**
 * Finds orders by a number in any spelling, a reference or a part of it, or the name of a saved customer.
 * @returns whether there was something to show.
 */
const search = async (ctx: BotContext, services: Services, text: string): Promise<boolean> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.say(needAccount)
    return true
  }
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
  const customers = await customersLike(services, person, text)
  const [customer] = customers
  if (!customer) return null
  return customers.length === 1
    ? show({ by: 'phone', phone: customer.phone })
    : customersScreen(text, customers)
}

const isFound = async ({ store, now }: Services, person: Person, search: HistorySearch): Promise<boolean> => {
  const query = queryOf(person, { ...noFilter, search }, now())
  return (await store.history.page(query, 0, 1)).length > 0
}

/** Saved customers in whose name or number it stands: those with that very name alone, if there are any. */
const customersLike = async ({ store }: Services, person: Person, text: string): Promise<Customer[]> => {
  const book = bookOf(person)
  const name = nameKey(text)
  const named = await store.customers.named(book, name, mostCustomers + 1)
  if (named.length > 0) return named
  const digits = text.replace(/[\s-]/g, '')
  const isDigits = /^\d{3,10}$/.test(digits)
  return store.customers.containing(book, { key: name, digits: isDigits ? digits : null }, mostCustomers + 1)
}

const customersScreen = (text: string, customers: Customer[]): Screen => {
  const shown = customers.slice(0, mostCustomers)
  const question = words.whichCustomer(text)
  return {
    text: customers.length > mostCustomers ? `${question}\n${words.moreCustomers}` : question,
    rows: [
      ...shown.map(({ name, phone }) => [
        pageKey(words.customerLabel(name, phone), 0, { ...noFilter, search: { by: 'phone', phone } }),
      ]),
      [allKey, homeKey],
    ],
  }
}
