import type { Logger } from 'pino'
import { type Config, secretsOf } from '../config.ts'
import { reportCrashes } from '../crash-report.ts'
import { freeBytesOf, type ReadFreeBytes } from '../database/free-space.ts'
import type { DatabaseHealth } from '../database/health.ts'
import type { Inspect } from '../database/postgres.ts'
import { removeLeftovers } from '../exports/scratch.ts'
import { createLog } from '../log.ts'
import { type AdmissionLimits, floodLimits } from '../relay/admission.ts'
import { type PacerLimits, telegramLimits } from '../relay/pacer.ts'
import { operatorsWords } from '../start-refusal.ts'
import { clockSetBack } from '../telegram/texts/clock.ts'
import { createEngine } from './engine.ts'
import { layFoundation } from './foundation.ts'
import { createFront } from './front.ts'
import { createLeader } from './leader.ts'
import { planLoops } from './loops.ts'
import { createMessaging } from './messaging.ts'
import { createServer } from './server.ts'
import type { Application } from './stop.ts'
import { stop, stopOnSignals } from './stop.ts'
import { createUpkeep } from './upkeep.ts'
import { createWorkClaims, type WorkClaims } from './work-claims.ts'

/** Builds the bot, starts it, and stops it in order when the process is asked to end. */
export const run = async (config: Config, options?: StartOptions): Promise<void> => {
  const log = createLog(config.logLevel, secretsOf(config))
  const crash = reportCrashes(log)
  try {
    const starting = start(config, log, options)
    stopOnSignals(starting, log)
    await starting
  } catch (error) {
    const words = operatorsWords(error, config)
    if (words === null) crash(error)
    process.stderr.write(`${words}\n`)
    // Connections that were opened before the failure would keep the process alive.
    process.exit(1)
  }
}

/** The settings that tests and measurements change. */
export interface StartOptions {
  /** How fast messages may go: for a Telegram with other limits than the real one. */
  pace?: PacerLimits
  /** How much of people's messages is taken in; null: all of it. */
  admission?: AdmissionLimits | null
  /** Reads how many bytes are free for the database. */
  freeBytes?: ReadFreeBytes
  /** This machine's clock, ms since 1970. */
  wallMs?: () => number
  /** Looks into each transaction on PostgreSQL. */
  inspect?: Inspect
}

/**
 * Starts the bot in this process. Resolves when its ports take connections and its loops run; Telegram may be away.
 * @throws errors that `operatorsWords` words, such as a database of a newer version or a port that is taken.
 */
export const start = async (
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<Application> => {
  const { pace = telegramLimits, admission = floodLimits } = options
  const { freeBytes = freeBytesOf(config.databaseUrl), wallMs = Date.now, inspect } = options
  const ended = new AbortController()
  const { signal } = ended
  /** Null until there are people to tell of an outage. */
  let health: DatabaseHealth | null = null
  /** Null until there is a database to claim in. */
  let claims: WorkClaims | null = null
  const foundation = await layFoundation(config, log, {
    ...{ freeBytes, wallMs, ...(inspect && { inspect }) },
    onQueryFailure: (error) => health?.note(error),
    onBroken: () => claims?.doubt(),
    onErased: () => upkeep.noteErased(),
  })
  const messaging = createMessaging(foundation, pace)
  const { senders, tasks } = messaging
  const leader = createLeader(foundation, {
    onTaken: () => {
      tasks.aside(() => engine.membership.resume())
      tasks.aside(() => engine.lists.resume())
    },
    onSetBack: (byMs) => {
      for (const operator of config.ownerIds)
        tasks.aside(async () => void (await senders.notice.send(operator, { text: clockSetBack(byMs) })))
    },
  })
  const shares = createWorkClaims(foundation, leader)
  claims = shares
  const engine = createEngine(foundation, { wake: leader.wake, claims: shares })
  const upkeep = createUpkeep(foundation, { wake: leader.wake, inbox: engine.inbox, signal })
  const front = createFront(foundation, {
    engine,
    leader,
    claims: shares,
    upkeep,
    messaging,
    admission,
    signal,
  })
  health = front.health
  const server = createServer(foundation, { engine, leader, front })
  tasks.aside(() => removeLeftovers())
  await server.listen()
  await leader.begin(planLoops(foundation, { leader, claims: shares, engine, upkeep, front }))
  front.connect()
  return {
    givenUp: front.polling.givenUp,
    stop: () => {
      ended.abort()
      return stop({ foundation, messaging, leader, claims: shares, engine, front, server })
    },
  }
}
