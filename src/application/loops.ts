import { pauseUnusedAgents } from '../accounts/unused-agents.ts'
import { redrawPausedCards } from '../orders/paused-cards.ts'
import { oweSummaries } from '../settings/daily-summary.ts'
import { tellOrdersAgain } from '../settings/orders-again.ts'
import type { Engine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import type { Front } from './front.ts'
import type { Leader, LoopPlan, LoopPlans } from './leader.ts'
import type { Upkeep } from './upkeep.ts'
import type { WorkClaims } from './work-claims.ts'

/** Well below the time in which incoming data could fill the room that is kept free. */
const measureEveryMs = 2_000
/** Callbacks that follow each other are applied some at a time: at 500 a second this takes a third of the work. */
const callbackRestMs = 15
const minuteMs = 60_000

interface Parts {
  leader: Leader
  claims: WorkClaims
  engine: Engine
  upkeep: Upkeep
  front: Front
}

/**
 * All loops of the bot. Orders are placed, followed and settled and messages sent by each process that can claim them,
 * first by the one that wrote them. The leader is woken for `erasing` as soon as one of the processes has work for it.
 * Each process wakes all its loops when it becomes the leader, and when the machine's clock was set back.
 */
export const planLoops = (
  { store, database, security, now }: Foundation,
  { leader, claims, engine, upkeep, front }: Parts,
): LoopPlans => {
  const { placer, tracker, settler, auditor, wallets, purchases, membership } = engine
  const each = (everyMs: number, work: LoopPlan['work']): LoopPlan => ({ by: 'each', everyMs, work })
  const leaders = (everyMs: number, work: LoopPlan['work']): LoopPlan => ({ by: 'leader', everyMs, work })
  const sharers = database.shared ? each : leaders
  return {
    leasing: each(1_000, leader.round),
    claiming: each(1_000, claims.round),
    measuring: each(measureEveryMs, front.measure),
    recovering: each(500, () => front.health.round()),
    // Woken by an order that is confirmed or over: the next one may go.
    placing: sharers(1_000, () => placer.round()),
    // Woken by a callback, and by an order that the provider has just taken.
    applying: { ...sharers(1_000, () => tracker.applyCallbacks()), restMs: callbackRestMs },
    // Woken by a callback that needs the provider's own word.
    polling: sharers(1_000, () => tracker.poll()),
    // Woken by a round that left some.
    settling: sharers(1_000, () => settler.round()),
    auditing: leaders(5_000, () => auditor.round()),
    // Woken by a message that is owed.
    sending: sharers(1_000, () => front.outbox.round()),
    verifying: leaders(1_000, () => wallets.verifyDue()),
    expiring: leaders(15_000, async () => {
      await purchases.expireDrafts()
      const drawn = await redrawPausedCards(store, now)
      if ((await tellOrdersAgain(store, now)) + drawn > 0) leader.wake('sending')
    }),
    answering: leaders(1_000, () => front.answer()),
    tidying: leaders(15_000, () => membership.tidy()),
    summaries: leaders(15_000, async () => {
      if ((await oweSummaries(store, now)) > 0) leader.wake('sending')
    }),
    pausing: leaders(60 * minuteMs, async () => {
      if ((await pauseUnusedAgents(store, security, now)) > 0) leader.wake('sending')
    }),
    // Woken by an erasure.
    erasing: leaders(10_000, upkeep.erase),
    reducing: leaders(60 * minuteMs, upkeep.reduce),
    mending: leaders(60 * minuteMs, upkeep.mend),
    watching: leaders(minuteMs, () => front.tokenWatch.look()),
    naming: leaders(minuteMs, front.name),
    forgetting: leaders(minuteMs, upkeep.forget),
  }
}
