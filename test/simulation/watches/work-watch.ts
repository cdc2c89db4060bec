import type { BotProcess } from '../bot/process.ts'
import type { World } from '../world.ts'

/** How many orders of an account the bot may have in progress at the same time. */
const maxPosts = 4

/** A step of a process that concerns an account or a chat. */
interface Step {
  process: BotProcess
  troubles: number
}

/**
 * Checks that only one process at a time sends to a chat, and that several processes together have no more orders of an
 * account in progress than one process may have. A process that was suspended or cut off, or whose database failed, may
 * finish what it began.
 */
export class WorkWatch {
  readonly #world: World
  readonly #steps = new Map<string, Set<Step>>()

  constructor(world: World) {
    this.#world = world
  }

  /** Does work that sends to a chat, and reports if another process sends there at the same time. */
  async sends<T>(process: BotProcess, chatId: number, work: () => Promise<T>): Promise<T> {
    return this.#during(`chat ${chatId}`, process, work, (others) => {
      if (others.length > 0)
        this.#world.breaks(
          `processes ${process.token} and ${others[0]?.process.token} send to chat ${chatId} at the same time`,
        )
    })
  }

  /** Does work that has an order of the account in progress, and reports if there are too many at the same time. */
  async posts<T>(process: BotProcess, accountId: string, work: () => Promise<T>): Promise<T> {
    return this.#during(`account ${accountId}`, process, work, (others, own) => {
      const count = others.length + own.length
      if (others.length > 0 && count >= maxPosts)
        this.#world.breaks(
          `several processes have ${count + 1} orders of account ${accountId} in progress, but at most ${maxPosts} are allowed`,
        )
    })
  }

  async #during<T>(
    name: string,
    process: BotProcess,
    work: () => Promise<T>,
    look: (others: Step[], own: Step[]) => void,
  ): Promise<T> {
    if (!this.#world.hasInstances) return work()
    const steps = this.#steps.get(name) ?? new Set()
    const standing = [...steps].filter(isUntroubled)
    look(
      standing.filter((step) => step.process !== process),
      standing.filter((step) => step.process === process),
    )
    const step = stepOf(process)
    this.#steps.set(name, steps.add(step))
    try {
      return await work()
    } finally {
      steps.delete(step)
    }
  }
}

const stepOf = (process: BotProcess): Step => ({ process, troubles: process.troubles })

const isUntroubled = ({ process, troubles }: Step): boolean =>
  process.alive && process.troubles === troubles && process.hanging === 0
