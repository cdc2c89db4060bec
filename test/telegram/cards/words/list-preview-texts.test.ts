import type { ReadRecipient } from '../../../../src/lists/reading-result.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import type { Phone } from '../../../../src/provider/phone.ts'
import * as words from '../../../../src/telegram/cards/words/list-preview.ts'
import { phone } from '../../words/any-order.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const recipientsOf = ({ text, money }: Values, count: number): ReadRecipient[] =>
  times(count, {
    line: 1,
    phone: phone as Phone,
    bundleId: 5,
    network: text,
    volume: '5GB',
    offerSlug: null,
    pricePesewas: money,
    notes: [],
  })
const bundleOf = ({ text, money, flag }: Values) => ({
  id: 5,
  network: text,
  volume: '5GB',
  offerSlug: null,
  pricePesewas: flag ? money : null,
})
const repeatsOf = (each: Values) =>
  recipientsOf(each, each.count).map(({ phone: written }) => ({
    written,
    reference: each.flag ? 'BUD-API-AB12CD-1' : null,
  }))

const nothingDone = { ordered: 0, in_part: 0, repeated: 0, barred: 0, taken: 0 }
const partlyDone = (count: number) => ({
  ...nothingDone,
  in_part: count,
  repeated: count,
  barred: count,
  taken: count,
})

const sumsOf = (each: Values): words.PreviewSums[] => {
  const { count, flag, money, text } = each
  const none = {
    network: text,
    volume: '5GB',
    offer: flag ? text : null,
    count,
    whom: [{ phone, name: text }],
  }
  const bundle = { ...none, totalPesewas: money, change: flag ? { before: money, now: money } : null }
  const sums = (cut: number, rest: Partial<words.PreviewSums>): words.PreviewSums => ({
    lines: count,
    fix: count,
    isAgain: flag,
    asked: flag ? count : 0,
    ignored: count,
    done: nothingDone,
    bundles: [bundle],
    balancePesewas: pesewas(2_000),
    allowed: [],
    chosen: null,
    waiting: 0,
    restored: 0,
    otherPrices: 0,
    otherNetworks: 0,
    selection: {
      send: recipientsOf(each, count),
      done: [],
      repeats: [],
      barred: [],
      down: [],
      cut: recipientsOf(each, cut),
      neededPesewas: money,
      totalPesewas: pesewas(1_000),
      isShort: cut > 0,
      fitting: null,
    },
    ...rest,
  })
  const barred = sums(0, { limitPesewas: money, allowed: flag ? [text] : [] })
  return [
    sums(0, { balancePesewas: null, chosen: 'gone' }),
    sums(count, { balanceAt: '10:32', chosen: { network: text, volume: '5GB' } }),
    sums(count, { limitPesewas: money, isLeftHidden: flag }),
    sums(0, { limitPesewas: null, isUnpriced: true, done: { ...nothingDone, ordered: count } }),
    sums(0, { waiting: count, restored: count, done: partlyDone(count) }),
    sums(0, { otherPrices: count, otherNetworks: count }),
    {
      ...barred,
      selection: { ...barred.selection, barred: recipientsOf(each, count), down: recipientsOf(each, count) },
    },
  ]
}

const wording: Wording<typeof words> = {
  brief: ({ text }) => `Line ${words.brief(text)}`,
  some: ({ text, count }) => `Some of ${words.some(times(count, text), words.brief)}`,
  behind: ({ money, flag }) => words.behind(flag ? money : null) || null,
  askBundle: ({ text }) => words.askBundle(text),
  askNumbers: (each) => words.askNumbers(bundleOf(each)),
  earlierOpen: ({ count }) => words.earlierOpen(count + 1),
  askFix: ({ count }) => words.askFix(count),
  nothingCorrected: ({ count }) => words.nothingCorrected(count),
  correctedText: ({ text, count, flag }) =>
    words.correctedText(times(count + 1, { number: 12, text: flag ? text : '', isNew: count % 2 === 0 })),
  acceptedToast: ({ count }) => words.acceptedToast(count + 1),
  pricedAtText: () => words.pricedAtText('10:32'),
  unread: ({ count }) => words.unread(count, count),
  listDraft: (each) => sumsOf(each).map(words.listDraft),
  nearText: ({ text, count, flag }) => {
    const twin = {
      phone: '0241234576',
      other: '0241234567',
      isKnown: flag,
      slip: flag ? 'swap' : 'digit',
    } as const
    return words.nearText(
      times(count + 1, { ...twin, name: flag ? text : null } as Parameters<typeof words.nearText>[0][number]),
    )
  },
  repeatsText: (each) => words.repeatsText(repeatsOf(each), each.count % 2 === 0),
  verdictWord: () => (['ready', 'fix', 'ignored'] as const).map(words.verdictWord),
  leftOut: () => (['barred', 'down', 'cut'] as const).map(words.leftOut),
  skippedRepeat: ({ text, flag }) => words.skippedRepeat(flag ? text : null),
  doneBefore: () => (['ordered', 'repeated', 'barred'] as const).map(words.doneBefore),
}

testTexts(words, wording, {
  plain: ['acceptedToast', 'leftOut', 'skippedRepeat', 'doneBefore', 'verdictWord'],
})
