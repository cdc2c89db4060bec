import { nothing } from '../timeline.ts'
import type { World } from '../world.ts'
import type { BotProcess } from './process.ts'

/**
 * A loop of the bot by the virtual clock. A round that could find nothing to do (nothing that it reads was written since
 * the last, and nothing has become due) is passed over, so that quiet hours cost nothing.
 */
export class RoundLoop {
  readonly #world: World
  readonly #process: BotProcess
  readonly #everyMs: number
  readonly #reads: readonly string[]
  readonly #work: () => Promise<void>
  readonly #mayRun: () => boolean
  #running = false
  #wokenWhileRunning = false
  #nextAtMs = Number.POSITIVE_INFINITY
  /** By the process's own clock. */
  #lastAtMs = 0
  #seenVersion = -1

  /**
   * @param options.reads the tables in which its work is found.
   * @param options.mayRun whether its rounds are this process's work; if not, none is simulated.
   */
  constructor(
    world: World,
    process: BotProcess,
    {
      everyMs,
      reads,
      work,
      mayRun,
    }: { everyMs: number; reads: readonly string[]; work: () => Promise<void>; mayRun: () => boolean },
  ) {
    this.#world = world
    this.#process = process
    this.#everyMs = everyMs
    this.#reads = reads
    this.#work = work
    this.#mayRun = mayRun
  }

  /** When it looks next: never if its rounds are not this process's work, and now while it runs. */
  get nextAtMs(): number {
    return this.#running ? this.#world.nowMs : this.#nextAtMs
  }

  wake(): void {
    if (this.#running) {
      this.#wokenWhileRunning = true
      return
    }
    this.#seenVersion = -1
    this.#arm(this.#world.nowMs)
  }

  /** Called after a write: a loop that slept long looks again at its usual time. */
  stir(): void {
    if (this.#world.mutation.onlyWoken || !this.#mayRun()) return
    if (!this.#running && this.#nextAtMs > this.#world.nowMs + this.#everyMs) {
      this.#arm(this.#world.nowMs + this.#everyMs)
    }
  }

  #arm(atMs: number): void {
    this.#nextAtMs = atMs
    this.#world.timeline.at(atMs, this.#process, () => {
      if (this.#running || this.#nextAtMs !== atMs) return nothing
      const version = this.#world.tables.versionOf(this.#reads)
      const dueInMs = version === this.#seenVersion ? this.#dueInMs() : 0
      if (!this.#mayRun()) this.#nextAtMs = Number.POSITIVE_INFINITY
      else if (dueInMs > 0) this.#arm(this.#world.nowMs + dueInMs)
      else return this.#run(version)
      return nothing
    })
  }

  #dueInMs(): number {
    return this.#world.due.after(this.#lastAtMs) - this.#process.clock.nowMs
  }

  async #run(version: number): Promise<void> {
    this.#running = true
    this.#wokenWhileRunning = false
    this.#seenVersion = version
    this.#lastAtMs = this.#process.clock.nowMs
    try {
      await this.#work()
    } catch (error) {
      this.#world.say('bot', () => `a round failed: ${error}`)
      this.#seenVersion = -1
    }
    this.#running = false
    if (this.#wokenWhileRunning) this.wake()
    else if (!this.#world.mutation.onlyWoken) this.#arm(this.#world.nowMs + this.#everyMs)
  }
}
