import type { Person } from '../../../orders/buying/purchases.ts'
import { type ExplainedEntry, explain, orderIn } from '../../../orders/reconciling/explanation.ts'
import { collectCredits, learnRefunds } from '../../../orders/reconciling/refunds.ts'
import type { Transaction, TransactionPage } from '../../../provider/index.ts'
import { pageOf } from '../../../wallets/reader.ts'
import { type CutShort, type EntriesView, readView } from '../../../wallets/view.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import { type EntriesWish, type EntryFilter, entryFilters, type Seek } from '../../buttons/entries-wish.ts'
import { walletLabels } from '../../cards/words/low-balance.ts'
import type { Asker, BotContext } from '../../chat/context.ts'
import { type Button, button, homeButton, inRows, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { chosenLabel, homeLabels, labels } from '../../words/labels.ts'
import { entriesName } from '../../words/unreadable.ts'
import { openButton } from '../orders/history.ts'
import { endEarlier } from './unanswered.ts'
import { readFor } from './wallet.ts'
import * as walletTexts from './words.ts'

const entriesPerScreen = 5

/** `/transactions`: shows a screen of the wallet's entries, each with its order. */
export const entries = async (ctx: BotContext, person: Person, wish: EntriesWish): Promise<void> => {
  await endEarlier(ctx, 'transactions')
  showEntries(ctx, person, wish)
}

/** Like `entries`. It also answers a request that had to wait for the provider. */
export const showEntries = (ctx: Asker, person: Person, wish: EntriesWish): void => {
  const ask = { view: { do: 'transactions', wish } } as const
  readFor(ctx, { person, ask, what: entriesName }, async () => {
    const view = await look(ctx.services, person, wish)
    return entriesScreen(ctx.services, person, wish, view)
  })
}

const look = async (
  services: Services,
  { accountId }: Person,
  { filter, seek }: EntriesWish,
): Promise<EntriesView<ExplainedEntry>> => {
  const { store, wallets, reconciler } = services
  const credits = collectCredits()
  const pages = new Map<number, TransactionPage>()
  let isOvercharged = false
  const readPage = async (page: number): Promise<TransactionPage> => {
    const known = pages.get(page)
    if (known) return known
    const read = await wallets.ask(accountId, 'person', (provider) => pageOf(provider, page))
    pages.set(page, read)
    credits.take(read.transactions)
    isOvercharged = (await reconciler.learnCharges(accountId, read.transactions)) || isOvercharged
    return read
  }
  const request = {
    readPage,
    choose: async (found: Transaction[]) =>
      (await explain(store, accountId, found)).map((each) => ({
        entry: each.entry,
        chosen: passes(filter, each) ? each : null,
      })),
    from: seek,
    size: entriesPerScreen,
  }
  const first = await readView(request)
  // Builds the screen again, because an older page has shown that a newer entry is an order's second charge.
  const view = isOvercharged ? await readView(request) : first
  // Records refunds from all pages that were read, because one screen may show only a part of an order's refund.
  await learnRefunds(services, accountId, credits.sums(), null)
  return view
}

const passes = (filter: EntryFilter, { entry, by }: ExplainedEntry): boolean => {
  switch (filter) {
    case 'all':
      return true
    case 'debits':
      return entry.type === 'debit'
    case 'credits':
      return entry.type === 'credit'
    case 'unexplained':
      return by.kind === 'nothing' || by.kind === 'maybe' || by.kind === 'extra'
  }
}

const entriesScreen = async (
  services: Services,
  { accountId }: Person,
  { filter, seek }: EntriesWish,
  view: EntriesView<ExplainedEntry>,
): Promise<Screen> => {
  const now = services.now()
  const orders = view.shown.flatMap(({ by }) => orderIn(by) ?? [])
  const phones = orders.flatMap(({ recipients }) => recipients[0]?.phone ?? [])
  const names = await services.store.contacts.names({ accountId, agentId: 0 }, phones)
  const indices = indicesOf(view.shown)
  const nameOf = ({ by }: ExplainedEntry) => names.get(orderIn(by)?.recipients[0]?.phone ?? '') ?? null
  const lines = view.shown.map((each) =>
    walletTexts.entryLine(each, { index: indices.get(each) ?? null, name: nameOf(each), now }),
  )
  const text = walletTexts.entries({
    filter,
    lines,
    isFirst: seek === null,
    cutShort: view.cutShort && { waitMs: waitOf(view.cutShort) },
    unreadable: view.unreadable,
    hasExtra: view.shown.some(({ by }) => by.kind === 'extra'),
    hasUnexplained: view.shown.some(({ by }) => by.kind === 'nothing'),
  })
  const openButtons = orders.map((order, index) => openButton(order, String(index + 1)))
  // The filter is chosen on the first page. With it, a page in the middle would have nine buttons.
  const filters = button(walletTexts.filterLabel(filter), { do: 'transactions_filters', filter })
  return {
    text,
    rows: [openButtons, [...pagingRow(filter, seek, view), ...(view.newer ? [] : [filters]), homeButton]],
  }
}

/** The numbers of the lines whose entry belongs to an order, which a button can open. */
const indicesOf = (shown: ExplainedEntry[]): Map<ExplainedEntry, number> =>
  new Map(shown.filter(({ by }) => orderIn(by)).map((each, index) => [each, index + 1]))

const waitOf = (cutShort: CutShort): number | null => {
  if (cutShort.why === 'enough') return null
  const { error } = cutShort
  if (!isWalletError(error)) throw error
  return 'retryAfterMs' in error ? error.retryAfterMs : null
}

/** The choice of which entries to show. */
export const filtersScreen = (chosen: EntryFilter): Screen => {
  const buttons = entryFilters.map((filter) => {
    const label = chosenLabel(walletTexts.filterLabels[filter], filter === chosen)
    return button(label, { do: 'transactions', wish: { filter, seek: null } })
  })
  const around = [button(homeLabels.balance, { do: 'balance' }), homeButton]
  return { text: walletTexts.askFilter, rows: [...inRows(buttons, 2), around] }
}

const pagingRow = (filter: EntryFilter, seek: Seek | null, view: EntriesView<ExplainedEntry>): Button[] => {
  const seekButton = (label: string, to: Seek | null) =>
    button(label, { do: 'transactions', wish: { filter, seek: to } })
  const isBack = seek?.way === 'newer'
  const older = view.cutShort && !isBack ? walletLabels.lookFurther : labels.next
  const newer = view.cutShort && isBack ? walletLabels.lookFurtherBack : labels.previous
  return [
    ...(view.newer ? [seekButton(newer, { way: 'newer', ...view.newer })] : []),
    ...(view.older ? [seekButton(older, { way: 'older', ...view.older })] : []),
  ]
}
