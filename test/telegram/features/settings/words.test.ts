import { expect, test } from 'vitest'
import type { Departure } from '../../../../src/accounts/departure.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import type { Setting } from '../../../../src/settings/setting.ts'
import { topics } from '../../../../src/settings/setting.ts'
import type { Tally } from '../../../../src/shop/tally.ts'
import { notifyLevels } from '../../../../src/store/chats/preferences.ts'
import * as leavingWords from '../../../../src/telegram/cards/words/leaving.ts'
import * as summaryWords from '../../../../src/telegram/cards/words/summary.ts'
import * as settingsWords from '../../../../src/telegram/features/settings/words.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const words = {
  ordersErased: leavingWords.ordersErased,
  summary: summaryWords.summary,
  ...settingsWords,
}

const amount = pesewas(123_456_789)
const allSettings = ({ text, count, flag }: Values): Setting[] => [
  ...notifyLevels.map((level): Setting => ({ topic: 'notify', level })),
  { topic: 'quiet', hours: flag ? { from: 21 * 60 + 30, to: 6 * 60 } : null },
  { topic: 'level', pesewas: flag ? amount : null },
  { topic: 'repeat', pesewas: flag ? amount : null },
  { topic: 'network', network: flag ? text : null },
  { topic: 'shop', name: flag ? text : null },
  { topic: 'summary', hour: flag ? count % 24 : null },
  { topic: 'zone', timeZone: flag ? 'Africa/Accra' : text },
  { topic: 'slow', on: flag },
]
const cases: readonly settingsWords.DisconnectCase[] = ['last', 'shared', 'agent', 'none']
const departuresOf = ({ count }: Values): (Departure | null)[] => [
  null,
  { kind: 'left' },
  { kind: 'closing', cancelled: count, open: count, eraseBy: now },
  { kind: 'erased', cancelled: count, sending: count, unfollowed: count },
]
const tallyOf = ({ count, money, flag }: Values): Tally => ({
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
  networks: [],
  medianSeconds: null,
})

const wording: Wording<typeof words> = {
  topicLabel: (each) => allSettings(each).map(words.topicLabel),
  choiceLabel: (each) => allSettings(each).map(words.choiceLabel),
  saved: (each) => allSettings(each).map(words.saved),
  topic: (each) => allSettings(each).map(words.topic),
  notASetting: ({ text }) => topics.map((topic) => words.notASetting(topic, text)),
  balanceIsLow: ({ money }) => words.balanceIsLow(money, amount),
  summary: (each) =>
    (['selling', 'cost', 'none'] as const).map((prices) =>
      words.summary({
        since: '20 Nov, 19:00',
        tally: tallyOf(each),
        isOwner: prices === 'cost',
        prices,
        balance: each.flag ? { pesewas: each.money, known: each.count % 2 ? '18:00' : null } : null,
      }),
    ),
  data: () => cases.map(words.data),
  askForget: ({ count, flag }) =>
    cases.map((standing) => words.askForget(standing, { waiting: count, open: count, isBlocked: flag })),
  forgotten: (each) =>
    cases.flatMap((standing) =>
      departuresOf(each).map((departure) =>
        words.forgotten(standing, departure, { closingMs: each.count * 3_600_000, isBlocked: each.flag }),
      ),
    ),
}

testTexts(words, wording, {
  plain: ['topicLabel', 'choiceLabel'],
})

test('the labels of settings are short enough for two buttons in a row', () => {
  const labels = [...Object.values(words.settingsLabels), ...Object.values(words.topicLabels)]
  for (const label of labels) expect(label.length, label).toBeLessThanOrEqual(20)
})

test('an agent’s summary names neither profit nor balance, and a day without orders is one short line', () => {
  const day: Tally = {
    ordered: 2,
    delivered: 1,
    open: 0,
    failed: 1,
    unconfirmed: 0,
    notKnown: 0,
    spentPesewas: pesewas(2_350),
    maybePesewas: pesewas(0),
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
    /Finished: <b>2<\/b> · 1 delivered, 1 failed\nSpent: <b>GHS 23.50<\/b> \(after GHS 23.50 in refunds\)\nSold for: GHS 26.50 · profit <b>GHS 3.00/,
  )
  expect(owners).toContain('Balance: <b>GHS 500.00</b> (as of 18:00)')
  const none = { ...day, ordered: 0 }
  expect(words.summary({ since, tally: none, isOwner: true, prices: 'cost', balance: null })).toBe(
    '📊 No orders since 20 Nov, 19:00.',
  )
})
