import type { Topic } from '../../src/database/signals.ts'
import type { BotProcess } from './process.ts'
import type { World } from './world.ts'

/** How many orders of an account the bot has under way at once. */
const maxPosts = 4

/** A step of a process on an account or a chat. */
interface Step {
  process: BotProcess
  troubles: number
}

/** The name of a claim, as the bot keeps it. */
export const claimName = (topic: Topic, key: string | number): string => `${topic} ${key}`

/**
 * One process at a time sends to a chat, sends, follows or settles the orders of an account, and all together have a
 * few orders of an account under way. A process that stood still, was cut off or whose database failed may end what it began.
 */
export class ClaimWatch {
  readonly #world: World
  readonly #steps = new Map<string, Set<Step>>()
  /** By name of the claim, then by process. */
  readonly #working = new Map<string, Map<string, Step>>()

  constructor(world: World) {
    this.#world = world
    world.onTakenOver = (name, from) => this.#takenOver(name, from)
  }

  /** The process works on what it claims from here on, until `ends`. */
  begins(name: string, process: BotProcess): void {
    const works = this.#working.get(name) ?? new Map<string, Step>()
    for (const [token, step] of works)
      if (token !== process.token && isUntroubled(step))
        this.#world.breaks(`${process.token} takes “${name}”, on which ${token} works`)
    this.#working.set(name, works.set(process.token, stepOf(process)))
  }

  ends(name: string, process: BotProcess): void {
    this.#working.get(name)?.delete(process.token)
  }

  /** A claim has gone from that process to another. */
  #takenOver(name: string, from: string): void {
    const step = this.#working.get(name)?.get(from)
    if (step && isUntroubled(step))
      this.#world.breaks(`${from} loses the claim “${name}” while it works on it`)
  }

  /** Sends to a chat. */
  async sends<T>(process: BotProcess, chatId: number, work: () => Promise<T>): Promise<T> {
    return this.#during(claimName('sending', chatId), process, work, (others) => {
      if (others.length > 0)
        this.#world.breaks(
          `two processes send to chat ${chatId}: ${process.token} beside ${others[0]?.process.token}`,
        )
    })
  }

  /** Has an order under way. */
  async posts<T>(process: BotProcess, accountId: string, work: () => Promise<T>): Promise<T> {
    return this.#during(claimName('placing', accountId), process, work, (others, own) => {
      const count = others.length + own.length
      if (others.length > 0 && count >= maxPosts)
        this.#world.breaks(`${count + 1} orders of ${accountId} are under way`)
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
