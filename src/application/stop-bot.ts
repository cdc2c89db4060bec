import { wait } from '../wait.ts'
import type { Engine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import type { Front } from './front.ts'
import type { Messaging } from './messaging.ts'
import type { Worker } from './worker.ts'

/** How long a POST may go on after SIGTERM before it is broken off and committed `unconfirmed`. */
const graceMs = 7_000

/** How long each of the other steps of the stop may take. */
const replyGraceMs = 500

/** How long handling and confirming the updates that were taken may take. Another process would do them again. */
const updatesGraceMs = 2_000

interface Parts {
  foundation: Foundation
  messaging: Messaging
  worker: Worker
  engine: Engine
  front: Front
  /** The end of the HTTP requests under way. */
  closing: Promise<void> | undefined
}

/**
 * Stops the bot: takes nothing more in, ends the work, sends the messages that are owed by then, and gives the lease
 * back.
 */
export const stopBot = async ({
  foundation,
  messaging,
  worker,
  engine,
  front,
  closing,
}: Parts): Promise<void> => {
  const { updates, exporter, outbox } = front
  await Promise.all([
    within(updatesGraceMs, updates.stop()),
    closing,
    engine.placer.stop(graceMs),
    within(graceMs, worker.stopWork()),
    within(replyGraceMs, front.leaveOutage()),
  ])
  await within(replyGraceMs, exporter.stop())
  await messaging.tasks.settled(replyGraceMs)
  await within(replyGraceMs, outbox.round().then(outbox.settled))
  await within(replyGraceMs, worker.stopSending())
  await within(replyGraceMs, worker.resign())
  await foundation.database.close()
  await within(replyGraceMs, foundation.connections.close())
}

/** Waits for the work, whether it succeeds or fails, and no longer than that. */
const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  const late = new AbortController()
  await Promise.race([work, wait(limitMs, undefined, { signal: late.signal })]).catch(() => {})
  late.abort()
}
