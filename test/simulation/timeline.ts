import type { Random } from './random.ts'

/**
 * What events belong to: a process of the bot, or everything outside it. Once a process is killed, its remaining events
 * never happen.
 */
export interface Owner {
  alive: boolean
  /** A paused process does nothing before this time, ms. */
  resumesAtMs: number
}

interface Entry {
  atMs: number
  /** A random number, so that events of the same instant happen in any order. */
  rank: number
  owner: Owner
  run: Happening
}

/** Returned by an event without consequences: it began, wrote and answered nothing. */
export const nothing = Symbol('nothing')

/** An event. If it returns `nothing`, a turn of the event loop is saved. */
type Happening = () => unknown

/**
 * How many turns of the event loop are requested at a time. After each turn, Node handles everything that follows from
 * it. Only after all of them does Node check for input and output, because such a check takes longer than most steps.
 */
const turnsAtOnce = 100

/** The virtual clock with all planned events. Nothing waits for real time. */
export class Timeline {
  nowMs: number
  readonly #random: Random
  readonly #heap: Entry[] = []
  /** Callers of `turn` that wait for the next event. */
  #asked: (() => void)[] = []
  /** Callers whose event has happened. `run` resumes them one by one, before the next event. */
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

  /**
   * Stops all events until the returned function is called, because a query of the database takes turns of the real
   * event loop.
   */
  holds(): () => void {
    this.#holders += 1
    return () => {
      this.#holders -= 1
    }
  }

  /** Resolves after the next event. In a real process, it would resolve after the next turn of the event loop. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#asked.push(resolve))
  }

  /**
   * Runs events one after another, each with everything that follows from it without waiting.
   * @param goesOn asked after each event; if it returns false, the run ends.
   * @returns how many events happened.
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
   * Runs the next event, and further ones as long as they have no consequences.
   * @param isFirst true for the first event of a run, after which `goesOn` must be asked.
   * @returns how many happened; 0 if none is left before `untilMs`.
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
