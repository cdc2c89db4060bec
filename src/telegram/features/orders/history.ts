import { chargesOf } from '../../../domain/debits/charge.ts'
import { inPricesOf } from '../../../domain/selling/agent-prices.ts'
import { dayAfter } from '../../../exports/export-period.ts'
import { clockIn, dayIn, startOfDay } from '../../../messaging/time-zone.ts'
import { type Person, whoseOrders } from '../../../orders/buying/purchases.ts'
import { readSpent } from '../../../shop/tally.ts'
import type { HistoryEntry, HistoryQuery, HistoryState } from '../../../store/orders/history.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import {
  type HistoryFilter,
  type HistoryPeriod,
  isNarrowed,
  narrowPeriods,
  narrowStates,
  noFilter,
} from '../../buttons/history-filter.ts'
import { followedScreen } from '../../cards/followed.ts'
import { amountsFor, standingSeenBy, type View, viewOf } from '../../cards/viewer.ts'
import { askNext, type BotContext } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { type Button, button, homeButton, pagingButtons, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { day, plainClock, startOf } from '../../chat/time.ts'
import { labels } from '../../words/labels.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import * as words from './history-words.ts'

const ordersPerPage = 5

/** From this many orders on, the history offers to filter them. */
const manyOrders = 11

/** Shows a page of orders, newest first, each with a button to open it. A list counts as one. */
export const showOrders = async (ctx: BotContext, page: number, filter: HistoryFilter): Promise<void> => {
  const { services } = ctx
  const person = await personOf(ctx)
  if (!person) {
    // A person without an account sees the orders that they follow.
    const followed = await followedScreen(services.store, ctx.talk.chatId, services.now())
    if (followed) ctx.talk.show(followed)
    else sayAccountNeeded(ctx)
    return
  }
  ctx.talk.show(await pageScreen(services, person, page, filter))
}

/** A page of the orders that the filter finds. */
export const pageScreen = async (
  services: Services,
  person: Person,
  page: number,
  filter: HistoryFilter,
): Promise<Screen> => {
  const { store, now } = services
  const first = page * ordersPerPage
  const found = await store.history.page(queryOf(person, filter, now()), first, manyOrders)
  const shown = found.slice(0, ordersPerPage)
  const searched = filter.search?.by === 'phone' ? [filter.search.phone] : []
  const names = await store.contacts.names(bookOf(person), [...searched, ...shown.flatMap(phonesOf)])
  const view = await viewOf(store, person, person.role)
  const { timeZone } = await store.preferences.of(person.userId)
  const lines = shown.map((entry, index) => lineOf(entry, first + index + 1, { names, view, timeZone }))
  const byDay = Map.groupBy(shown.keys(), (index) => dayIn(timeZone, shown[index]?.order.createdAt ?? now()))
  const heads = await dayHeads(services, person, [...byDay.keys()], { filter, view, timeZone })
  const name = names.get(searched[0] ?? '') ?? null
  const canFilter = page === 0 && (isNarrowed(filter) || found.length === manyOrders)
  return {
    text: words.historyPage(
      [...byDay.values()].map((indexes, day) => [
        heads[day] ?? '',
        ...indexes.map((index) => lines[index] ?? ''),
      ]),
      { page, filter, name },
    ),
    rows: [
      shown.map(({ order }, index) => openButton(order, String(first + index + 1))),
      pagingButtons(page, found.length > ordersPerPage, (label, to) => pageButton(label, to, filter)),
      [
        ...(canFilter ? [button(words.historyLabels.filter, { do: 'filter_orders', filter })] : []),
        isNarrowed(filter) ? allButton : homeButton,
      ],
    ],
  }
}

/** The query for the person's orders that the filter finds. Owners see the account's orders, agents their own. */
export const queryOf = (
  person: Person,
  { state, period, network, search }: HistoryFilter,
  now: Date,
): HistoryQuery => ({
  ...whoseOrders(person),
  state,
  ...boundsOf(period, now),
  network,
  search,
})

const boundsOf = (period: HistoryPeriod, now: Date): Pick<HistoryQuery, 'since' | 'until'> => {
  const today = startOf('today', now)
  switch (period) {
    case 'all':
      return { since: null, until: null }
    case 'yesterday':
      return { since: startOf('today', new Date(today.getTime() - 1)), until: today }
    default:
      return { since: startOf(period, now), until: null }
  }
}

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
  person: Person,
  days: readonly string[],
  { filter, view, timeZone }: { filter: HistoryFilter; view: View; timeZone: string },
): Promise<string[]> => {
  const isWhole = filter.state === 'all' && filter.network === null && filter.search === null
  const whose = { ...whoseOrders(person), prices: amountsFor(view.prices) }
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

export const pageButton = (label: string, page: number, filter: HistoryFilter): Button =>
  button(label, { do: 'orders', page, filter })

export const allButton: Button = pageButton(words.historyLabels.allOrders, 0, noFilter)

/** `Filter`: offers states and days, which combine, and asks for anything else to search for. */
export const askFilter = async (
  ctx: BotContext,
  _person: Person,
  { filter }: { filter: HistoryFilter },
): Promise<void> => {
  await askNext(ctx, { what: 'search_orders' })
  /** A button that chooses the word, or goes back to all if the word is already chosen. */
  const choice = <Word extends HistoryState | HistoryPeriod>(
    word: Word,
    chosen: string,
    change: (to: Word | 'all') => Partial<HistoryFilter>,
  ) =>
    pageButton(words.choiceLabel(word, word === chosen), 0, {
      ...filter,
      ...change(word === chosen ? 'all' : word),
    })
  ctx.talk.show({
    text: words.askFilter,
    rows: [
      narrowStates.map((state) => choice(state, filter.state, (to) => ({ state: to }))),
      narrowPeriods.map((period) => choice(period, filter.period, (to) => ({ period: to }))),
      [pageButton(labels.back, 0, filter)],
    ],
  })
}
