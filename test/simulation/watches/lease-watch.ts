import { AsyncLocalStorage } from 'node:async_hooks'
import { leaseName } from '../bot/leasing.ts'
import type { BotProcess } from '../bot/process.ts'
import type { World } from '../world.ts'

/** Rounds that only the leading process may do, and the requests to the provider that they make. */
export interface RoundCount {
  rounds: number
  /** Requests in rounds: for statuses, wallet entries and prices. */
  asked: number
  /** How many of those requests were made after the process had lost the lease. */
  askedLate: number
}

interface Round {
  name: string
  process: BotProcess
  troubles: number
}

/** A monotonic clock that drifts by 200 ppm is wrong by 3 ms at the end of a lease. */
const toleranceMs = 10

const rounds = new AsyncLocalStorage<Round>()

/**
 * Checks that only the process that leads according to the database does the rounds. A round that began under the lease
 * may continue after it only if the process was suspended or cut off, or if the database failed in between.
 */
export class LeaseWatch {
  readonly count: RoundCount = { rounds: 0, asked: 0, askedLate: 0 }
  readonly #world: World
  #last: { token: string | undefined; terms: number } | null = null

  constructor(world: World) {
    this.#world = world
  }

  round<T>(name: string, process: BotProcess, work: () => Promise<T>): Promise<T> {
    if (!this.#world.hasInstances) return work()
    this.count.rounds += 1
    this.term(process)
    if (!this.leads(process))
      this.#world.breaks(`process ${process.token} began a round of “${name}” without holding the lease`)
    return rounds.run({ name, process, troubles: process.troubles }, work)
  }

  /** Called when a round makes a request to the provider. */
  asks(process: BotProcess): void {
    const round = rounds.getStore()
    if (!round || round.process !== process) return
    this.count.asked += 1
    if (this.leads(process)) return
    this.count.askedLate += 1
    if (process.troubles === round.troubles && process.hanging === 0) {
      this.#world.breaks(
        `process ${process.token} continued its round of “${round.name}” after its lease had ended`,
      )
    }
  }

  /** A number that changes each time another process gets the lease; null if this process does not have it. */
  term(process: BotProcess): number | null {
    const token = this.#world.tables.leases.get(leaseName)?.token
    const terms = (this.#last?.terms ?? 0) + (token === this.#last?.token ? 0 : 1)
    this.#last = { token, terms }
    return token === process.token ? terms : null
  }

  leads({ token }: BotProcess): boolean {
    const row = this.#world.tables.leases.get(leaseName)
    return row?.token === token && row.until.getTime() > this.#world.nowMs - toleranceMs
  }
}
