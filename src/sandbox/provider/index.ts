import fastify from 'fastify'
import { admitOwnHosts } from '../own-machine.ts'
import { type AccountChange, bundlesFor, type NewAccount } from './accounts.ts'
import type {
  Fault,
  ProviderAccountState,
  ProviderBundleState,
  ProviderCallbackState,
  ProviderLedger,
  ProviderOrderState,
  ProviderRequestState,
  ProviderSettings,
  ProviderState,
  ProviderTransactionState,
} from './control.ts'
import { controlPath, controlRoutes } from './control-routes.ts'
import { answerUnreadableUrl, basePath, providerRoutes } from './routes.ts'
import { type ProviderChange, Simulator, type SimulatorOptions } from './simulator.ts'

export { type AccountChange, demoAccounts, type NewAccount } from './accounts.ts'
export { type Bundle, catalogue } from './catalogue.ts'
export type * from './control.ts'
export { faultKinds } from './control.ts'
export type { ProviderChange } from './simulator.ts'

/** The simulated provider's settings; each has a default. */
export interface ProviderOptions extends SimulatorOptions {
  /** 0, the default, takes any free port. */
  port?: number
}

/**
 * A simulated provider on this machine: its API over HTTP, and the actions of its keeper (a page or a test) as methods.
 */
export interface ProviderSimulator {
  /** The `{base_url}` for clients, with its `/api/v1`. */
  readonly url: string
  /** The base URL of the routes in `control.ts`. */
  readonly controlUrl: string
  state(): ProviderState
  /** @throws RangeError if there is no such account */
  account(idOrKey: string): ProviderAccountState
  /** Adds an account with random credentials and GHS 500 unless given. */
  addAccount(account?: NewAccount): ProviderAccountState
  /** Changes an account. A new balance adds no transaction. */
  setAccount(idOrKey: string, change: AccountChange): ProviderAccountState
  /** The account's bundles, at its prices. */
  bundles(idOrKey: string): ProviderBundleState[]
  addFault(fault: Fault): string
  /** Ends all faults. Callbacks that were held back are sent. */
  clearFaults(): void
  /**
   * Changes the status of an order, or of one recipient. Any word is accepted, whether the API knows it or not. For a
   * bulk order without `phone`, this changes its open recipients or, if none is open, those that are not delivered.
   *
   * @throws RangeError if there is no such order or recipient
   */
  setStatus(reference: string, status: string, options?: { phone?: string; quiet?: boolean }): void
  /**
   * Credits any amount for an order.
   * @throws RangeError if there is no such order
   */
  credit(reference: string, amountPesewas: number): void
  /** Charges an order again, by any amount, without a request. */
  debit(reference: string, amountPesewas: number): void
  /** Shows the account's debits that `debit_late` still hides. */
  showDebits(accountId: string): void
  /**
   * Changes the given settings.
   * @returns the settings in force
   */
  settings(change?: Partial<ProviderSettings>): ProviderSettings
  /** Every debit, oldest first, including those that clients do not see yet. */
  debits(accountId?: string): ProviderTransactionState[]
  /** Every debit and credit, oldest first. */
  transactions(accountId?: string): ProviderTransactionState[]
  /** Oldest first. */
  orders(): ProviderOrderState[]
  /** All entries and orders of the whole run. */
  ledger(): ProviderLedger
  /** All requests with their answers, oldest first, without their headers. */
  requests(): ProviderRequestState[]
  /** All tries, oldest first. */
  callbacks(): ProviderCallbackState[]
  /**
   * Calls the listener at each change.
   * @returns a function that stops it
   */
  on(listener: (change: ProviderChange) => void): () => void
  /** Resolves when no callback is due, being sent or waiting for another try. */
  idle(): Promise<void>
  /**
   * Resets everything to the beginning: accounts get their first credentials and balances, and settings their defaults;
   * orders, requests and faults are removed. The address stays. Pending callbacks and deliveries are dropped.
   */
  reset(): Promise<void>
  /** Breaks open connections, drops pending callbacks and deliveries, and frees the port. */
  stop(): Promise<void>
}

/** Starts a provider on this machine. Rejects with `EADDRINUSE` if the port is taken. */
export const createProvider = async (options: ProviderOptions = {}): Promise<ProviderSimulator> => {
  const { port = 0, ...rest } = options
  const simulator = new Simulator(rest)
  const app = fastify({
    forceCloseConnections: true,
    frameworkErrors: answerUnreadableUrl,
    // A reference of any length has to reach the look-up, which answers 404; the router's own refusal of a long one
    // would look different.
    routerOptions: { maxParamLength: 10_000 },
  })
  admitOwnHosts(app)
  app.register(providerRoutes(simulator), { prefix: basePath })
  app.register(controlRoutes(simulator), { prefix: controlPath })
  try {
    const origin = await app.listen({ port, host: '127.0.0.1' })
    return keeper(simulator, origin, () => app.close())
  } catch (error) {
    await Promise.all([simulator.close(), app.close()])
    throw error
  }
}

const keeper = (simulator: Simulator, origin: string, stop: () => Promise<void>): ProviderSimulator => ({
  url: `${origin}${basePath}`,
  controlUrl: `${origin}${controlPath}`,
  state: () => simulator.state(),
  account: (idOrKey) => simulator.accounts.state(simulator.account(idOrKey)),
  addAccount: (account = {}) => simulator.addAccount(account),
  setAccount: (idOrKey, change) => simulator.changeAccount(idOrKey, change),
  bundles: (idOrKey) => bundlesFor(simulator.account(idOrKey)),
  addFault: (fault) => simulator.addFault(fault),
  clearFaults: () => simulator.endFaults(),
  setStatus: (reference, status, move) => simulator.setStatus(reference, status, move),
  debit: (reference, amountPesewas) => simulator.debit(reference, amountPesewas),
  credit: (reference, amountPesewas) => simulator.credit(reference, amountPesewas),
  showDebits: (accountId) => simulator.showDebits(accountId),
  settings: (change) => ({ ...(change ? simulator.changeSettings(change) : simulator.settings) }),
  debits: (accountId) => simulator.ledger.all(accountId).filter(({ type }) => type === 'debit'),
  transactions: (accountId) => simulator.ledger.all(accountId),
  orders: () => simulator.orderStates(),
  ledger: () => simulator.books(),
  requests: () => structuredClone(simulator.requests),
  callbacks: () => structuredClone(simulator.tried),
  on: (listener) => simulator.on(listener),
  idle: () => simulator.callbacks.idle(),
  reset: () => simulator.reset(),
  stop: async () => {
    await simulator.close()
    await stop()
  },
})
