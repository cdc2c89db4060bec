import { createLoop, type Loop } from '../base/loop.ts'
import { createLease, type Lease, processHasEnded } from '../messaging/leader-lease.ts'
import { type Foundation, leaseName, monotonicMs } from './foundation.ts'

export interface LoopPlan {
  /** The longest sleep between two rounds. Waking the loop begins a round immediately. */
  everyMs: number
  /**
   * How long the loop pauses after each round, even if it is woken, so that work that arrives in the pause is done
   * together.
   */
  restMs?: number
  work: () => Promise<void>
}

/** The loops that run only in the worker, by their names in the log. */
export type Work = 'place' | 'follow' | 'reconcile' | 'send' | 'apply' | 'upkeep'

/** `heartbeat` runs in every process, the other loops only in the worker. */
export type LoopPlans = Readonly<Record<Work | 'heartbeat', LoopPlan>>

/**
 * Runs the loops while this process holds the lease. One process works, and the others stand by. A standby takes the
 * lease when the worker gives it back, or when the worker has died and its lease has run out.
 */
export interface Worker {
  readonly lease: Lease
  /**
   * Wakes a loop because there is work for it. Does nothing in a standby: the worker finds that work in its regular
   * rounds.
   */
  wake(work: Work): void
  measureClocks(): Promise<void>
  /** Starts the loops and, if the lease is free, takes it. */
  begin(plans: LoopPlans): Promise<void>
  /** Stops all loops except `send` and `heartbeat`, which are still needed while the bot stops. */
  stopWork(): Promise<void>
  stopSending(): Promise<void>
  /** Stops the heartbeat and gives the lease back, so that another process can take it immediately. */
  resign(): Promise<void>
}

type WorkerParts = Pick<Foundation, 'store' | 'clock' | 'wallMs' | 'token' | 'log'>

/** @param onTaken called each time this process takes the lease. */
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
