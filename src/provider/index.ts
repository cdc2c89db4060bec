export type { AnswerMeta } from './answer.ts'
export type { Bundle, BundleList } from './bundle.ts'
export { type Callback, parseCallback } from './callback.ts'
export { type Connections, type ConnectionsOptions, createConnections } from './connections.ts'
export { ProviderError, type ProviderErrorCode } from './error.ts'
export {
  atLeastZero,
  formatGhs,
  larger,
  minus,
  type Pesewas,
  pesewas,
  pesewasFromGhs,
  pesewasOrNull,
  plus,
  sum,
  times,
  zero,
} from './money.ts'

export { isNetwork, type Network, networks } from './network.ts'
export {
  type OrderStatus,
  orderStatuses,
  type PlacedBulkOrder,
  type PlacedOrder,
  type RecipientStatus,
} from './order-answer.ts'

export { isPhone, maskPhone, type Phone, phoneFromAnswer } from './phone.ts'
export type { PlacementOutcome, RejectionStatus, UnconfirmedReason } from './placement-outcome.ts'
export {
  type BulkOrder,
  type Call,
  createProvider,
  type Limits,
  type PostCall,
  type Provider,
  type ProviderOptions,
  type SingleOrder,
} from './provider.ts'

export { retryAfterMs } from './retry-after.ts'
export type { Balance, Pagination, Transaction, TransactionPage } from './wallet.ts'
