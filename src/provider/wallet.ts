import { z } from 'zod'
import type { AnswerMeta } from './answer.ts'
import { isJsonObject, type JsonObject, listIn, optional, readEntries, required } from './field.ts'
import type { Pesewas } from './money.ts'

export interface Balance {
  balancePesewas: Pesewas
  /** `GHS` if the answer names no currency (API §1). */
  currency: string
  accountType: string | null
  /** When the provider answered, by its clock. */
  timestamp: Date | null
  meta: AnswerMeta
}

/** A wallet entry (API §2). */
export interface Transaction {
  id: number | string
  /** `debit`, `credit`, or any other word. */
  type: string
  amountPesewas: Pesewas
  /** In the debit of an order, this names network, volume and phone. */
  description: string | null
  /** The reference of the order that this entry belongs to. */
  reference: string | null
  balanceAfterPesewas: Pesewas | null
  createdAt: Date | null
}

/** Which page this is, and how many there are (API §4.6). Pages count from 1. */
export interface Pagination {
  currentPage: number
  perPage: number
  total: number
  lastPage: number
}

/** A page of the wallet's entries (API §4.6). */
export interface TransactionPage {
  transactions: Transaction[]
  /** How many entries of this page could not be read. If there are any, the page is incomplete. */
  unreadable: number
  /** Null if the answer has no readable pagination. */
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

/** Reads the answer of API §4.5; null if it has no balance. */
export const balanceIn = (body: JsonObject): Omit<Balance, 'meta'> | null => {
  const records = [body, body.wallet, body.data].filter(isJsonObject)
  return records.map((record) => balance.safeParse(record).data).find(Boolean) ?? null
}

/** Reads the answer of API §4.6; null if it has no list of entries. */
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
