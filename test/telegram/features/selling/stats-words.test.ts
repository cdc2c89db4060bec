import { describe, expect, test } from 'vitest'
import { statsPicture } from '../../../../src/pictures/stats.ts'
import type { Pesewas } from '../../../../src/provider/money.ts'
import { parseHtml } from '../../../../src/sandbox/index.ts'
import { periods, spansOf } from '../../../../src/shop/stats-period.ts'
import type { Tally } from '../../../../src/shop/tally.ts'
import type { StatsView } from '../../../../src/telegram/cards/words/summary.ts'
import {
  lacksPrices,
  noStats,
  periodLabel,
  stats,
  statsPictureOf,
} from '../../../../src/telegram/features/selling/stats-words.ts'
import { textsIn } from '../../../pictures/source.ts'
import { now } from '../../words/any-order.ts'

const money = (amount: number) => amount as Pesewas
const hostile = `<b>&"${'x'.repeat(5_000)}`

const none = { failed: 0, open: 0, unconfirmed: 0, notKnown: 0 }

const tally = (changes: Partial<Tally> = {}): Tally => ({
  ordered: 52,
  delivered: 48,
  open: 1,
  unconfirmed: 3,
  failed: 2,
  notKnown: 1,
  spentPesewas: money(112_800),
  maybePesewas: money(0),
  refundedPesewas: money(2_350),
  salesPesewas: money(125_000),
  costPesewas: money(112_800),
  profitPesewas: money(12_200),
  unpriced: 0,
  unseen: 0,
  networks: [
    { network: 'MTN', ordered: 40, delivered: 38, ...none, failed: 2, medianSeconds: 75 },
    { network: 'Telecel', ordered: 12, delivered: 10, ...none, open: 1, notKnown: 1, medianSeconds: null },
  ],
  medianSeconds: 75,
  ...changes,
})

const view = (changes: Partial<StatsView> = {}): StatsView => ({
  role: 'owner',
  prices: 'cost',
  shop: 'Ama’s Data',
  period: 'week',
  spans: spansOf(changes.period ?? 'week', now),
  ...changes,
})

const words = (of: StatsView, total: Tally): string => parseHtml(stats(of, { parts: [], total })).text

describe('the statistics', () => {
  test('tell an owner in words everything that the picture shows', () => {
    expect(words(view(), tally()).split('\n')).toEqual([
      '📊 Last 7 days · 15 Nov – 21 Nov 2026',
      '',
      'Finished: 50 · 48 delivered, 2 failed',
      'Still open: 1 on the way, 3 unconfirmed, 1 not known',
      'Spent: GHS 1,128.00 (after GHS 23.50 in refunds)',
      'Sold for: GHS 1,250.00 · profit GHS 122.00',
      '',
      'MTN: 38 delivered, 2 failed · usual time about 2 min',
      'Telecel: 10 delivered',
    ])
  })

  test('tell an agent neither sales nor profit', () => {
    const text = words(view({ role: 'agent' }), tally())
    expect(text).toContain('Cost: GHS 1,128.00')
    expect(text).not.toMatch(/1,250\.00|122\.00|profit|sold/i)
    const picture = statsPicture(
      statsPictureOf(view({ role: 'agent' }), { parts: [tally()], total: tally() }),
    )
    expect(textsIn(picture).join('\n')).not.toMatch(/1,250\.00|122\.00|profit|sold|Ama/i)
  })

  test('show what may have been charged separately from what was spent', () => {
    const total = tally({ maybePesewas: money(1_470) })
    expect(words(view(), total)).toContain(
      'Spent: GHS 1,128.00 (after GHS 23.50 in refunds)\n❓ GHS 14.70 maybe charged\n',
    )
    const shown = textsIn(statsPicture(statsPictureOf(view(), { parts: [total], total }))).join('\n')
    expect(shown).toMatch(/Maybe charged\nGHS 14\.70/)
  })

  test('do not say that nothing was spent if an order’s answer was lost', () => {
    const total = tally({ spentPesewas: money(0), refundedPesewas: money(0), maybePesewas: money(1_470) })
    expect(words(view(), total)).not.toContain('Spent')
    const shown = textsIn(statsPicture(statsPictureOf(view(), { parts: [total], total })))
    expect(shown).not.toContain('GHS 0.00')
  })

  test('call a loss a loss, and count the orders without a selling price', () => {
    expect(words(view(), tally({ profitPesewas: money(-150) }))).toContain('loss GHS 1.50')
    expect(words(view(), tally({ unpriced: 3 }))).toContain('Not counted: 3 orders without a selling price')
  })

  test('say how to set prices instead of showing a profit if no order has a selling price', () => {
    const total = tally({ unpriced: 48, profitPesewas: money(0) })
    expect(words(view(), total)).toContain('these orders have no selling price. Set prices: /prices.')
    expect(lacksPrices(view(), { parts: [], total })).toBe(true)
    expect(lacksPrices(view({ role: 'agent' }), { parts: [], total })).toBe(false)
    expect(lacksPrices(view(), { parts: [], total: tally() })).toBe(false)
    const shown = textsIn(statsPicture(statsPictureOf(view(), { parts: [total], total })))
    expect(shown).toContain('Set prices')
    expect(shown.join()).not.toContain('GHS 0.00')
  })

  test('are valid for Telegram as a caption, whatever names they contain', () => {
    const network = { ...tally().networks[0], network: hostile } as Tally['networks'][number]
    const total = tally({
      ordered: 9_999_999,
      delivered: 9_999_999,
      unpriced: 12_345,
      networks: Array.from({ length: 40 }, () => ({ ...network, delivered: 9_999_999 })),
    })
    for (const role of ['owner', 'agent'] as const) {
      for (const period of periods) {
        const text = words(view({ role, period, shop: hostile }), total)
        expect(text.length).toBeLessThanOrEqual(1024)
        expect(text).toContain('and 36 more networks')
        expect(text).not.toMatch(/undefined|NaN|null/)
        const of = view({ role, period, shop: hostile })
        const parts = of.spans.map(() => total)
        expect(textsIn(statsPicture(statsPictureOf(of, { parts, total }))).join()).not.toMatch(
          /undefined|NaN/,
        )
      }
    }
  })

  test('name the period and give an example of an order if the period has no orders', () => {
    for (const period of periods) {
      expect(parseHtml(noStats(view({ period }))).text).toMatch(/2026[\s\S]*No orders[\s\S]*0241234567 2GB/)
    }
  })

  test('mark the button of the period that is shown', () => {
    expect(periods.map((period) => periodLabel(period, 'week'))).toEqual(['Today', '✓ 7 days', '30 days'])
  })
})

describe('a period of the statistics', () => {
  test.each([
    ['today' as const, 24, '2026-11-21T00:00:00.000Z'],
    ['week' as const, 7, '2026-11-15T00:00:00.000Z'],
    ['month' as const, 30, '2026-10-23T00:00:00.000Z'],
  ])('called “%s” has %i parts, from %s to the end of today', (period, count, from) => {
    const spans = spansOf(period, now)
    expect(spans).toHaveLength(count)
    expect(spans[0].from.toISOString()).toBe(from)
    expect(spans.at(-1)?.to.toISOString()).toBe('2026-11-22T00:00:00.000Z')
    for (const [index, span] of spans.entries()) expect(span.from).toEqual(spans[index - 1]?.to ?? span.from)
  })
})
