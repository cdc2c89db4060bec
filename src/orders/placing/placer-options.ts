import type { Logger } from 'pino'
import type { Store } from '../../store/store.ts'
import type { Wallets } from '../../wallets/wallets.ts'
import type { Prices } from '../buying/prices.ts'

/** The placer's dependencies, and the functions that it calls. */
export interface PlacerOptions {
  store: Store
  wallets: Wallets
  prices: Prices
  /** Whether this process believes that it is the worker. Called before each step. */
  mayWork: () => boolean
  /** The address for callbacks about an order; null if callbacks cannot reach the bot. */
  callbackUrl: (orderId: string) => string | null
  now: () => Date
  /** Milliseconds of a monotonic clock, which nobody can set. */
  monotonicMs: () => number
  /** Resolves after this many milliseconds. */
  sleep?: (ms: number) => Promise<void>
  newId: () => string
  log: Logger
  /** Called when the provider's answer names another phone number than the order. */
  onOtherPhone: (reference: string) => void
  /** Called when a notice is enqueued. */
  onNotice: () => void
  /** Called when an order was placed, or may have been, so that callbacks that came early are applied. */
  onPlaced: () => void
  /** Called when an order ended for which other orders may be waiting. */
  onEnded: () => void
}
