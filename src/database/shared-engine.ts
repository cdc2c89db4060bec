import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import type { PrismaClient } from './client/sqlite/client.ts'

/**
 * One engine of Prisma for the clients of many databases of one kind: its plans and its picture of the schema take 5 MB,
 * and are the same for all.
 */
export interface SharedEngine {
  /**
   * A client on that connection alone. It gathers its queries by itself, so none is ever sent together with those of
   * another client. Its `$disconnect` ends the connection and leaves the engine to the others.
   */
  clientOn(adapter: SqlDriverAdapter): PrismaClient
}

/** The part of Prisma's engine that a client calls: the single way from a client to its database. */
interface Engine {
  start(): Promise<void>
  stop(): Promise<void>
  request(...query: unknown[]): Promise<unknown>
  requestBatch(...queries: unknown[]): Promise<unknown>
  transaction(...action: unknown[]): Promise<unknown>
}

interface Inside {
  _engine: Engine
}

type NewClient = (factory: {
  provider: SqlDriverAdapter['provider']
  adapterName: string
  connect: () => Promise<SqlDriverAdapter>
}) => PrismaClient

/**
 * The engine knows one connection, which hands each query on to that of the client that asked. A query that comes from
 * no client is refused.
 *
 * Clients must not share more than the engine: Prisma sends look-ups of one moment as one query, and would mix those of
 * several databases.
 */
export const createSharedEngine = (newClient: NewClient): SharedEngine => {
  const asking = new AsyncLocalStorage<SqlDriverAdapter>()
  let engine: Engine | null = null

  const current = (): SqlDriverAdapter => {
    const adapter = asking.getStore()
    if (!adapter) throw new Error('A query of the shared engine names no database.')
    return adapter
  }

  const routingOf = (first: SqlDriverAdapter): SqlDriverAdapter => ({
    provider: first.provider,
    adapterName: first.adapterName,
    queryRaw: (query) => current().queryRaw(query),
    executeRaw: (query) => current().executeRaw(query),
    executeScript: (script) => current().executeScript(script),
    startTransaction: (isolation) => current().startTransaction(isolation),
    dispose: async () => {},
    ...(first.getConnectionInfo && { getConnectionInfo: first.getConnectionInfo.bind(first) }),
  })

  return {
    clientOn: (adapter) => {
      const { provider, adapterName } = adapter
      const client = newClient({ provider, adapterName, connect: async () => routingOf(adapter) })
      const inside = client as unknown as Inside
      engine ??= engineIn(inside)
      const shared = engine
      const ask = <T>(work: () => Promise<T>): Promise<T> => asking.run(adapter, work)
      inside._engine = {
        start: () => ask(() => shared.start()),
        stop: () => adapter.dispose(),
        request: (...query) => ask(() => shared.request(...query)),
        requestBatch: (...queries) => ask(() => shared.requestBatch(...queries)),
        transaction: (...action) => ask(() => shared.transaction(...action)),
      }
      return client
    },
  }
}

/** @throws if another version of Prisma keeps its engine elsewhere. */
const engineIn = ({ _engine: engine }: Inside): Engine => {
  const methods = ['start', 'stop', 'request', 'requestBatch', 'transaction'] as const
  if (methods.every((name) => typeof engine?.[name] === 'function')) return engine
  throw new Error('Prisma has no engine of the known form any more.')
}
