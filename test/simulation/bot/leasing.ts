import type { Lease } from '../../../src/messaging/leader-lease.ts'
import { nothing } from '../timeline.ts'
import type { World } from '../world.ts'
import type { BotProcess } from './process.ts'
import type { RoundLoop } from './round-loop.ts'

export const leaseName = 'worker'

/** How often a process checks whether it leads. */
const everyMs = 1_000
/** A lease that is valid for longer than this is not renewed yet. */
const freshMs = 8_000
/**
 * If a process has nothing to do for longer than this, it lets the lease expire, so that idle hours need not be
 * simulated.
 */
const restMs = 15_000

/**
 * Takes and renews a process's lease on the virtual clock. Skips checks that cannot find anything: while another
 * process holds the lease, or right after a renewal.
 */
export class LeaseLoop {
  readonly #world: World
  readonly #process: BotProcess
  readonly #lease: Lease
  readonly #loops: readonly RoundLoop[]
  readonly #hasEnded: (token: string) => boolean
  #nextAtMs = Number.POSITIVE_INFINITY
  #isLooking = false
  #rests = false

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

  /** Somebody waits for an answer, so a resting process checks now. */
  rouse(): void {
    this.#world.rest = { version: -1, untilMs: 0 }
    this.wake()
  }

  /** Something was written, so resting processes check again at the usual time. */
  stir(): void {
    const soonMs = this.#world.nowMs + everyMs
    const isFar = this.#nextAtMs > this.#world.nowMs + restMs
    if (!this.#isLooking && this.#nextAtMs > soonMs && (isFar || this.#rests)) this.#arm(soonMs)
  }

  /**
   * Whether the process leads, as far as it knows. A resting process answers false until it has checked the lease
   * again. If it did not rest, it would have checked the lease long ago.
   */
  leads(): boolean {
    return !this.#rests && this.#lease.isHeld()
  }

  #arm(atMs: number): void {
    this.#nextAtMs = atMs
    this.#world.timeline.at(atMs, this.#process, () => {
      if (this.#isLooking || this.#nextAtMs !== atMs) return nothing
      const freeAtMs = this.#lease.isHeld() ? this.#world.nowMs : this.#freeAtMs()
      const { nowMs } = this.#world
      if (this.#isQuiet) this.#armAbout(this.#world.rest.untilMs)
      else if (freeAtMs <= nowMs) return this.#look()
      else this.#armAbout(freeAtMs)
      return nothing
    })
  }

  /** Whether a leader would have nothing to do yet. */
  get #isQuiet(): boolean {
    const { nowMs, rest, tables } = this.#world
    return rest.version === tables.version && rest.untilMs > nowMs
  }

  #armAbout(atMs: number): void {
    this.#arm(atMs + this.#world.random.between(0, everyMs))
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    const led = this.leads()
    await this.#lease.round()
    this.#isLooking = false
    this.#rests = false
    // The loops' rounds were skipped while this process did not lead.
    if (!led && this.leads()) for (const loop of this.#loops) loop.wake()
    this.#armAbout(Math.max(this.#nextMs(), this.#world.nowMs + 1))
  }

  /** When the lease of another process ends. */
  #freeAtMs(): number {
    const { nowMs, tables } = this.#world
    const row = tables.leases.get(leaseName)
    return row && !this.#hasEnded(row.token) ? Math.max(nowMs, row.until.getTime()) : nowMs
  }

  #nextMs(): number {
    const { nowMs, tables } = this.#world
    if (!this.#lease.isHeld()) return this.#freeAtMs()
    const idleUntilMs = Math.min(...this.#loops.map((loop) => loop.nextAtMs))
    if (idleUntilMs > nowMs + restMs && !this.#process.isBusy) {
      this.#rests = true
      this.#world.rest = { version: tables.version, untilMs: idleUntilMs }
      return idleUntilMs
    }
    const untilMs = tables.leases.get(leaseName)?.until.getTime() ?? 0
    return Math.max(nowMs, untilMs - freshMs)
  }
}
