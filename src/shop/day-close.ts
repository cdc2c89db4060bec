import type { ExplainedEntry } from '../orders/reconciling/explanation.ts'
import type { Transaction } from '../provider/index.ts'
import { minus, type Pesewas, plus, sum, zero } from '../provider/money.ts'

/** A day of the wallet, added up: opening + topUps − charges + refunds + difference = closing. */
export interface DayClose {
  openingPesewas: Pesewas
  topUpsPesewas: Pesewas
  chargesPesewas: Pesewas
  /** How many charges there were. */
  charges: number
  refundsPesewas: Pesewas
  closingPesewas: Pesewas
  /** Where the wallet's own balances do not follow from its entries. Their sum is the difference. */
  gaps: Gap[]
  differencePesewas: Pesewas
  /** The part of the charges that no order here explains, or that is beyond an order's price. */
  unexplainedPesewas: Pesewas
}

/** `at` is the time of the entry before which the balance changed; null: after the last entry. */
export interface Gap {
  at: Date | null
  pesewas: Pesewas
}

/**
 * Adds up a day.
 * @param found all entries of the day, newest first.
 * @param closing the balance at the end of the day.
 */
export const closeDay = (found: readonly ExplainedEntry[], closing: Pesewas): DayClose => {
  const inTime = found
    .toReversed()
    .toSorted((a, b) => (a.entry.createdAt?.getTime() ?? 0) - (b.entry.createdAt?.getTime() ?? 0))
  const opening = openingOf(
    inTime.map(({ entry }) => entry),
    closing,
  )
  const gaps = gapsOf(
    inTime.map(({ entry }) => entry),
    opening,
    closing,
  )
  const debits = inTime.filter(({ entry }) => entry.type === 'debit')
  const credits = inTime.filter(({ entry }) => entry.type === 'credit')
  return {
    openingPesewas: opening,
    topUpsPesewas: sumOf(credits.filter(({ by }) => by.kind === 'not_of_an_order')),
    chargesPesewas: sumOf(debits),
    charges: debits.length,
    refundsPesewas: sumOf(credits.filter(({ by }) => by.kind !== 'not_of_an_order')),
    closingPesewas: closing,
    gaps,
    differencePesewas: sum(gaps.map(({ pesewas }) => pesewas)),
    unexplainedPesewas: sumOf(debits.filter(({ by }) => by.kind === 'nothing' || by.kind === 'extra')),
  }
}

const sumOf = (found: readonly ExplainedEntry[]): Pesewas =>
  sum(found.map(({ entry }) => entry.amountPesewas))

/** What the entry adds to the balance. */
const changeBy = ({ type, amountPesewas }: Transaction): Pesewas => {
  if (type === 'debit') return minus(zero, amountPesewas)
  return type === 'credit' ? amountPesewas : zero
}

/** The balance before the first entry. If the entry does not say its balance, it follows from the closing balance. */
const openingOf = (entries: readonly Transaction[], closing: Pesewas): Pesewas => {
  const [first] = entries
  return first && first.balanceAfterPesewas !== null
    ? minus(first.balanceAfterPesewas, changeBy(first))
    : minus(closing, sum(entries.map(changeBy)))
}

const gapsOf = (entries: readonly Transaction[], opening: Pesewas, closing: Pesewas): Gap[] => {
  const gaps: Gap[] = []
  let balance = opening
  const expect = (actual: Pesewas, at: Date | null) => {
    if (actual !== balance) gaps.push({ at, pesewas: minus(actual, balance) })
    balance = actual
  }
  for (const entry of entries) {
    balance = plus(balance, changeBy(entry))
    expect(entry.balanceAfterPesewas ?? balance, entry.createdAt)
  }
  expect(closing, null)
  return gaps
}
