import type { Topic } from '../database/signals.ts'
import { createLoop, type Loop } from '../loop.ts'
import { bootId, createClockWatch, machineMonotonicMs } from '../relay/clock-watch.ts'
import { createLease, type Lease, processHasEnded } from '../relay/leader-lease.ts'
import { type Foundation, leaseName, monotonicMs } from './foundation.ts'

/** Work that is done again and again. */
export interface LoopPlan {
  /**
   * `leader`: only in the process that holds the lease, for all on the database. `each`: in all of them, which share the
   * work out by claims if it is not a process's own.
   */
  by: 'each' | 'leader'
  /** A round begins at the latest so long after the last, and at once when the loop is woken. */
  everyMs: number
  /** How long the loop rests after each round, woken or not: work that comes meanwhile is done together. */
  restMs?: number
  /** One round. */
  work: () => Promise<void>
}

/** The loops by the names that the log gives them. Other processes wake the loops whose names are topics. */
export type LoopPlans = Readonly<Record<Topic, LoopPlan> & Record<string, LoopPlan>>

/**
 * Runs the loops. A loop that one process runs for all on the database runs only while this process holds the lease.
 */
export interface Leader {
  readonly lease: Lease
  /** Work of the topic is due now: wakes the loop here, or in the process that leads if only that one does it. */
  wake(topic: Topic): void
  /** Renews the lease and looks at the clocks: the round of `leasing`. */
  round(): Promise<void>
  /** Starts the loops, takes the lease if it is free, and listens to the other processes. */
  begin(plans: LoopPlans): Promise<void>
  /** Stops all loops but `sending`, `claiming` and `leasing`, which the rest of the stop needs. */
  stopWork(): Promise<void>
  stopSending(): Promise<void>
  /** Gives the lease back, so that another process need not wait for its end. */
  resign(): Promise<void>
}

/** Loops that the stop still needs when all other work has ended. */
const lasting: ReadonlySet<string> = new Set(['sending', 'claiming', 'leasing'])

/** The part of the foundation that the leader needs. */
type Ground = Pick<Foundation, 'store' | 'clock' | 'now' | 'wallMs' | 'token' | 'log'> & {
  database: Pick<Foundation['database'], 'signals'>
}

/**
 * @param onTaken called each time that the lease was taken.
 * @param onSetBack called when the machine's clock was set back, with by how many ms.
 */
export const createLeader = (
  { store, database, clock, now, wallMs, token, log }: Ground,
  { onTaken, onSetBack }: { onTaken: () => void; onSetBack: (byMs: number) => void },
): Leader => {
  /** By name, in the order in which they start. */
  const loops = new Map<string, Loop>()
  /** Names of the loops that each process runs. */
  const own = new Set<string>()
  const wakeAll = () => {
    for (const each of loops.values()) each.wake()
  }
  const lease = createLease({
    store,
    name: leaseName,
    token,
    hasEnded: processHasEnded,
    now: () => new Date(wallMs()),
    monotonicMs,
    onTaken: () => {
      wakeAll()
      onTaken()
    },
    log,
  })
  const clockWatch = createClockWatch({
    store,
    now,
    monotonicMs: machineMonotonicMs,
    boot: bootId(),
    mayAct: lease.isHeld,
    onSetBack: (byMs) => {
      wakeAll()
      onSetBack(byMs)
    },
    log,
  })
  const loopOf = (name: string, { by, everyMs, restMs, work }: LoopPlan): Loop =>
    createLoop({
      work: async () => (by === 'each' || lease.isHeld() ? work() : undefined),
      everyMs,
      ...(restMs !== undefined && { restMs }),
      onError: (error) => log.error({ err: error, loop: name }, 'a round failed'),
    })
  return {
    lease,
    wake: (topic) => {
      if (own.has(topic) || lease.isHeld()) loops.get(topic)?.wake()
      else database.signals.send(topic)
    },
    round: async () => {
      await lease.round()
      await clock.measure()
      await clockWatch.round()
    },
    begin: async (plans) => {
      for (const [name, plan] of Object.entries(plans)) {
        loops.set(name, loopOf(name, plan))
        if (plan.by === 'each') own.add(name)
      }
      for (const each of loops.values()) each.start()
      await lease.check()
      // A lease that was given back goes to the first process that asks.
      database.signals.onSignal((topic, to = token) => {
        if (topic === 'leasing') void lease.check()
        else if (to === token) loops.get(topic)?.wake()
      })
    },
    stopWork: async () => {
      const work = [...loops].filter(([name]) => !lasting.has(name))
      await Promise.all(work.map(([, each]) => each.stop()))
    },
    stopSending: async () => loops.get('sending')?.stop(),
    resign: async () => {
      await Promise.all([loops.get('claiming')?.stop(), loops.get('leasing')?.stop()])
      await lease.release()
    },
  }
}
