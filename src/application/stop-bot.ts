import { wait } from '../base/wait.ts'
import type { Engine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import type { Front } from './front.ts'
import type { Messaging } from './messaging.ts'
import type { Worker } from './worker.ts'

/** How long a POST of an order may continue after SIGTERM before it is aborted and committed as `unconfirmed`. */
const graceMs = 7_000

/** How long each of the other steps of a stop may take. */
const replyGraceMs = 500

/**
 * How long it may take to handle received updates and confirm them to Telegram. Updates that are not confirmed would
 * be handled again by the next process.
 */
const updatesGraceMs = 2_000

interface Parts {
  foundation: Foundation
  messaging: Messaging
  worker: Worker
  engine: Engine
  front: Front
  /** Resolves when the HTTP requests in progress are answered. */
  closing: Promise<void> | undefined
}

/** Stops receiving, ends the work, sends the messages that are already queued, and gives the lease back. */
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

const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  const late = new AbortController()
  await Promise.race([work, wait(limitMs, undefined, { signal: late.signal })]).catch(() => {})
  late.abort()
}
