import { Agent, buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici'

/**
 * The connections to the provider's servers. Make one of these per process; any number of providers share it.
 *
 * Reads share kept-alive connections. Each POST gets a connection of its own: if the server had just closed a
 * kept-alive one, the order could vanish into it, and nobody could say whether it was executed.
 */
export interface Connections {
  /** Uses a kept-alive connection, for a read. */
  shared<T>(origin: string, use: (line: Dispatch) => Promise<T>): Promise<T>
  /** Opens a connection for one request and closes it afterwards. */
  ofItsOwn<T>(origin: string, use: (line: Dispatch) => Promise<T>): Promise<T>
  /** Refuses new requests before any part of them is sent, waits for those in progress, then closes every socket. */
  close(): Promise<void>
}

export type Dispatch = Pick<Dispatcher, 'dispatch'>

export interface ConnectionsOptions {
  /** The most sockets for reads per provider address; further reads wait until one is free. Default 128. */
  maxReadSockets?: number
  /** A connection attempt ends after this time, even if its caller has stopped waiting. Default 5,000 ms. */
  connectTimeoutMs?: number
  /** The HTTP(S) proxy for an origin; null for none. If the proxy refuses the tunnel, nothing was sent. */
  proxyOf?: (origin: string) => string | null
}

/**
 * How long to try each address of a name that has several. Node's default of 250 ms is too short for a slow mobile
 * network: every attempt would be given up before it connects.
 */
const addressMs = 2_000

/** Switches off undici's own timeouts. They could cut a request off earlier than the exchange's. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }

const closedLine: Dispatch = {
  dispatch: () => {
    throw new Error('the connections are closed')
  },
}

type Connecting = Parameters<typeof buildConnector>[0]

/** Opens no connections itself. Each one is opened by the first request that needs it. */
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
