import { nothing } from '../timeline.ts'
import type { World } from '../world.ts'
import type { BotProcess } from './process.ts'

/**
 * A loop of the bot on the virtual clock. A round is skipped if it cannot find work, because its tables were not
 * written to since the last round and nothing has become due. So idle hours need not be simulated.
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
  /** When the last round began, by the process's own clock. */
  #lastAtMs = 0
  #seenVersion = -1

  /**
   * @param options.reads the tables in which the rounds find work.
   * @param options.mayRun whether this process does these rounds; if not, they are skipped.
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

  /** The time of the next round: infinity if this process does not do these rounds, now if a round is running. */
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

  /** Called after a write. A loop that planned a long sleep checks again at its usual time. */
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
