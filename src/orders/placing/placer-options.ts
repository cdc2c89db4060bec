import type { Logger } from 'pino'
import type { Store } from '../../store/store.ts'
import type { Wallets } from '../../wallets/wallets.ts'
import type { Prices } from '../buying/prices.ts'

/** What sending orders needs from outside, and whom it tells. */
export interface PlacerOptions {
  store: Store
  wallets: Wallets
  prices: Prices
  /** Whether this process is the worker, as far as it knows: to be asked before each step. */
  mayWork: () => boolean
  /** The address for callbacks about an order; null if none can arrive. */
  callbackUrl: (orderId: string) => string | null
  now: () => Date
  /** Milliseconds of a clock that nobody sets. */
  monotonicMs: () => number
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
  newId: () => string
  log: Logger
  /** Called when the provider's answer names another number than the one ordered. */
  onOtherPhone: (reference: string) => void
  /** Called when a notice is owed to a chat. */
  onNotice: () => void
  /** Called when an order was placed, or may have been: early callbacks are then applied. */
  onPlaced: () => void
  /** Called when an order ended that others may wait for. */
  onEnded: () => void
}
