import { collectDefaultMetrics, Registry } from 'prom-client'
import { wait } from '../wait.ts'

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
  /** Counters and histograms since the start. The first scrape adds the figures of the process. */
  counted: Registry
  /** Gauges that cost nothing to read. */
  standing: () => Registry
  /** Gauges that are read from the database. */
  read: () => Promise<Registry>
  /** Gauges in their place if the database does not answer. */
  withoutDatabase: () => Registry
  monotonicMs?: () => number
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
}

/**
 * The figures for Prometheus. Everybody who asks at the same time, or again soon, gets the same answer, so that no
 * number of scrapes can hurt. The process itself is watched from the first scrape on.
 */
export const createMetrics = (options: MetricsOptions): (() => Promise<Exposed>) => {
  const { counted, monotonicMs = () => performance.now(), sleep = unhurried } = options
  let isProcessWatched = false
  const readInTime = inTime(options.read, options.withoutDatabase, sleep)
  let kept: { answer: Promise<Exposed>; untilMs: number } | null = null

  const collect = async (): Promise<Exposed> => {
    const read = await readInTime()
    if (!isProcessWatched) collectDefaultMetrics({ register: counted })
    isProcessWatched = true
    const all = Registry.merge([counted, options.standing(), read])
    return { contentType: all.contentType, text: await all.metrics() }
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
  read: () => Promise<Registry>,
  instead: () => Registry,
  sleep: (ms: number) => Promise<void>,
): (() => Promise<Registry>) => {
  let reading: Promise<Registry> | null = null
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
