import { type PlacementOutcome, type Provider, ProviderError } from '../provider/index.ts'

export interface ProviderCall {
  endpoint: keyof Provider
  /** `ok`, an order's outcome (`placed`, `rejected` …), or the error's code. */
  outcome: string
  seconds: number
}

/** Wraps the provider, and reports each call when it ends. */
export const watchCalls = (provider: Provider, onCall: (call: ProviderCall) => void): Provider => {
  const watched = async <T>(
    endpoint: keyof Provider,
    call: Promise<T>,
    outcomeOf: (answer: T) => string = () => 'ok',
  ): Promise<T> => {
    const startedMs = performance.now()
    const told = (outcome: string) =>
      onCall({ endpoint, outcome, seconds: (performance.now() - startedMs) / 1000 })
    try {
      const answer = await call
      told(outcomeOf(answer))
      return answer
    } catch (error) {
      told(error instanceof ProviderError ? error.code : 'fault')
      throw error
    }
  }
  return {
    bundles: (...query) => watched('bundles', provider.bundles(...query)),
    placeOrder: (...order) => watched('placeOrder', provider.placeOrder(...order), kindOf),
    placeBulkOrder: (...order) => watched('placeBulkOrder', provider.placeBulkOrder(...order), kindOf),
    orderStatus: (...reference) => watched('orderStatus', provider.orderStatus(...reference)),
    balance: (...call) => watched('balance', provider.balance(...call)),
    transactions: (...page) => watched('transactions', provider.transactions(...page)),
  }
}

/**
 * If an order was not sent, the outcome is the reason, so that a reached limit does not count as a broken connection.
 */
const kindOf = (outcome: PlacementOutcome<unknown>): string =>
  outcome.kind === 'not_sent' ? outcome.reason : outcome.kind
