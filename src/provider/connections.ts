import { Agent, buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici'

/**
 * The connections that any number of providers share: make one per process.
 *
 * Reads share kept-alive connections. Each POST gets a connection of its own. On a kept-alive connection, a
 * socket that the server has just closed would swallow the order, and nobody could say whether it was executed.
 */
export interface Connections {
  /** Makes a read on a kept-alive connection. */
  shared<T>(origin: string, use: (line: Dispatch) => Promise<T>): Promise<T>
  /** Makes one request on a connection opened for it and closed after it. */
  ofItsOwn<T>(origin: string, use: (line: Dispatch) => Promise<T>): Promise<T>
  /** Refuses new requests without sending any part of them, waits for those under way, closes every socket. */
  close(): Promise<void>
}

/** A connection, as far as a request needs one. */
export type Dispatch = Pick<Dispatcher, 'dispatch'>

/** The limits of the connections. */
export interface ConnectionsOptions {
  /** The most sockets for reads per provider address; further reads wait for a free one. Default 128. */
  maxReadSockets?: number
  /** A connection attempt ends after this time even if its caller has gone. Default 5,000 ms. */
  connectTimeoutMs?: number
  /** The http(s) proxy for an origin; null: none. A tunnel that the proxy refuses means that nothing was sent. */
  proxyOf?: (origin: string) => string | null
}

/**
 * For one address of a name that has several. Node's own 250 ms are too short for a slow mobile network, and then no
 * address is ever reached.
 */
const addressMs = 2_000

/** Each exchange keeps its own times over its whole length; undici's would only interrupt them. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }

const closedLine: Dispatch = {
  dispatch: () => {
    throw new Error('the connections are closed')
  },
}

type Connecting = Parameters<typeof buildConnector>[0]

/** Opens no connection yet: the first request does. */
export const createConnections = (options: ConnectionsOptions = {}): Connections => {
  const { maxReadSockets = 128, connectTimeoutMs = 5_000, proxyOf = () => null } = options
  const addresses = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: addressMs }
  const connect = buildConnector({ allowH2: false, timeout: connectTimeoutMs, ...addresses } as Connecting)
  const http1 = { ...noTimeouts, connect, allowH2: false, pipelining: 1 }
  const direct = new Agent({ ...http1, connections: maxReadSockets })
  const proxied = new Map<string, ProxyAgent>()
  const throughProxy = (uri: string, connections: number) =>
    new ProxyAgent({ ...noTimeouts, uri, allowH2: false, pipelining: 1, connections })

  const readsOf = (origin: string): Dispatcher => {
    const uri = proxyOf(origin)
    if (uri === null) return direct
    const agent = proxied.get(uri) ?? throughProxy(uri, maxReadSockets)
    proxied.set(uri, agent)
    return agent
  }
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  const tracked = async <T>(request: Promise<T>): Promise<T> => {
    underWay.add(request)
    return request.finally(() => underWay.delete(request))
  }

  return {
    shared: (origin, use) => tracked(use(closed ? closedLine : readsOf(origin))),

    async ofItsOwn(origin, use) {
      if (closed) return use(closedLine)
      const uri = proxyOf(origin)
      const client = uri === null ? new Client(origin, http1) : throughProxy(uri, 1)
      return tracked(use(client).finally(() => client.destroy()))
    },

    async close() {
      closed = true
      await Promise.allSettled(underWay)
      await Promise.all([direct, ...proxied.values()].map((agent) => agent.destroy()))
    },
  }
}
