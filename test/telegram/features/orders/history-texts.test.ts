import { noCharges } from '../../../../src/domain/debits/charge.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import { periods, spansOf } from '../../../../src/shop/stats-period.ts'
import type { Tally } from '../../../../src/shop/tally.ts'
import { historyStates } from '../../../../src/store/orders/history.ts'
import { type HistoryFilter, historyPeriods } from '../../../../src/telegram/buttons/history-filter.ts'
import * as summaryWords from '../../../../src/telegram/cards/words/summary.ts'
import * as historyWords from '../../../../src/telegram/features/orders/history-words.ts'
import * as reportWords from '../../../../src/telegram/features/orders/report-words.ts'
import * as sellingStatsWords from '../../../../src/telegram/features/selling/stats-words.ts'
import { now, phone } from '../../words/any-order.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const statsWords = {
  ordersLine: summaryWords.ordersLine,
  spendLines: summaryWords.spendLines,
  saleLines: summaryWords.saleLines,
  periodLabel: sellingStatsWords.periodLabel,
  noStats: sellingStatsWords.noStats,
  stats: sellingStatsWords.stats,
  statsPictureOf: sellingStatsWords.statsPictureOf,
  lacksPrices: sellingStatsWords.lacksPrices,
}

const filtersOf = ({ flag }: Values): HistoryFilter[] =>
  historyStates.flatMap((state) =>
    historyPeriods.map((period) => ({
      state,
      period,
      network: flag ? ('MTN' as const) : null,
      search: state === 'failed' ? { by: 'phone' as const, phone } : null,
    })),
  )
const standingOf = ({ count, flag }: Values) => ({
  total: count,
  waiting: count,
  underWay: count,
  delivered: count,
  unconfirmed: count,
  failed: { length: count },
  notOrdered: count,
  notKnown: count,
  charges: flag ? { ...noCharges, chargedPesewas: pesewas(2350), refundedPesewas: pesewas(count) } : null,
})

const history: Wording<typeof historyWords> = {
  choiceLabel: ({ flag }) =>
    [...historyStates, ...historyPeriods].map((word) => historyWords.choiceLabel(word, flag)),
  contactLabel: ({ text }) => historyWords.contactLabel(text, phone),
  historyPage: (each) =>
    filtersOf(each).flatMap((filter) =>
      [0, 3].map((count) =>
        historyWords.historyPage(times(count, ['Today', '1. ✅ MTN 5GB · delivered']), {
          page: each.count % 3,
          filter,
          name: each.flag ? each.text : null,
        }),
      ),
    ),
  orderLine: ({ order, text, count, money }) =>
    [null, { ...noCharges, chargedPesewas: money, refundedPesewas: pesewas(count) }].map((charges) =>
      historyWords.orderLine(count, order, { name: text, charges, time: '10:32' }),
    ),
  dayHead: ({ money }) =>
    [null, { spentPesewas: money, refundedPesewas: money, maybePesewas: money }].map((spent) =>
      historyWords.dayHead('21 Nov 2026', spent),
    ),
  withAgent: ({ text }) => historyWords.withAgent('1. ✅ MTN 5GB · delivered', text),
  listLine: (each) => historyWords.listLine(each.count, standingOf(each), '10:32'),
  whichContact: ({ text }) => historyWords.whichContact(text),
  notFound: ({ text }) => historyWords.notFound(text),
}

testTexts(historyWords, history, { plain: ['choiceLabel', 'contactLabel'] })

const report: Wording<typeof reportWords> = {
  reportText: ({ order, flag }) => reportWords.reportText(order, [], flag, now),
}

testTexts(reportWords, report)

const tallyOf = ({ count, money, flag, text }: Values): Tally => ({
  ordered: count,
  delivered: count,
  failed: count,
  open: count,
  unconfirmed: count,
  notKnown: count,
  spentPesewas: money,
  maybePesewas: money,
  refundedPesewas: money,
  salesPesewas: money,
  costPesewas: money,
  profitPesewas: money,
  unpriced: flag ? 0 : count,
  unseen: flag ? count : 0,
  networks: times(count, {
    network: text,
    ordered: count,
    delivered: count,
    failed: count,
    open: count,
    unconfirmed: count,
    notKnown: count,
    medianSeconds: 75,
  }),
  medianSeconds: 75,
})
const viewsOf = ({ text, flag }: Values): summaryWords.StatsView[] =>
  periods.flatMap((period) =>
    (['selling', 'cost', 'none'] as const).map((prices) => ({
      role: prices === 'cost' ? ('owner' as const) : ('agent' as const),
      prices,
      period,
      shop: flag ? text : null,
      spans: spansOf(period, now),
    })),
  )

const stats: Wording<typeof statsWords> = {
  periodLabel: () => periods.map((period) => statsWords.periodLabel(period, 'week')),
  noStats: (each) => viewsOf(each).map(statsWords.noStats),
  stats: (each) => viewsOf(each).map((view) => statsWords.stats(view, { parts: [], total: tallyOf(each) })),
  ordersLine: (each) => statsWords.ordersLine(tallyOf(each)),
  spendLines: (each) => viewsOf(each).flatMap((view) => statsWords.spendLines(view, tallyOf(each))),
  saleLines: (each) => statsWords.saleLines(tallyOf(each)),
}

testTexts(statsWords, stats, { others: ['statsPictureOf', 'lacksPrices'] })
