import { observeRequests } from '../http/handled-requests.ts'
import { createMetricsServer, hasMetricsOnPort, type MetricsRoute } from '../http/metrics.ts'
import { createHttpServer } from '../http/server.ts'
import { buildInfo } from '../metrics/build-info.ts'
import { readGauges, standing, withoutDatabase } from '../metrics/gauges.ts'
import { createMetrics } from '../metrics/scrape.ts'
import { createCallbackLimit } from '../relay/callback-limit.ts'
import type { Store } from '../store/store.ts'
import { freeInWords } from '../telegram/texts/disk.ts'
import { causeInWords } from '../telegram/texts/outage.ts'
import type { Engine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import type { Front } from './front.ts'
import type { Leader } from './leader.ts'

/** The ports of the bot: callbacks, webhook, health and figures. */
export interface Server {
  /** Resolves when all ports take connections. @throws errors that `operatorsWords` words if a port is taken. */
  listen(): Promise<void>
  /** Resolves when the requests under way are answered. */
  close(): Promise<void>
}

interface ServerOptions {
  engine: Engine
  leader: Leader
  front: Front
}

/**
 * Connections that wait to be accepted. A sender whose connection is one too many tries again, but only after a second.
 */
const maxUnaccepted = 4_096

/** Builds the routes. Nothing listens before `listen`. */
export const createServer = (foundation: Foundation, options: ServerOptions): Server => {
  const { config, log, keyring, store, observations, now } = foundation
  const { engine, front } = options
  const health = healthOf(foundation, front)
  const metrics = metricsOf(foundation, options, health.notReady)
  const server = createHttpServer({
    ...{ ...health, keyring, inbox: engine.inbox, now, log },
    callbackLimit: createCallbackLimit(store.events.countCallbacks),
    onUpdate: config.telegram.updates === 'webhook' ? front.handle : null,
    metrics: hasMetricsOnPort(config) ? metrics : null,
  })
  observeRequests(server, observations.onRequest)
  const metricsServer = config.metricsPort === null ? null : createMetricsServer(metrics)
  return {
    listen: async () => {
      await metricsServer?.listen({ host: '127.0.0.1', port: config.metricsPort ?? 0 })
      await server.listen({ host: config.host, port: config.port, backlog: maxUnaccepted })
      log.info({ address: server.listeningOrigin, updates: config.telegram.updates }, 'listening')
    },
    close: async () => {
      await Promise.all([server.close(), metricsServer?.close()])
    },
  }
}

/** The parts of the answer of `/readyz`. */
const healthOf = ({ store, freeSpace }: Foundation, { health, telegramTrouble }: Front) => ({
  notReady: async () => {
    const [reachable, outage] = await Promise.all([isReachable(store), health.look()])
    return reachable && outage === null ? [] : ['database']
  },
  databaseTrouble: () => {
    const outage = health.outage()
    return outage && causeInWords(outage.cause)
  },
  diskTrouble: () => (freeSpace.isShort() ? freeInWords(freeSpace.bytes() ?? 0) : null),
  telegramTrouble: () => telegramTrouble(true),
})

const metricsOf = (
  { config, database, store, observations, freeSpace, now }: Foundation,
  { leader: { lease }, front }: ServerOptions,
  notReady: () => Promise<string[]>,
): MetricsRoute => {
  const build = buildInfo(database.kind)
  const stands = {
    // A standby process has no trouble with Telegram: an alert would never end.
    telegramTrouble: () => front.telegramTrouble(lease.isHeld()),
    leases: { telegram: lease.isHeld },
    connections: database.connections,
    freeSpace,
  }
  return {
    token: config.metricsToken,
    read: createMetrics({
      counted: observations.families,
      standing: () => [build, ...standing(stands)],
      read: () => readGauges({ notReady, store, now }),
      withoutDatabase,
    }),
  }
}

const isReachable = async (store: Store): Promise<boolean> => {
  try {
    await store.chats.fact('written')
    return true
  } catch {
    return false
  }
}
