import type { World } from '../world.ts'

/**
 * The two clocks of one process: a wall clock, which may be wrong and is set now and then, and a monotonic clock,
 * which nobody can set.
 */
export class ProcessClock {
  readonly #world: World
  readonly #startedAtMs: number
  readonly #driftPpm: number
  #offMs: number
  #stoodMs = 0

  constructor(world: World) {
    const { random, weather } = world
    const { offMs, driftPpm } = weather.instances.clocks
    this.#world = world
    this.#startedAtMs = world.nowMs
    this.#offMs = random.between(-offMs, offMs)
    this.#driftPpm = random.between(-driftPpm, driftPpm)
  }

  get nowMs(): number {
    const { nowMs, aheadMs } = this.#world
    return Math.round(nowMs + aheadMs + this.#offMs + this.#gained(this.#world.nowMs - this.#startedAtMs))
  }

  now = (): Date => new Date(this.nowMs)

  monotonicMs = (): number => {
    const ranMs = this.#world.nowMs - this.#startedAtMs - this.#stoodMs
    return ranMs + this.#gained(ranMs) + 1_000_000
  }

  /** Sets the wall clock. */
  set(offMs: number): void {
    this.#offMs = offMs
  }

  /** The machine was suspended, so the monotonic clock stopped too. */
  stood(ms: number): void {
    this.#stoodMs += ms
  }

  #gained(ms: number): number {
    return (ms * this.#driftPpm) / 1_000_000
  }
}
