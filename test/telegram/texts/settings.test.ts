import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Departure } from '../../../src/accounts/departure.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Setting } from '../../../src/settings/setting.ts'
import { topics } from '../../../src/settings/setting.ts'
import type { Tally } from '../../../src/shop/tally.ts'
import { notifyLevels } from '../../../src/store/preferences.ts'
import * as words from '../../../src/telegram/texts/settings.ts'
import { hostile, readAsTelegram } from './outside.ts'

const amount = fc.nat(10 ** 9).map(pesewas)
const minutes = fc.nat(24 * 60 - 1)
const setting: fc.Arbitrary<Setting> = fc.oneof(
  fc.record({ topic: fc.constant('notify' as const), level: fc.constantFrom(...notifyLevels) }),
  fc.record({
    topic: fc.constant('quiet' as const),
    hours: fc.option(fc.record({ from: minutes, to: minutes })),
  }),
  fc.record({ topic: fc.constantFrom('level' as const, 'repeat' as const), pesewas: fc.option(amount) }),
  fc.record({ topic: fc.constant('network' as const), network: fc.option(hostile) }),
  fc.record({ topic: fc.constant('shop' as const), name: fc.option(hostile) }),
  fc.record({ topic: fc.constant('summary' as const), hour: fc.option(fc.nat(23)) }),
  fc.record({ topic: fc.constant('zone' as const), timeZone: hostile }),
)
const count = fc.nat(10_000)
const standing = fc.constantFrom<words.Standing>('last', 'shared', 'agent', 'none')
const departure = fc.option(
  fc.oneof<fc.Arbitrary<Departure>[]>(
    fc.record({
      kind: fc.constant('closing' as const),
      cancelled: count,
      open: count,
      eraseBy: fc.constant(new Date(0)),
    }),
    fc.record({ kind: fc.constant('erased' as const), cancelled: count, sending: count, unfollowed: count }),
    fc.constant<Departure>({ kind: 'left' }),
  ),
)
const tally: fc.Arbitrary<Tally> = fc.record({
  ordered: count,
  delivered: count,
  open: count,
  failed: count,
  notKnown: count,
  spentPesewas: amount,
  refundedPesewas: amount,
  salesPesewas: amount,
  costPesewas: amount,
  profitPesewas: amount,
  unpriced: count,
  unseen: count,
  networks: fc.constant([]),
  medianSeconds: fc.constant(null),
})

const wordings: Record<string, fc.Arbitrary<string>> = {
  settings: fc
    .tuple(fc.array(setting, { maxLength: 8 }), fc.option(setting))
    .map(([all, changed]) => words.settings(all, changed)),
  topic: setting.map(words.topic),
  notASetting: fc
    .tuple(fc.constantFrom(...topics), hostile)
    .map(([topic, typed]) => words.notASetting(topic, typed)),
  balanceIsLow: fc.tuple(amount, amount).map(([balance, level]) => words.balanceIsLow(balance, level)),
  summary: fc
    .record({
      since: fc.constant('20 Nov, 19:00'),
      tally,
      isOwner: fc.boolean(),
      prices: fc.constantFrom('selling' as const, 'cost' as const, 'none' as const),
      balance: fc.option(fc.record({ pesewas: amount, known: fc.option(fc.constant('18:00')) })),
    })
    .map(words.summary),
  data: standing.map(words.data),
  askForget: fc
    .tuple(standing, fc.record({ waiting: count, open: count, isBlocked: fc.boolean() }))
    .map(([whose, options]) => words.askForget(whose, options)),
  forgotten: fc
    .tuple(standing, departure, fc.record({ closingMs: fc.nat(86_400_000), isBlocked: fc.boolean() }))
    .map(([whose, left, options]) => words.forgotten(whose, left, options)),
}

test.each(Object.keys(wordings))(
  '%s is balanced markup that Telegram takes, whatever it is about',
  (name) => {
    fc.assert(
      fc.property(wordings[name] ?? fc.constant(''), (html) => {
        readAsTelegram(html)
      }),
    )
  },
)

test('labels are short enough for two in a row', () => {
  const labels = [...Object.values(words.settingsLabels), ...Object.values(words.topicLabels)]
  for (const label of labels) expect(label.length, label).toBeLessThanOrEqual(20)
})

test('an agent’s summary names neither profit nor balance, and a day without orders is one short line', () => {
  const day: Tally = {
    ordered: 2,
    delivered: 1,
    open: 0,
    failed: 1,
    notKnown: 0,
    spentPesewas: pesewas(2_350),
    refundedPesewas: pesewas(2_350),
    salesPesewas: pesewas(2_650),
    costPesewas: pesewas(2_350),
    profitPesewas: pesewas(300),
    unpriced: 0,
    unseen: 0,
    networks: [],
    medianSeconds: null,
  }
  const since = '20 Nov, 19:00'
  const agents = words.summary({ since, tally: day, isOwner: false, prices: 'selling', balance: null })
  expect(agents).not.toMatch(/profit|balance/i)
  const owners = words.summary({
    since,
    tally: day,
    isOwner: true,
    prices: 'cost',
    balance: { pesewas: pesewas(50_000), known: '18:00' },
  })
  expect(owners).toMatch(
    /Orders: <b>2<\/b> · 1 delivered, 1 failed\nSpent: <b>GHS 23.50<\/b> \(after GHS 23.50 refunded\)\nSold for: GHS 26.50 · profit <b>GHS 3.00/,
  )
  expect(owners).toContain('Balance: <b>GHS 500.00</b> (18:00)')
  const none = { ...day, ordered: 0 }
  expect(words.summary({ since, tally: none, isOwner: true, prices: 'cost', balance: null })).toBe(
    '📊 No orders since 20 Nov, 19:00.',
  )
})
