import type { Logger } from 'pino'
import type { Store } from '../../store/store.ts'
import type { Wallets } from '../../wallets/wallets.ts'
import type { Prices } from '../buying/prices.ts'

export interface PlacerOptions {
  store: Store
  wallets: Wallets
  prices: Prices
  /** Whether this process is the worker, as far as it knows. Called before each step. */
  mayWork: () => boolean
  /** The address for callbacks about an order; null if callbacks cannot reach the bot. */
  callbackUrl: (orderId: string) => string | null
  now: () => Date
  /** Milliseconds of a monotonic clock, which no clock setting changes. */
  monotonicMs: () => number
  /** By default a real wait. It may reject when the signal is aborted. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  newId: () => string
  log: Logger
  /** Called when the provider's answer names a phone number other than the order's. */
  onOtherPhone: (reference: string) => void
  onNotice: () => void
  /** Called when an order was placed, or may have been, so that callbacks that came early are applied. */
  onPlaced: () => void
  /** Called when an order ended that other orders may be waiting for. */
  onEnded: () => void
}
