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

/** Every setting has a default. */
export interface ProviderOptions extends SimulatorOptions {
  /** 0, the default, means any free port. */
  port?: number
}

/**
 * A simulated provider on this machine. Its API works over HTTP; everything else that the page or a test can do is a
 * method.
 */
export interface ProviderSimulator {
  /** The base URL for clients, which ends with `/api/v1`. */
  readonly url: string
  /** The base URL of the routes in `control.ts`. */
  readonly controlUrl: string
  state(): ProviderState
  /** @throws RangeError if there is no such account */
  account(idOrKey: string): ProviderAccountState
  /** Without `account`, or for missing fields, the credentials are random and the balance is GHS 500. */
  addAccount(account?: NewAccount): ProviderAccountState
  /** Changes an account. A new balance adds no transaction. */
  setAccount(idOrKey: string, change: AccountChange): ProviderAccountState
  /** The account's bundles, at its prices. */
  bundles(idOrKey: string): ProviderBundleState[]
  addFault(fault: Fault): string
  /** Ends all faults, and sends the callbacks that they held back. */
  clearFaults(): void
  /**
   * Changes the status of an order, or of one recipient. Any word is accepted, even one that the API does not know.
   * For a bulk order without `phone`, the open recipients are changed or, if none is open, those that are not
   * delivered.
   *
   * @throws RangeError if there is no such order or recipient
   */
  setStatus(reference: string, status: string, options?: { phone?: string; quiet?: boolean }): void
  /**
   * Credits any amount for an order.
   * @throws RangeError if there is no such order
   */
  credit(reference: string, amountPesewas: number): void
  /** Charges an order again, by any amount, as if by mistake. */
  debit(reference: string, amountPesewas: number): void
  /** Shows the account's debits that the fault `debit_late` still hides. */
  showDebits(accountId: string): void
  /** @returns all settings, after the given ones were changed */
  settings(change?: Partial<ProviderSettings>): ProviderSettings
  /** Every debit, oldest first, including those that clients do not see yet. */
  debits(accountId?: string): ProviderTransactionState[]
  /** Every debit and credit, oldest first. */
  transactions(accountId?: string): ProviderTransactionState[]
  /** Oldest first. */
  orders(): ProviderOrderState[]
  /** The entries and orders since the start or the last reset. */
  ledger(): ProviderLedger
  /** All requests with their answers, oldest first, without their headers. */
  requests(): ProviderRequestState[]
  /** All tries of callbacks, oldest first. */
  callbacks(): ProviderCallbackState[]
  /**
   * Calls the listener at each change.
   * @returns a function that removes the listener
   */
  on(listener: (change: ProviderChange) => void): () => void
  /** Resolves when no callback is due, being sent or waiting for another try. */
  idle(): Promise<void>
  /**
   * Resets everything to the start: accounts get their first credentials and balances, settings get their defaults,
   * and orders, requests and faults are removed. Pending callbacks and deliveries are dropped. The address does not
   * change.
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
    // References of any length have to reach the status request, which answers 404. The router would refuse a long
    // one with a different answer.
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
