import { collectDefaultMetrics, Registry } from 'prom-client'
import { wait } from '../base/wait.ts'

export interface MetricsPage {
  contentType: string
  text: string
}

/**
 * An answer is reused for 5 s, or for 20 times as long as it took to make, whichever is more. So scrapes take at
 * most a twentieth of the time.
 */
const minKeptMs = 5_000
const keptPerMs = 20
/** If the database takes longer than this, its gauges are left out. */
const maxReadMs = 3_000

interface MetricsOptions {
  /** Counters and histograms since the start. The first scrape adds the metrics of the process. */
  counted: Registry
  /** Gauges that are read without a query. */
  localGauges: () => Registry
  /** Gauges that are read from the database. */
  read: () => Promise<Registry>
  /** Replaces `read` if the database does not answer. */
  withoutDatabase: () => Registry
  monotonicMs?: () => number
  sleep?: (ms: number) => Promise<void>
}

/**
 * Answers `/metrics`. Concurrent scrapes, and scrapes soon after one another, share one answer, so that frequent
 * scrapes do no harm. Metrics of the process (CPU, memory) are collected from the first scrape on.
 */
export const createMetrics = (options: MetricsOptions): (() => Promise<MetricsPage>) => {
  const { counted, monotonicMs = () => performance.now(), sleep = unhurried } = options
  let isProcessWatched = false
  const readInTime = inTime(options.read, options.withoutDatabase, sleep)
  let kept: { answer: Promise<MetricsPage>; untilMs: number } | null = null

  const collect = async (): Promise<MetricsPage> => {
    const read = await readInTime()
    if (!isProcessWatched) collectDefaultMetrics({ register: counted })
    isProcessWatched = true
    const all = Registry.merge([counted, options.localGauges(), read])
    return { contentType: all.contentType, text: await all.metrics() }
  }

  const collectAndKeep = (): Promise<MetricsPage> => {
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

/** Runs one reading at a time, so that readings without an answer do not pile up. */
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
