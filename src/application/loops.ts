import { pauseUnusedAgents } from '../accounts/unused-agents.ts'
import { redrawPausedCards } from '../orders/placing/paused-cards.ts'
import { oweSummaries } from '../settings/daily-summary.ts'
import { tellOrdersAgain } from '../settings/orders-again.ts'
import type { Engine } from './engine.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { Front } from './front.ts'
import { createJobs } from './jobs.ts'
import type { Upkeep } from './upkeep.ts'
import type { LoopPlans, Worker } from './worker.ts'

/** Callbacks that follow each other are applied some at a time: at 500 a second this takes a third of the work. */
const callbackRestMs = 15
const secondMs = 1_000
const minuteMs = 60 * secondMs

interface Parts {
  worker: Worker
  engine: Engine
  upkeep: Upkeep
  front: Front
}

/** All loops of the bot. All of the worker's begin a round as soon as it takes the lease. */
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
  /** What owes messages wakes the loop that sends them. */
  const owing = (work: () => Promise<number>) => async () => {
    if ((await work()) > 0) worker.wake('send')
  }
  const heartbeat = jobs({
    lease: [secondMs / 4, worker.lease.round],
    clocks: [secondMs, worker.measureClocks],
    database: [secondMs / 2, () => front.health.round()],
    // Well below the time in which incoming data could fill the room that is kept free.
    disk: [2 * secondMs, front.measure],
  })
  const keeping = jobs({
    verify: [secondMs, () => wallets.verifyDue()],
    answer: [secondMs, () => front.answer()],
    audit: [5 * secondMs, () => auditor.round()],
    expire: [15 * secondMs, () => purchases.expireDrafts()],
    redraw: [15 * secondMs, owing(() => redrawPausedCards(store, now))],
    reopen: [15 * secondMs, owing(() => tellOrdersAgain(store, now))],
    summarize: [15 * secondMs, owing(() => oweSummaries(store, now))],
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
    // Woken by an order that is confirmed or over: the next one may go.
    place: { everyMs: secondMs, work: () => placer.round() },
    // Woken by a callback that needs the provider's own word.
    follow: { everyMs: secondMs, work: () => tracker.poll() },
    // Woken by a round that left some.
    reconcile: { everyMs: secondMs, work: () => reconciler.round() },
    // Woken by a message that is owed.
    send: { everyMs: secondMs, work: () => front.outbox.round() },
    // Woken by a callback, and by an order that the provider has just taken. Other processes commit callbacks too.
    apply: { everyMs: secondMs / 4, restMs: callbackRestMs, work: () => tracker.applyCallbacks() },
    upkeep: { everyMs: secondMs, work: keeping.round },
  }
}
