import type { Logger } from 'pino'
import { createFreeSpace, freeBytesOf, type ReadFreeBytes } from '../database/free-space.ts'
import type { DatabaseHealth } from '../database/health.ts'
import { type AdmissionLimits, floodLimits } from '../messaging/admission.ts'
import type { Inbox } from '../messaging/inbox.ts'
import { type PacerLimits, telegramLimits } from '../messaging/pacer.ts'
import { createCounters } from '../metrics/counters.ts'
import { createConnections } from '../provider/index.ts'
import type { Config } from '../start/config.ts'
import { proxyFor } from '../start/proxies.ts'
import { otherPhone } from '../telegram/cards/words/warning.ts'
import { createEngine } from './engine.ts'
import { type Foundation, layFoundation, monotonicMs } from './foundation.ts'
import { createFront, type Front } from './front.ts'
import { planLoops } from './loops.ts'
import { createMessaging } from './messaging.ts'
import { stopBot } from './stop-bot.ts'
import { createUpkeep } from './upkeep.ts'
import { createWorker, type Worker } from './worker.ts'

/** Settings that only tests and measurements change. */
export interface StartOptions {
  /** How fast messages may be sent, for a simulated Telegram with other limits. */
  pace?: PacerLimits
  /** How many messages of people are accepted; null means no limit. */
  admission?: AdmissionLimits | null
  /** This machine's clock, ms since 1970. */
  wallMs?: () => number
  /** Reads how many bytes are free on the database's disk. */
  freeBytes?: ReadFreeBytes
}

export interface RunningBot {
  readonly foundation: Foundation
  readonly worker: Worker
  readonly front: Front
  readonly inbox: Inbox
  /** Starts the loops, and connects to Telegram in the background. */
  begin(): Promise<void>
  /**
   * Stops everything in order. Resolves when the database is closed, within about 10 s.
   * @param closing resolves when the HTTP requests in progress are answered. The database stays open until then.
   */
  stop(closing?: Promise<void>): Promise<void>
}

/**
 * Builds the bot, which does nothing before `begin`.
 * @throws errors that `operatorsWords` explains, such as a database of a newer version
 */
export const createRunningBot = async (
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<RunningBot> => {
  const { pace = telegramLimits, admission = floodLimits, wallMs = Date.now } = options
  const { freeBytes = freeBytesOf(config.databaseUrl) } = options
  const ended = new AbortController()
  const { signal } = ended
  /** Null until the chat side of the bot, which reports outages, is built. */
  let health: DatabaseHealth | null = null
  const foundation = await layFoundation(config, log, {
    observations: createCounters(),
    freeSpace: createFreeSpace(freeBytes),
    connections: createConnections({ proxyOf: (origin) => proxyFor(config.proxies, origin) }),
    wallMs,
    onQueryFailure: (error) => health?.note(error),
    onErased: () => upkeep.noteErased(),
  })
  const messaging = createMessaging(foundation, pace)
  const { senders, tasks } = messaging
  const tellOperators = (text: string): void => {
    for (const operator of config.ownerIds)
      tasks.aside(async () => void (await senders.notice.send(operator, { text })))
  }
  const worker = createWorker(foundation, {
    onTaken: () => {
      tasks.aside(() => engine.membership.resume())
      tasks.aside(() => engine.lists.resume())
    },
  })
  const engine = createEngine(foundation, worker, {
    onOtherPhone: atMostEvery(hourMs, (reference) => tellOperators(otherPhone(reference))),
  })
  const upkeep = createUpkeep(foundation, { inbox: engine.inbox, signal })
  const front = createFront(foundation, {
    engine,
    worker,
    upkeep,
    messaging,
    admission,
    signal,
  })
  health = front.health
  return {
    foundation,
    worker,
    front,
    inbox: engine.inbox,
    begin: async () => {
      await worker.begin(planLoops(foundation, { worker, engine, upkeep, front }))
      front.connect()
    },
    stop: (closing) => {
      ended.abort()
      return stopBot({ foundation, messaging, worker, engine, front, closing })
    },
  }
}

const hourMs = 60 * 60_000

/** Limits how often `call` is called: a call less than `ms` after the last one is dropped. */
const atMostEvery = <T>(ms: number, call: (value: T) => void): ((value: T) => void) => {
  let lastMs = Number.NEGATIVE_INFINITY
  return (value) => {
    if (monotonicMs() - lastMs < ms) return
    lastMs = monotonicMs()
    call(value)
  }
}
