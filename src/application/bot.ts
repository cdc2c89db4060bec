import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createFreeSpace, freeBytesOf, type ReadFreeBytes } from '../database/free-space.ts'
import type { DatabaseHealth } from '../database/health.ts'
import { type AdmissionLimits, floodLimits } from '../messaging/admission.ts'
import type { Inbox } from '../messaging/inbox.ts'
import { type PacerLimits, telegramLimits } from '../messaging/pacer.ts'
import { createObservations } from '../metrics/counters.ts'
import { createConnections } from '../provider/index.ts'
import { proxyFor } from '../proxies.ts'
import { otherPhone } from '../telegram/words/odd-answer.ts'
import { createEngine } from './engine.ts'
import { type Foundation, layFoundation, monotonicMs } from './foundation.ts'
import { createFront, type Front } from './front.ts'
import { planLoops } from './loops.ts'
import { createMessaging } from './messaging.ts'
import { stopBot } from './stop-bot.ts'
import { createUpkeep } from './upkeep.ts'
import { createWorker, type Worker } from './worker.ts'

/** The settings that tests and measurements change. */
export interface StartOptions {
  /** How fast messages may go: for a Telegram with other limits than the real one. */
  pace?: PacerLimits
  /** How much of people's messages is taken in; null: all of it. */
  admission?: AdmissionLimits | null
  /** This machine's clock, ms since 1970. */
  wallMs?: () => number
  /** Reads how many bytes are free for the database. */
  freeBytes?: ReadFreeBytes
}

/** The running bot. */
export interface Bot {
  readonly foundation: Foundation
  readonly worker: Worker
  readonly front: Front
  readonly inbox: Inbox
  /** Starts its work, and connects to Telegram in the background. */
  begin(): Promise<void>
  /**
   * Ends all work in order. Resolves within some 10 s, when the database is closed.
   * @param closing waited for before the database is closed: the end of the requests under way.
   */
  stop(closing?: Promise<void>): Promise<void>
}

/**
 * Builds the bot. Nothing runs before `begin`.
 * @throws errors that `operatorsWords` words, such as a database of a newer version.
 */
export const createBot = async (config: Config, log: Logger, options: StartOptions = {}): Promise<Bot> => {
  const { pace = telegramLimits, admission = floodLimits, wallMs = Date.now } = options
  const { freeBytes = freeBytesOf(config.databaseUrl) } = options
  const ended = new AbortController()
  const { signal } = ended
  /** Null until there are people to tell of an outage. */
  let health: DatabaseHealth | null = null
  const foundation = await layFoundation(config, log, {
    observations: createObservations(),
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
    ...{ engine, worker, upkeep, messaging, admission, signal },
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

/** Passes a call on, unless one was passed on within so many ms. */
const atMostEvery = <T>(ms: number, call: (value: T) => void): ((value: T) => void) => {
  let lastMs = Number.NEGATIVE_INFINITY
  return (value) => {
    if (monotonicMs() - lastMs < ms) return
    lastMs = monotonicMs()
    call(value)
  }
}
