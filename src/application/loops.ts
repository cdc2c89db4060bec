import { pauseUnusedAgents } from '../accounts/unused-agents.ts'
import { advanceComplaints } from '../orders/following/complaints.ts'
import { redrawReopened } from '../orders/placing/reopening.ts'
import { enqueueSummaries } from '../settings/daily-summary.ts'
import { releaseMaintenanceNotices } from '../settings/orders-again.ts'
import { enqueueSlowNetworks } from '../settings/slow-networks.ts'
import type { Engine } from './engine.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { Front } from './front.ts'
import { createJobs } from './jobs.ts'
import type { Upkeep } from './upkeep.ts'
import type { LoopPlans, Worker } from './worker.ts'

/**
 * How long a loop pauses after a round, so that work that arrives within this time is done together. Applied
 * together, 500 callbacks a second take a third of the work; at 20 purchases a second, half the searches for
 * messages are saved.
 */
const restMs = 15
const secondMs = 1_000
const minuteMs = 60 * secondMs

interface Parts {
  worker: Worker
  engine: Engine
  upkeep: Upkeep
  front: Front
}

/** The plans of all loops. The worker's loops begin a round as soon as it takes the lease. */
export const planLoops = (
  { store, security, now, log }: Foundation,
  { worker, engine, upkeep, front }: Parts,
): LoopPlans => {
  const { placer, tracker, reconciler, auditor, wallets, purchases, membership } = engine
  const jobs = (table: Record<string, [everyMs: number, work: () => Promise<unknown>]>) =>
    createJobs(
      Object.entries(table).map(([name, [everyMs, work]]) => ({ name, everyMs, work })),
      { monotonicMs, onError: (job, error) => log.error({ err: error, job }, 'a job failed') },
    )
  /** Wakes the sending loop if the work has queued messages. @param work returns how many. */
  const owing = (work: () => Promise<number>) => async () => {
    if ((await work()) > 0) worker.wake('send')
  }
  const heartbeat = jobs({
    lease: [secondMs / 4, worker.lease.round],
    clocks: [secondMs, worker.measureClocks],
    database: [secondMs / 2, () => front.health.round()],
    // Often enough to notice a nearly full disk before incoming data fills the reserve.
    disk: [2 * secondMs, front.measure],
  })
  const keeping = jobs({
    verify: [secondMs, () => wallets.verifyDue()],
    answer: [secondMs, () => front.answer()],
    audit: [5 * secondMs, () => auditor.round()],
    expire: [15 * secondMs, () => purchases.expireDrafts()],
    redraw: [15 * secondMs, owing(() => redrawReopened({ store, lists: engine.lists, now }))],
    reopen: [15 * secondMs, owing(() => releaseMaintenanceNotices(store, now))],
    summarize: [15 * secondMs, owing(() => enqueueSummaries(store, now))],
    slowNetworks: [5 * minuteMs, owing(() => enqueueSlowNetworks(store, now, log))],
    remind: [15 * secondMs, () => engine.reminders.round()],
    complaints: [15 * secondMs, owing(() => advanceComplaints(store, now, log))],
    topUps: [minuteMs, () => engine.lists.topUps.round()],
    tidy: [15 * secondMs, () => membership.tidy()],
    erase: [10 * secondMs, upkeep.erase],
    forget: [minuteMs, upkeep.forget],
    doubtLookUps: [5 * secondMs, front.tellOfLookUps],
    watchToken: [minuteMs, () => front.tokenWatch.look()],
    name: [minuteMs, front.name],
    pauseAgents: [60 * minuteMs, owing(() => pauseUnusedAgents(store, security, now))],
    reduce: [60 * minuteMs, upkeep.reduce],
  })
  upkeep.onErased(() => {
    keeping.hasten('erase')
    worker.wake('upkeep')
  })
  return {
    heartbeat: { everyMs: secondMs / 4, work: heartbeat.round },
    // Woken when an order is confirmed or has ended, because the next one may be sent.
    place: { everyMs: secondMs, restMs, work: () => placer.round() },
    // Woken by a callback whose status must be confirmed by asking the provider.
    follow: { everyMs: secondMs, restMs, work: () => tracker.poll() },
    // Woken by a round that left work.
    reconcile: { everyMs: secondMs, work: () => reconciler.round() },
    // Woken by a queued message.
    send: { everyMs: secondMs, restMs, work: () => front.outbox.round() },
    // Woken by a callback, and by an order that has just been placed. It also runs four times a second, because
    // other processes commit callbacks too and cannot wake it.
    apply: { everyMs: secondMs / 4, restMs, work: () => tracker.applyCallbacks() },
    upkeep: { everyMs: secondMs, work: keeping.round },
  }
}
