import { setTimeout as wait } from 'node:timers/promises'
import type { Family } from './counting.ts'
import { exposition } from './exposition.ts'

/** What `/metrics` answers. */
export interface Exposed {
  contentType: string
  text: string
}

/** An answer is kept this long, and longer where it took long to make: no more than a twentieth of the time goes into it. */
const leastKeptMs = 5_000
const keptPerMs = 20
/** A database that does not answer by then leaves its part out. */
const mostReadMs = 3_000

interface MetricsOptions {
  /** What has been counted since the start. */
  counted: () => Family[]
  /** What costs nothing to read. */
  standing: () => Family[]
  /** What is read from the database. */
  read: () => Promise<Family[]>
  /** In place of that, where it does not answer. */
  withoutDatabase: () => Family[]
  monotonicMs?: () => number
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
}

/**
 * What Prometheus is told. Whoever asks at the same time, or again soon, gets the same answer, so that no number of
 * scrapes can hurt. The library for what concerns the process is loaded when somebody asks for the first time.
 */
export const createMetrics = (options: MetricsOptions): (() => Promise<Exposed>) => {
  const { monotonicMs = () => performance.now() } = options
  const ofProcess = processMetrics()
  const readInTime = inTime(options)
  let kept: { answer: Promise<Exposed>; untilMs: number } | null = null

  const collect = async (): Promise<Exposed> => {
    const read = await readInTime()
    const text = exposition([...options.counted(), ...options.standing(), ...read])
    return { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: text + (await ofProcess()) }
  }

  const collectAndKeep = (): Promise<Exposed> => {
    const beganMs = monotonicMs()
    const answer = collect()
    const current = { answer, untilMs: Number.POSITIVE_INFINITY }
    kept = current
    answer.then(
      () => {
        const endedMs = monotonicMs()
        current.untilMs = endedMs + Math.max(leastKeptMs, keptPerMs * (endedMs - beganMs))
      },
      () => {
        if (kept === current) kept = null
      },
    )
    return answer
  }

  return () => (kept && monotonicMs() < kept.untilMs ? kept.answer : collectAndKeep())
}

/** One reading at a time: one that hangs is not joined by more of them. */
const inTime = ({ read, withoutDatabase, sleep = unhurried }: MetricsOptions): (() => Promise<Family[]>) => {
  let reading: Promise<Family[]> | null = null
  return () => {
    reading ??= read()
      .catch(withoutDatabase)
      .finally(() => {
        reading = null
      })
    return Promise.race([reading, sleep(mostReadMs).then(withoutDatabase)])
  }
}

const unhurried = (ms: number): Promise<void> => wait(ms, undefined, { ref: false })

/** Gauges of the library that are named like counters, which `promtool check metrics` refuses: sums of others. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

const processMetrics = (): (() => Promise<string>) => {
  let registry: Promise<{ metrics(): Promise<string> }> | null = null
  const create = async () => {
    const { collectDefaultMetrics, Registry } = await import('prom-client')
    const created = new Registry()
    collectDefaultMetrics({ register: created })
    for (const name of misnamed) created.removeSingleMetric(name)
    return created
  }
  return async () => {
    registry ??= create()
    return (await registry).metrics()
  }
}
