import { observeRequests } from '../http/handled-requests.ts'
import { createMetricsServer, hasMetricsOnPort, type MetricsRoute } from '../http/metrics.ts'
import { createHttpServer } from '../http/server.ts'
import { createCallbackLimit } from '../messaging/callback-limit.ts'
import { localGauges, readGauges, withoutDatabase } from '../metrics/gauges.ts'
import { createMetrics } from '../metrics/scrape.ts'
import type { Store } from '../store/store.ts'
import { freeInWords } from '../telegram/chat/alerts/disk-words.ts'
import { causeInWords } from '../telegram/chat/updates/outage-words.ts'
import type { Foundation } from './foundation.ts'
import type { Front } from './front.ts'
import type { RunningBot } from './running-bot.ts'

/** The HTTP ports of the bot: callbacks, Telegram's webhook, health and metrics. */
export interface Server {
  /** Resolves when all ports accept connections. @throws errors that `operatorsWords` explains if a port is in use. */
  listen(): Promise<void>
  /** Resolves when the HTTP requests in progress are answered. */
  close(): Promise<void>
}

/**
 * How many connections may wait to be accepted. If one more comes, the sender's TCP tries again only after a second.
 */
const maxUnaccepted = 4_096

/** The servers do not listen before `listen`. */
export const createServer = (bot: RunningBot): Server => {
  const { foundation, front, inbox } = bot
  const { config, log, keyring, store, observations, now } = foundation
  const health = healthOf(foundation, front)
  const metrics = metricsOf(bot, health.notReady)
  const server = createHttpServer({
    keyring,
    inbox,
    now,
    log,
    ...health,
    callbackLimit: createCallbackLimit(store.statusReports.countCallbacks),
    onUpdate: front.onUpdate,
    telegramTrouble: () => front.telegramTrouble(true),
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

/** What `/readyz` reports. */
const healthOf = ({ store, freeSpace }: Foundation, { health }: Front) => ({
  notReady: async () => {
    const [reachable, outage] = await Promise.all([isReachable(store), health.look()])
    return reachable && outage === null ? [] : ['database']
  },
  databaseTrouble: () => {
    const outage = health.outage()
    return outage && causeInWords(outage.cause)
  },
  diskTrouble: () => (freeSpace.isShort() ? freeInWords(freeSpace.bytes() ?? 0) : null),
})

const metricsOf = (
  { foundation, worker: { lease }, front }: RunningBot,
  notReady: () => Promise<string[]>,
): MetricsRoute => {
  const { config, database, store, observations, freeSpace, now } = foundation
  const stands = {
    database: database.kind,
    // A standby does not poll for updates, so polling does not count there. Otherwise the standby would trigger a
    // permanent alert on this metric.
    telegramTrouble: () => front.telegramTrouble(lease.isHeld()),
    leases: { worker: lease.isHeld },
    connections: database.connections,
    freeSpace,
  }
  return {
    token: config.metricsToken,
    read: createMetrics({
      counted: observations.registry,
      localGauges: () => localGauges(stands),
      read: () => readGauges({ notReady, store, now }),
      withoutDatabase,
    }),
  }
}

const isReachable = async (store: Store): Promise<boolean> => {
  try {
    await store.facts.read('written')
    return true
  } catch {
    return false
  }
}
