import { z } from 'zod'
import type { AnswerMeta } from './answer.ts'
import { isJsonObject, type JsonObject, listIn, optional, readEntries, required } from './field.ts'
import type { Pesewas } from './money.ts'

/** The money in the wallet (API §4.5). */
export interface Balance {
  balancePesewas: Pesewas
  /** `GHS` if the answer names none (API §1). */
  currency: string
  accountType: string | null
  /** The provider's clock when it answered. */
  timestamp: Date | null
  meta: AnswerMeta
}

/** A wallet entry (API §2). */
export interface Transaction {
  id: number | string
  /** `debit`, `credit`, or another word. */
  type: string
  amountPesewas: Pesewas
  /** An order's debit names network, volume and phone. */
  description: string | null
  /** The order's reference. */
  reference: string | null
  balanceAfterPesewas: Pesewas | null
  createdAt: Date | null
}

/** The place of a page among all (API §4.6); pages count from 1. */
export interface Pagination {
  currentPage: number
  perPage: number
  total: number
  lastPage: number
}

/** A page of the wallet's entries (API §4.6). */
export interface TransactionPage {
  transactions: Transaction[]
  /** Entries of this page that could not be read. If there are any, the page was not read completely. */
  unreadable: number
  /** Null if the answer has none that can be read. */
  pagination: Pagination | null
  meta: AnswerMeta
}

const balance = z
  .object({
    balance: required.money,
    currency: optional.text.transform((currency) => currency ?? 'GHS'),
    account_type: optional.text,
    timestamp: optional.date,
  })
  .transform(({ balance: balancePesewas, currency, account_type: accountType, timestamp }) => ({
    balancePesewas,
    currency,
    accountType,
    timestamp,
  }))

const transaction = z
  .object({
    id: required.identifier,
    type: required.word(['debit', 'credit']),
    amount: required.money,
    description: optional.text,
    reference: optional.reference,
    balance_after: optional.money,
    created_at: optional.date,
  })
  .transform(
    ({ amount, balance_after, created_at, ...entry }): Transaction => ({
      ...entry,
      amountPesewas: amount,
      balanceAfterPesewas: balance_after,
      createdAt: created_at,
    }),
  )

const pagination = z
  .object({
    current_page: required.integer,
    per_page: required.integer,
    total: required.integer,
    last_page: required.integer,
  })
  .transform(
    (page): Pagination => ({
      currentPage: page.current_page,
      perPage: page.per_page,
      total: page.total,
      lastPage: page.last_page,
    }),
  )

/** Reads the answer of API §4.5; null if it names no balance. */
export const balanceIn = (body: JsonObject): Omit<Balance, 'meta'> | null => {
  const records = [body, body.wallet, body.data].filter(isJsonObject)
  return records.map((record) => balance.safeParse(record).data).find(Boolean) ?? null
}

/** Reads the answer of API §4.6; null if it has no list. */
export const transactionsIn = (body: JsonObject): Omit<TransactionPage, 'meta'> | null => {
  const list = listIn(body, 'transactions')
  if (!list) return null
  const { entries, unreadable } = readEntries(list, transaction)
  return {
    transactions: entries,
    unreadable,
    pagination: pagination.safeParse(body.pagination).data ?? null,
  }
}
