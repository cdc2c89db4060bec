import { expect, test } from 'vitest'
import type { ExplainedEntry } from '../../src/orders/reconciling/explanation.ts'
import { pesewas } from '../../src/provider/money.ts'
import { closeDay } from '../../src/shop/day-close.ts'

const entry = (
  minute: number,
  type: 'debit' | 'credit',
  amount: number,
  after: number | null,
  kind: 'order' | 'nothing' | 'not_of_an_order' = 'order',
): ExplainedEntry =>
  ({
    entry: {
      id: minute,
      type,
      amountPesewas: pesewas(amount),
      description: null,
      reference: null,
      balanceAfterPesewas: after === null ? null : pesewas(after),
      createdAt: new Date(Date.UTC(2026, 10, 21, 10, minute)),
    },
    by: { kind },
  }) as ExplainedEntry

test('the close of a day adds up from the opening to the closing balance', () => {
  const closed = closeDay(
    [
      entry(4, 'credit', 465, 14_535),
      entry(3, 'debit', 465, 14_070),
      entry(2, 'debit', 465, 14_535),
      entry(1, 'credit', 5_000, 15_000, 'not_of_an_order'),
    ],
    pesewas(14_535),
  )
  expect(closed).toEqual({
    openingPesewas: 10_000,
    topUpsPesewas: 5_000,
    chargesPesewas: 930,
    charges: 2,
    refundsPesewas: 465,
    closingPesewas: 14_535,
    gaps: [],
    differencePesewas: 0,
    unexplainedPesewas: 0,
  })
})

test('the close of a day shows each place where a balance does not follow from the entries', () => {
  const found = [entry(2, 'debit', 465, 9_000, 'nothing'), entry(1, 'debit', 465, 9_535)]
  const closed = closeDay(found, pesewas(8_900))
  expect(closed.gaps).toEqual([
    { at: found[0]?.entry.createdAt, pesewas: -70 },
    { at: null, pesewas: -100 },
  ])
  expect(closed.differencePesewas).toBe(-170)
  expect(closed.unexplainedPesewas).toBe(465)
  const { openingPesewas, topUpsPesewas, chargesPesewas, refundsPesewas, differencePesewas } = closed
  expect(openingPesewas + topUpsPesewas - chargesPesewas + refundsPesewas + differencePesewas).toBe(8_900)
})

test('the close of a day whose entries show no balances computes the opening balance from the closing one', () => {
  expect(closeDay([], pesewas(500))).toMatchObject({ openingPesewas: 500, differencePesewas: 0 })
  expect(closeDay([entry(1, 'debit', 100, null)], pesewas(500))).toMatchObject({
    openingPesewas: 600,
    gaps: [],
  })
})
