import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Engine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import type { Front } from './front.ts'
import type { Leader } from './leader.ts'
import type { Messaging } from './messaging.ts'
import type { Server } from './server.ts'
import type { WorkClaims } from './work-claims.ts'

/** How long a POST may go on after SIGTERM before it is broken off and committed `unconfirmed`. */
const graceMs = 7_000

/** How long a start may go on after SIGTERM. */
const startGraceMs = 2_000

/** How long each of the other steps of the stop may take. */
const replyGraceMs = 500

/** How long handling and confirming the updates that were taken may take. Other processes would do them again. */
const updatesGraceMs = 2_000

interface Parts {
  foundation: Foundation
  messaging: Messaging
  leader: Leader
  claims: WorkClaims
  engine: Engine
  front: Front
  server: Server
}

/**
 * Takes nothing more in, ends the work, sends the messages that are owed by then, and gives the claims and the lease
 * back.
 */
export const stop = async ({
  foundation,
  messaging,
  leader,
  claims,
  engine,
  front,
  server,
}: Parts): Promise<void> => {
  const { polling, exporter, outbox } = front
  const { signals } = foundation.database
  await Promise.all([
    within(updatesGraceMs, polling.stop()),
    server.close(),
    engine.placer.stop(graceMs),
    within(graceMs, leader.stopWork()),
    within(replyGraceMs, front.leaveOutage()),
    within(replyGraceMs, claims.rest()),
  ])
  await within(replyGraceMs, claims.rest())
  signals.send('placing')
  await within(replyGraceMs, exporter.stop())
  await messaging.tasks.settled(replyGraceMs)
  await within(replyGraceMs, outbox.round().then(outbox.settled))
  await within(replyGraceMs, leader.stopSending())
  await within(replyGraceMs, claims.rest())
  signals.send('sending')
  await within(replyGraceMs, leader.resign())
  signals.send('leasing')
  await within(replyGraceMs, engine.connections.close())
  await foundation.database.close()
}

const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  const late = new AbortController()
  await Promise.race([work, wait(limitMs, undefined, { signal: late.signal })]).catch(() => {})
  late.abort()
}

/** A signal during the start waits until the start ends, and breaks it off if that takes too long. */
export const stopOnSignals = (starting: Promise<Application>, log: Logger): void => {
  let stopping = false
  const stop = async (why: { signal: string } | { givenUp: true }, exitCode: 0 | 1) => {
    if (stopping) return
    stopping = true
    log.info(why, 'stopping')
    try {
      const application = await Promise.race([starting, wait(startGraceMs, null)])
      await application?.stop()
      log.info('stopped')
      process.exit(exitCode)
    } catch (error) {
      log.error({ err: error }, 'the stop was not clean')
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop({ signal }, 0))
  starting.then(({ givenUp }) => givenUp.then(() => stop({ givenUp: true }, 1))).catch(() => {})
}

/** The running bot. */
export interface Application {
  /** Ends all work in order. Resolves within some 10 s, when the database is closed. */
  stop(): Promise<void>
  /** Resolves when the bot cannot go on: it is to be stopped, and its exit code is 1. */
  readonly givenUp: Promise<void>
}
