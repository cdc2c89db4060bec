import { type AccountType, type Bundle, catalogue } from './catalogue.ts'
import type { ProviderAccountState, ProviderBundleState } from './control.ts'
import type { Ledger } from './ledger.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Missing fields are generated. The balance is GHS 500 by default. */
export interface NewAccount {
  id?: string
  name?: string
  accountType?: AccountType
  balancePesewas?: number
  apiKey?: string
  apiSecret?: string
}

/** Fields that are left out do not change. */
export interface AccountChange {
  balancePesewas?: number | undefined
  /** With a new key or secret, the old one becomes invalid (API §5.3). */
  apiKey?: string | undefined
  apiSecret?: string | undefined
  disabled?: boolean | undefined
  /**
   * In pesewas, by bundle id. These are added to the account's own prices; null removes one, so that the price of
   * the account's type applies again.
   */
  prices?: Record<string, number | null> | undefined
}

export interface Account {
  id: string
  name: string
  accountType: AccountType
  apiKey: string
  apiSecret: string
  disabled: boolean
  prices: Record<string, number>
}

const openingPesewas = 50_000

const demoAccount = (accountType: AccountType): NewAccount => ({
  id: accountType,
  name: `Demo ${accountType}`,
  accountType,
  apiKey: `demo-${accountType}-key`,
  apiSecret: `demo-${accountType}-secret`,
})

/** One account of each type. The credentials look unreal, so that nobody takes them for real ones. */
export const demoAccounts: readonly NewAccount[] = (['user', 'agent', 'dealer', 'merchant'] as const).map(
  demoAccount,
)

export class Accounts {
  readonly #accounts: Account[] = []
  readonly #ledger: Ledger
  readonly #word: (length: number) => string

  /** @param word makes a random text of that length, for credentials that are not given */
  constructor(ledger: Ledger, word: (length: number) => string) {
    this.#ledger = ledger
    this.#word = word
  }

  add(account: NewAccount): Account {
    const number = this.#accounts.length + 1
    const added = {
      id: account.id ?? `account-${number}`,
      name: account.name ?? `Account ${number}`,
      accountType: account.accountType ?? 'agent',
      apiKey: account.apiKey ?? `sim-key-${this.#word(24)}`,
      apiSecret: account.apiSecret ?? `sim-secret-${this.#word(32)}`,
      disabled: false,
      prices: {},
    }
    if (this.find(added.id) || this.find(added.apiKey)) throw new Error(`Account ${added.id} already exists`)
    this.#accounts.push(added)
    this.#ledger.setBalance(added.id, account.balancePesewas ?? openingPesewas)
    return added
  }

  find(idOrKey: string): Account | undefined {
    return this.#accounts.find(({ id, apiKey }) => id === idOrKey || apiKey === idOrKey)
  }

  change(account: Account, change: AccountChange): void {
    if (change.balancePesewas !== undefined) this.#ledger.setBalance(account.id, change.balancePesewas)
    if (change.disabled !== undefined) account.disabled = change.disabled
    if (change.apiKey !== undefined) account.apiKey = change.apiKey
    if (change.apiSecret !== undefined) account.apiSecret = change.apiSecret
    for (const [bundleId, price] of Object.entries(change.prices ?? {})) {
      if (price === null) delete account.prices[bundleId]
      else account.prices[bundleId] = price
    }
  }

  /** Finds the account with these credentials, or refuses them (API §5.4). */
  authenticate(apiKey: unknown, apiSecret: unknown): Account | Refusal {
    const account = this.#accounts.find((each) => each.apiKey === apiKey && each.apiSecret === apiSecret)
    if (!account) return refuse('UNAUTHORIZED', 'The API key or secret is missing or invalid.')
    if (account.disabled) return refuse('UNAUTHORIZED', 'This API key is disabled.')
    return account
  }

  states(): ProviderAccountState[] {
    return this.#accounts.map((account) => this.state(account))
  }

  state(account: Account): ProviderAccountState {
    return { ...account, prices: { ...account.prices }, balancePesewas: this.#ledger.balance(account.id) }
  }
}

/** The account's price for the bundle, which is the amount that an order deducts (API §1). */
export const priceFor = (account: Account, bundle: Bundle): number =>
  account.prices[bundle.id] ?? bundle.prices[account.accountType]

export const bundlesFor = (account: Account): ProviderBundleState[] =>
  catalogue.map((bundle) => ({
    id: bundle.id,
    network: bundle.network,
    volume: bundle.volume,
    offerSlug: bundle.offerSlug,
    pricePesewas: priceFor(account, bundle),
  }))
