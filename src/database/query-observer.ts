import {
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlQuery,
  type Transaction,
} from '@prisma/driver-adapter-utils'

export interface QueryObserver {
  /**
   * Called after each query.
   * @param seconds from the call to the answer, including the wait for a connection or for an open transaction
   * @param fault the kind of error, or null
   */
  onQuery(seconds: number, fault: Fault | null): void
  /**
   * Called after each transaction.
   * @param seconds from the call to the end of the transaction, including the wait for its beginning
   */
  onTransaction(seconds: number, end: 'committed' | 'rolled_back'): void
  onFailure?(error: unknown): void
}

/** The kind of a query's error, named as in Prisma's driver adapters. */
export type Fault = DriverAdapterError['cause']['kind'] | 'other'

/**
 * Wraps the adapter if there is an observer. The adapter itself is not changed, because it may use its own methods
 * for transactions, which would then be observed twice.
 */
export const observed = (adapter: SqlDriverAdapter, observer: QueryObserver | undefined): SqlDriverAdapter =>
  observer ? watched(adapter, observer) : adapter

const watched = (adapter: SqlDriverAdapter, observer: QueryObserver): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => timed(observer, () => adapter.queryRaw(query)),
  executeRaw: (query) => timed(observer, () => adapter.executeRaw(query)),
  executeScript: (script) => timed(observer, () => adapter.executeScript(script)),
  startTransaction: async (isolation) => {
    const startedMs = performance.now()
    const transaction = await timed(observer, () => adapter.startTransaction(isolation))
    return observedTransaction(transaction, observer, startedMs)
  },
  dispose: () => adapter.dispose(),
  ...(adapter.getConnectionInfo && { getConnectionInfo: adapter.getConnectionInfo.bind(adapter) }),
})

const observedTransaction = (
  transaction: Transaction,
  observer: QueryObserver,
  startedMs: number,
): Transaction => {
  const ended = (end: 'committed' | 'rolled_back') => observer.onTransaction(secondsSince(startedMs), end)
  const { createSavepoint, rollbackToSavepoint, releaseSavepoint } = transaction
  return {
    provider: transaction.provider,
    adapterName: transaction.adapterName,
    options: transaction.options,
    queryRaw: (query: SqlQuery) => timed(observer, () => transaction.queryRaw(query)),
    executeRaw: (query: SqlQuery) => timed(observer, () => transaction.executeRaw(query)),
    commit: () => transaction.commit().finally(() => ended('committed')),
    rollback: () => transaction.rollback().finally(() => ended('rolled_back')),
    ...(createSavepoint && { createSavepoint: createSavepoint.bind(transaction) }),
    ...(rollbackToSavepoint && { rollbackToSavepoint: rollbackToSavepoint.bind(transaction) }),
    ...(releaseSavepoint && { releaseSavepoint: releaseSavepoint.bind(transaction) }),
  }
}

const timed = async <T>({ onQuery, onFailure }: QueryObserver, query: () => Promise<T>): Promise<T> => {
  const startedMs = performance.now()
  try {
    const answer = await query()
    onQuery(secondsSince(startedMs), null)
    return answer
  } catch (error) {
    onQuery(secondsSince(startedMs), faultOf(error))
    onFailure?.(error)
    throw error
  }
}

const faultOf = (error: unknown): Fault => (error instanceof DriverAdapterError ? error.cause.kind : 'other')

const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1000
