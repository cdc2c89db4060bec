import { expect, test } from 'vitest'
import type { Order } from '../../../../src/domain/order/order.ts'
import type { ExplainedEntry, Explanation } from '../../../../src/orders/reconciling/explanation.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import type { Phone } from '../../../../src/provider/phone.ts'
import { entryFilters } from '../../../../src/telegram/buttons/entries-wish.ts'
import * as walletWords from '../../../../src/telegram/cards/words/low-balance.ts'
import * as walletWalletWords from '../../../../src/telegram/features/wallet/words.ts'
import * as unreadableWords from '../../../../src/telegram/words/unreadable.ts'
import { now } from '../../words/any-order.ts'
import { expectLabel, readAsTelegram } from '../../words/outside.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const walletTexts = {
  walletLabels: walletWords.walletLabels,
  lowBalance: walletWords.lowBalance,
  ...walletWalletWords,
  entriesName: unreadableWords.entriesName,
}

const orderOf = ({ text, count }: Pick<Values, 'text' | 'count'>) =>
  ({
    network: text,
    volume: text,
    recipients: Array.from({ length: 1 + count }, () => ({ phone: '0241234567' as Phone })),
    sentAt: now,
    createdAt: now,
  }) as unknown as Order

const explanationOf = (each: Values): Explanation => {
  const kinds: Explanation[] = [
    { kind: 'order', order: orderOf(each) },
    { kind: 'maybe', orders: Array.from({ length: 1 + each.count }, () => orderOf(each)) },
    { kind: 'nothing' },
    { kind: 'not_of_an_order' },
  ]
  return kinds[each.count % kinds.length] ?? { kind: 'nothing' }
}

const lineOf = (each: Values): string => {
  const { text, money, flag, count } = each
  const explained: ExplainedEntry = {
    entry: {
      id: count,
      type: flag ? 'debit' : text,
      amountPesewas: money,
      description: text,
      reference: flag ? text : null,
      balanceAfterPesewas: flag ? money : null,
      createdAt: flag ? now : null,
    },
    by: explanationOf(each),
  }
  return walletTexts.entryLine(explained, { index: flag ? count : null, name: flag ? text : null, now })
}

const goodForOf = ({ text, count }: Values) => ({ count, network: text, volume: text })
const sumOf = ({ money, count }: Values) => ({ orders: count % 3, pesewas: money })
const filterOf = ({ count }: Values) => entryFilters[count % entryFilters.length] ?? 'all'
const html: Wording<typeof walletTexts> = {
  balance: (each) =>
    walletTexts.balance({
      balance: each.money,
      accountType: each.text,
      at: now,
      held: { waiting: sumOf(each), uncertain: sumOf(each) },
      refunds: sumOf(each),
      goodFor: each.flag ? goodForOf(each) : null,
      level: each.flag ? each.money : null,
      now,
    }),
  filterLabel: (each) => walletTexts.filterLabel(filterOf(each)),
  lowBalance: (each) =>
    walletTexts.lowBalance({
      balance: each.money,
      level: each.money,
      goodFor: each.flag ? goodForOf(each) : null,
    }),
  entryLine: lineOf,
  entries: (each) =>
    walletTexts.entries({
      filter: filterOf(each),
      lines: Array.from({ length: each.count % 9 }, () => lineOf(each)),
      isFirst: each.flag,
      cutShort: each.count % 2 ? { waitMs: each.flag ? 30_000 : null } : null,
      unreadable: each.count,
      hasUnexplained: each.flag,
      hasExtra: !each.flag,
    }),
}

testTexts(walletTexts, html, {
  plain: ['filterLabel'],
})

test('a screen of the longest wallet entries with all notes fits in one message', () => {
  const long = 'W'.repeat(1_000)
  const longest = (kind: Explanation) =>
    walletTexts.entryLine(
      {
        entry: {
          id: 10 ** 9,
          type: 'debit',
          amountPesewas: pesewas(10 ** 12),
          description: long,
          reference: long,
          balanceAfterPesewas: pesewas(10 ** 12),
          createdAt: new Date('2020-11-21T10:32:00Z'),
        },
        by: kind,
      },
      { index: 8, name: long, now },
    )
  const order = orderOf({ text: long, count: 40 })
  for (const kind of [
    { kind: 'order' as const, order },
    { kind: 'extra' as const, order: { ...order, chargedPesewas: pesewas(999_999_999), extraPesewas: null } },
    { kind: 'maybe' as const, orders: [order, order, order, order] },
    { kind: 'nothing' as const },
  ]) {
    const text = walletTexts.entries({
      filter: 'unexplained',
      lines: Array.from({ length: 8 }, () => longest(kind)),
      isFirst: true,
      cutShort: { waitMs: 3_599_000 },
      unreadable: 1_000_000,
      hasUnexplained: true,
      hasExtra: true,
    })
    readAsTelegram(text)
  }
})

test('every label of the wallet’s buttons is short', () => {
  const labels = [...Object.values(walletTexts.walletLabels), ...Object.values(walletTexts.filterLabels)]
  for (const label of labels) expectLabel(label, 23)
})

test('the balance screen shows what the balance can buy, and what open orders will take from it', () => {
  const text = walletTexts.balance({
    balance: pesewas(10_000),
    accountType: 'agent',
    at: now,
    held: {
      waiting: { orders: 3, pesewas: pesewas(7_050) },
      uncertain: { orders: 1, pesewas: pesewas(2_350) },
    },
    refunds: { orders: 2, pesewas: pesewas(4_700) },
    goodFor: { count: 1, network: 'MTN', volume: '5GB' },
    level: pesewas(5_000),
    now,
  })
  for (const part of [
    'GHS 100.00',
    '3 orders are waiting',
    'leaving <b>GHS 29.50</b>',
    'I’m not sure yet about 1 order',
    'GHS 47.00 should be refunded',
    '1 × MTN 5GB',
    'below GHS 50.00',
  ])
    expect(text).toContain(part)
})
