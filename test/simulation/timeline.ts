import type { Random } from './random.ts'

/** The process of the events. After a kill, its remaining ones never happen. */
export interface Owner {
  alive: boolean
  /** A process that is paused does nothing before (ms). */
  resumesAtMs: number
}

interface Entry {
  atMs: number
  /** A random number: events of the same instant happen in any order. */
  rank: number
  owner: Owner
  run: Happening
}

/** Said by a thing from which nothing follows: nothing was begun, written or answered. */
export const nothing = Symbol('nothing')

/** What is to happen. It may say `nothing`, which saves a turn. */
type Happening = () => unknown

/**
 * Turns of the event loop that are asked for at a time. Between two of them Node does everything that follows from
 * the first; only after all of them does it look for input and output, which takes longer than most steps.
 */
const turnsAtOnce = 100

/** The one clock, and all that is to happen by it. Nothing waits for real time. */
export class Timeline {
  nowMs: number
  readonly #random: Random
  readonly #heap: Entry[] = []
  /** Who waits for a turn until after the next thing, and until after the last one. */
  #asked: (() => void)[] = []
  #due: (() => void)[] = []
  #holders = 0

  constructor(startMs: number, random: Random) {
    this.nowMs = startMs
    this.#random = random
  }

  at(atMs: number, owner: Owner, run: Happening): void {
    this.#push({ atMs: Math.max(atMs, this.nowMs), rank: this.#random.next(), owner, run })
  }

  sleep(ms: number, owner: Owner): Promise<void> {
    return new Promise((resolve) => this.at(this.nowMs + ms, owner, resolve))
  }

  /** Nothing happens until what was begun has ended: a query of the database takes turns of the event loop. @returns its end. */
  holds(): () => void {
    this.#holders += 1
    return () => {
      this.#holders -= 1
    }
  }

  /** Resolves after the next thing has happened: in a real process, after the next turn of the event loop. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#asked.push(resolve))
  }

  /**
   * Lets one thing after another happen, each with everything that follows from it without waiting.
   * @param goesOn asked after each; where it says no, nothing more happens.
   * @returns how many happened until then, or until nothing was left before `untilMs`.
   */
  run(untilMs: number, goesOn: () => boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      let happened = 0
      let isOver = false
      const turn = (): void => {
        if (isOver) return
        if (this.#holders > 0) {
          setImmediate(turn)
          return
        }
        try {
          const waiting = this.#due.shift()
          if (waiting) waiting()
          else {
            const things = happened === 0 || goesOn() ? this.#step(untilMs, happened === 0) : 0
            happened += things
            isOver = things === 0
          }
        } catch (error) {
          isOver = true
          reject(error)
        }
        if (isOver) resolve(happened)
        else setImmediate(turn)
      }
      for (let turns = 0; turns < turnsAtOnce; turns += 1) setImmediate(turn)
    })
  }

  /**
   * Lets the next thing happen, and those after it as long as nothing follows from them.
   * @param isFirst nobody has looked since something else was done: after it, somebody does.
   * @returns how many happened; 0 when nothing is left before `untilMs`.
   */
  #step(untilMs: number, isFirst: boolean): number {
    let happened = 0
    for (;;) {
      const next = this.#heap[0]
      if (!next || next.atMs > untilMs) return happened
      this.#pop()
      const { owner } = next
      if (!owner.alive) continue
      if (owner.resumesAtMs > next.atMs) {
        this.#push({ ...next, atMs: owner.resumesAtMs })
        continue
      }
      this.nowMs = next.atMs
      this.#due = this.#asked
      this.#asked = []
      happened += 1
      if (next.run() !== nothing || this.#due.length > 0 || isFirst) return happened
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let index = heap.push(entry) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(entry, heap[parent] as Entry)) break
      heap[index] = heap[parent] as Entry
      index = parent
    }
    heap[index] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      if (left >= heap.length) break
      const right = left + 1
      const child = right < heap.length && isBefore(heap[right] as Entry, heap[left] as Entry) ? right : left
      if (!isBefore(heap[child] as Entry, last)) break
      heap[index] = heap[child] as Entry
      index = child
    }
    heap[index] = last
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.rank < b.rank)
