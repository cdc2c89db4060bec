import { createLoop, type Loop } from '../loop.ts'
import { createLease, type Lease, processHasEnded } from '../messaging/leader-lease.ts'
import { type Foundation, leaseName, monotonicMs } from './foundation.ts'

/** Work that is done again and again. */
export interface LoopPlan {
  /** A round begins at the latest so long after the last, and at once when the loop is woken. */
  everyMs: number
  /** How long the loop rests after each round, woken or not: work that comes meanwhile is done together. */
  restMs?: number
  /** One round. */
  work: () => Promise<void>
}

/** The loops of the worker, by the names that the log gives them. */
export type Work = 'place' | 'follow' | 'reconcile' | 'send' | 'apply' | 'upkeep'

/** All loops. `heartbeat` runs in every process, the others in the worker alone. */
export type LoopPlans = Readonly<Record<Work | 'heartbeat', LoopPlan>>

/**
 * One process works and the others stand by: the loops run only while this process holds the lease. A standby takes
 * the lease when the worker gives it back or has ended.
 */
export interface Worker {
  readonly lease: Lease
  /** Work is due now: wakes the loop if this process is the worker. The worker finds what others commit by itself. */
  wake(work: Work): void
  /** Looks at the clocks, which all processes on the database share. */
  measureClocks(): Promise<void>
  /** Starts the loops, and takes the lease if it is free. */
  begin(plans: LoopPlans): Promise<void>
  /** Stops all loops but `send` and `heartbeat`, which the rest of the stop needs. */
  stopWork(): Promise<void>
  stopSending(): Promise<void>
  /** Gives the lease back, so that another process need not wait for its end. */
  resign(): Promise<void>
}

type WorkerParts = Pick<Foundation, 'store' | 'clock' | 'wallMs' | 'token' | 'log'>

/** @param onTaken called each time that the lease was taken. */
export const createWorker = (
  { store, clock, wallMs, token, log }: WorkerParts,
  { onTaken }: { onTaken: () => void },
): Worker => {
  const loops = new Map<keyof LoopPlans, Loop>()
  const lease = createLease({
    store,
    name: leaseName,
    token,
    hasEnded: processHasEnded,
    now: () => new Date(wallMs()),
    monotonicMs,
    onTaken: () => {
      for (const each of loops.values()) each.wake()
      onTaken()
    },
    log,
  })
  const loopOf = (name: keyof LoopPlans, { everyMs, restMs, work }: LoopPlan): Loop =>
    createLoop({
      work: async () => (name === 'heartbeat' || lease.isHeld() ? work() : undefined),
      everyMs,
      ...(restMs !== undefined && { restMs }),
      onError: (error) => log.error({ err: error, loop: name }, 'a round failed'),
    })
  return {
    lease,
    wake: (work) => loops.get(work)?.wake(),
    measureClocks: () => clock.measure(),
    begin: async (plans) => {
      for (const name of Object.keys(plans) as (keyof LoopPlans)[]) loops.set(name, loopOf(name, plans[name]))
      for (const each of loops.values()) each.start()
      await lease.check()
    },
    stopWork: async () => {
      const work = [...loops].filter(([name]) => name !== 'send' && name !== 'heartbeat')
      await Promise.all(work.map(([, each]) => each.stop()))
    },
    stopSending: async () => loops.get('send')?.stop(),
    resign: async () => {
      await loops.get('heartbeat')?.stop()
      await lease.release()
    },
  }
}
