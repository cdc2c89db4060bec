import { wait } from '../wait.ts'
import type { Family } from './counting.ts'
import { exposition } from './exposition.ts'
import { watchProcess } from './process.ts'

/** The answer of `/metrics`. */
export interface Exposed {
  contentType: string
  text: string
}

/** An answer is kept this long, and longer if it took long: at most a twentieth of the time goes into making it. */
const minKeptMs = 5_000
const keptPerMs = 20
/** If the database takes longer, its part is left out. */
const maxReadMs = 3_000

interface MetricsOptions {
  /** Counters and histograms since the start. */
  counted: () => Family[]
  /** Gauges that cost nothing to read. */
  standing: () => Family[]
  /** Gauges that are read from the database. */
  read: () => Promise<Family[]>
  /** Gauges in their place if the database does not answer. */
  withoutDatabase: () => Family[]
  monotonicMs?: () => number
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
}

/**
 * The figures for Prometheus. Everybody who asks at the same time, or again soon, gets the same answer, so that no
 * number of scrapes can hurt. The process itself is watched from the first scrape on.
 */
export const createMetrics = (options: MetricsOptions): (() => Promise<Exposed>) => {
  const { monotonicMs = () => performance.now() } = options
  let ofProcess: (() => Promise<Family[]>) | null = null
  const { sleep = unhurried } = options
  const readInTime = inTime(options.read, options.withoutDatabase, sleep)
  let kept: { answer: Promise<Exposed>; untilMs: number } | null = null

  const collect = async (): Promise<Exposed> => {
    const read = await readInTime()
    ofProcess ??= watchProcess()
    const families = [...options.counted(), ...options.standing(), ...read, ...(await ofProcess())]
    return { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: exposition(families) }
  }

  const collectAndKeep = (): Promise<Exposed> => {
    const beganMs = monotonicMs()
    const answer = collect()
    const current = { answer, untilMs: Number.POSITIVE_INFINITY }
    kept = current
    answer.then(
      () => {
        const endedMs = monotonicMs()
        current.untilMs = endedMs + Math.max(minKeptMs, keptPerMs * (endedMs - beganMs))
      },
      () => {
        if (kept === current) kept = null
      },
    )
    return answer
  }

  return () => (kept && monotonicMs() < kept.untilMs ? kept.answer : collectAndKeep())
}

/** One reading at a time, so that readings that hang do not pile up. */
const inTime = (
  read: () => Promise<Family[]>,
  instead: () => Family[],
  sleep: (ms: number) => Promise<void>,
): (() => Promise<Family[]>) => {
  let reading: Promise<Family[]> | null = null
  return () => {
    reading ??= read()
      .catch(instead)
      .finally(() => {
        reading = null
      })
    return Promise.race([reading, sleep(maxReadMs).then(instead)])
  }
}

const unhurried = (ms: number): Promise<void> => wait(ms, undefined, { ref: false })
