import type { ProviderLedger, ProviderTransactionState } from './control.ts'
import { apiTimestamp } from './timestamp.ts'

interface Wallet {
  balancePesewas: number
}

interface Entry {
  transaction: ProviderTransactionState
  /** By this machine's clock. */
  atMs: number
  /** By the provider's clock. */
  visibleFromMs: number
}

export interface Posting {
  accountId: string
  amountPesewas: number
  description: string
  reference: string
}

/**
 * The wallets and their transactions, in whole pesewas.
 *
 * Invariant: a balance equals the balance that was last set (at the start or by `setBalance`), minus all debits and
 * plus all credits since then. No debit makes a balance negative.
 */
export class Ledger {
  readonly #wallets = new Map<string, Wallet>()
  readonly #entries: Entry[] = []
  readonly #clock: () => number
  readonly #now: () => number

  /**
   * @param clock the provider's time, with which entries are stamped, ms since 1970
   * @param now this machine's time, ms since 1970
   */
  constructor(clock: () => number, now = clock) {
    this.#clock = clock
    this.#now = now
  }

  balance(accountId: string): number {
    return this.#wallet(accountId).balancePesewas
  }

  /** Sets a wallet's balance without adding an entry. The page or a test does this, never the provider itself. */
  setBalance(accountId: string, balancePesewas: number): void {
    this.#wallets.set(accountId, { balancePesewas })
  }

  /**
   * Takes money from the wallet and adds an entry.
   * @returns null if the balance is too low; then nothing is deducted
   */
  debit(posting: Posting): ProviderTransactionState | null {
    const wallet = this.#wallet(posting.accountId)
    if (wallet.balancePesewas < posting.amountPesewas) return null
    wallet.balancePesewas -= posting.amountPesewas
    return this.#enter('debit', posting, wallet)
  }

  credit(posting: Posting): ProviderTransactionState {
    const wallet = this.#wallet(posting.accountId)
    wallet.balancePesewas += posting.amountPesewas
    return this.#enter('credit', posting, wallet)
  }

  /** Hides an entry from `visible` until that time, although the money has moved already. */
  hide(transactionId: number, untilMs: number): void {
    const entry = this.#entries.find(({ transaction }) => transaction.id === transactionId)
    if (entry) entry.visibleFromMs = untilMs
  }

  showAll(accountId: string): void {
    for (const entry of this.#entries) {
      if (entry.transaction.accountId === accountId)
        entry.visibleFromMs = Math.min(entry.visibleFromMs, this.#clock())
    }
  }

  all(accountId?: string): ProviderTransactionState[] {
    const all = this.#entries.map(({ transaction }) => transaction)
    return accountId === undefined ? all : all.filter((transaction) => transaction.accountId === accountId)
  }

  /** All entries with two times by this machine's clock: when they were made, and when they became visible. */
  timed(): ProviderLedger['entries'] {
    const aheadMs = this.#clock() - this.#now()
    return this.#entries.map(({ transaction, atMs, visibleFromMs }) => {
      const { accountId, type, amountPesewas, reference } = transaction
      const visibleAtMs = Math.max(atMs, visibleFromMs - aheadMs)
      return { accountId, type, amountPesewas, reference, atMs, visibleAtMs }
    })
  }

  /** The entries that the account can see at that time, newest first. */
  visible(accountId: string, nowMs: number): ProviderTransactionState[] {
    return this.#entries
      .filter((entry) => entry.transaction.accountId === accountId && entry.visibleFromMs <= nowMs)
      .map(({ transaction }) => transaction)
      .reverse()
  }

  #wallet(accountId: string): Wallet {
    const wallet = this.#wallets.get(accountId)
    if (!wallet) throw new Error(`No wallet for account ${accountId}`)
    return wallet
  }

  #enter(type: 'debit' | 'credit', posting: Posting, wallet: Wallet): ProviderTransactionState {
    const transaction = {
      id: this.#entries.length + 1,
      type,
      ...posting,
      balanceAfterPesewas: wallet.balancePesewas,
      createdAt: apiTimestamp(this.#clock()),
    }
    this.#entries.push({ transaction, atMs: this.#now(), visibleFromMs: Number.NEGATIVE_INFINITY })
    return transaction
  }
}
