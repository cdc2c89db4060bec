import type { Lease } from '../../src/relay/lease.ts'
import type { BotProcess } from './process.ts'
import type { RoundLoop } from './round-loop.ts'
import type { World } from './world.ts'

export const leaseName = 'telegram'

/** Every second a process looks whether it leads. */
const everyMs = 1_000
/** With this much left a lease is not renewed yet. */
const freshMs = 8_000
/** Who has nothing to do for longer than this lets the lease run out meanwhile, so that quiet hours cost nothing. */
const restMs = 15_000

/**
 * Takes and renews a process's lease by the virtual clock. Looks that could find nothing are passed over: at a lease
 * that another holds, or that was renewed just now.
 */
export class LeaseLoop {
  readonly #world: World
  readonly #process: BotProcess
  readonly #lease: Lease
  readonly #loops: readonly RoundLoop[]
  readonly #hasEnded: (token: string) => boolean
  #nextAtMs = Number.POSITIVE_INFINITY
  #isLooking = false

  constructor(
    world: World,
    process: BotProcess,
    options: { lease: Lease; loops: readonly RoundLoop[]; hasEnded: (token: string) => boolean },
  ) {
    this.#world = world
    this.#process = process
    this.#lease = options.lease
    this.#loops = options.loops
    this.#hasEnded = options.hasEnded
  }

  wake(): void {
    if (!this.#isLooking) this.#arm(this.#world.nowMs)
  }

  /** Something was written: whoever rests looks again at the usual time. */
  stir(): void {
    const soonMs = this.#world.nowMs + everyMs
    if (!this.#isLooking && this.#nextAtMs > soonMs && this.#isResting) this.#arm(soonMs)
  }

  get #isResting(): boolean {
    return this.#nextAtMs > this.#world.nowMs + restMs
  }

  #arm(atMs: number): void {
    this.#nextAtMs = atMs
    this.#world.timeline.at(atMs, this.#process, () => {
      if (this.#isLooking || this.#nextAtMs !== atMs) return
      const nextMs = this.#nextMs()
      if (this.#lease.isHeld() || nextMs <= this.#world.nowMs) void this.#look()
      else this.#armAbout(nextMs)
    })
  }

  #armAbout(atMs: number): void {
    this.#arm(atMs + this.#world.random.between(0, everyMs))
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    const wasHeld = this.#lease.isHeld()
    await this.#lease.round()
    this.#isLooking = false
    // Their rounds were passed over meanwhile.
    if (!wasHeld && this.#lease.isHeld()) for (const loop of this.#loops) loop.wake()
    this.#armAbout(Math.max(this.#nextMs(), this.#world.nowMs + 1))
  }

  #nextMs(): number {
    const { nowMs, rest, store } = this.#world
    const row = store.tables.leases.get(leaseName)
    const leftMs = (row?.until.getTime() ?? 0) - nowMs
    if (!this.#lease.isHeld()) {
      const isRest = rest.version === store.tables.journal.version && rest.untilMs > nowMs
      if (isRest) return rest.untilMs
      return row && this.#hasEnded(row.token) ? nowMs : nowMs + Math.max(0, leftMs)
    }
    const idleUntilMs = Math.min(...this.#loops.map((loop) => loop.nextAtMs))
    if (idleUntilMs > nowMs + restMs && !this.#process.isBusy) {
      this.#world.rest = { version: store.tables.journal.version, untilMs: idleUntilMs }
      return idleUntilMs
    }
    return nowMs + Math.max(0, leftMs - freshMs)
  }
}
