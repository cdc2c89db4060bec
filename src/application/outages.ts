import { createDatabaseHealth, type DatabaseHealth } from '../database/health.ts'
import { enqueueAlertOver } from '../messaging/alerts.ts'
import type { Lease } from '../messaging/leader-lease.ts'
import { createOutageReplies, type OutageReplies } from '../telegram/chat/updates/outage-replies.ts'
import { causeInWords } from '../telegram/chat/updates/outage-words.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { Messaging } from './messaging.ts'

/** Whether the database accepts changes, and the replies to people while it does not. */
export interface Outages {
  readonly health: DatabaseHealth
  readonly replies: OutageReplies
}

/** @param signal aborted when the bot stops; after that nobody is told about an outage */
export const watchOutages = (
  { config, log, store, now }: Foundation,
  { bot }: Messaging,
  { lease, signal }: { lease: Lease; signal: AbortSignal },
): Outages => {
  const replies = createOutageReplies({
    api: bot.api,
    // Every process on the database notices the outage. Only the last holder of the lease alerts the operators.
    operatorIds: () => (lease.isLast() ? config.ownerIds : []),
    closeAlerts: async (alerts, lastedMs) => {
      const at = now()
      const since = new Date(at.getTime() - lastedMs)
      await store.transaction(async (tx) => {
        for (const alert of alerts) await enqueueAlertOver(tx, 'database', { ...alert, since }, at)
      })
    },
    monotonicMs,
    onError: (error) => log.warn({ err: error }, 'operators could not be told of an outage'),
  })
  const health = createDatabaseHealth({
    write: () => store.transaction((tx) => tx.operations.tryWriting(now())),
    monotonicMs,
    onBegin: (outage, error) => {
      if (signal.aborted) return
      log.error({ cause: causeInWords(outage.cause), err: error }, 'the database accepts no changes')
      replies.begin(outage)
    },
    onEnd: (outage) => {
      if (signal.aborted) return
      const seconds = Math.round((monotonicMs() - outage.sinceMs) / 1000)
      log.warn({ seconds }, 'the database accepts changes again')
      replies.end(outage)
    },
  })
  return { health, replies }
}
