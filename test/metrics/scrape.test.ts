import { setImmediate as nextTurn } from 'node:timers/promises'
import { Gauge, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { createMetrics } from '../../src/metrics/scrape.ts'

const withGauge = (name: string, value: number): Registry => {
  const registry = new Registry()
  new Gauge({ name, help: 'A figure.', registers: [registry] }).set(value)
  return registry
}

/** Metrics whose readings end when the test says so, with a clock that the test sets. */
const newMetrics = () => {
  const clock = { ms: 0 }
  const late = Promise.withResolvers<void>()
  const readings: PromiseWithResolvers<Registry>[] = []
  const scrape = createMetrics({
    counted: withGauge('counted', 1),
    localGauges: () => withGauge('standing', 2),
    read: () => {
      const reading = Promise.withResolvers<Registry>()
      readings.push(reading)
      return reading.promise
    },
    withoutDatabase: () => withGauge('read', 0),
    monotonicMs: () => clock.ms,
    sleep: () => late.promise,
  })
  const answer = (value: number) => readings.at(-1)?.resolve(withGauge('read', value))
  /** From now on, readings take longer than the limit. */
  const beLate = () => late.resolve()
  return { scrape, clock, readings, answer, beLate }
}

describe('a scrape of the metrics', () => {
  test('shows counters, gauges of the process and the database, and Node’s metrics', async () => {
    const { scrape, answer } = newMetrics()
    const asked = scrape()
    answer(3)
    const { contentType, text } = await asked
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text).toMatch(/^counted 1$/m)
    expect(text).toMatch(/^standing 2$/m)
    expect(text).toMatch(/^read 3$/m)
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_heap_size_used_bytes',
    ])
      expect(text).toMatch(new RegExp(`^${name} [\\d.]+$`, 'm'))
  })

  test('is shared by simultaneous requests, and by all within five seconds', async () => {
    const { scrape, clock, readings, answer } = newMetrics()
    const asked = Array.from({ length: 50 }, () => scrape())
    answer(3)
    const texts = new Set((await Promise.all(asked)).map(({ text }) => text))
    clock.ms += 4_999
    texts.add((await scrape()).text)
    expect([texts.size, readings.length]).toEqual([1, 1])
    clock.ms += 1
    const next = scrape()
    answer(4)
    expect((await next).text).toMatch(/^read 4$/m)
    expect(readings).toHaveLength(2)
  })

  test('that took a second is reused for twenty seconds', async () => {
    const { scrape, clock, readings, answer } = newMetrics()
    const asked = scrape()
    clock.ms += 1_000
    answer(3)
    await asked
    clock.ms += 19_999
    await scrape()
    expect(readings).toHaveLength(1)
    clock.ms += 1
    const next = scrape()
    answer(4)
    await next
    expect(readings).toHaveLength(2)
  })
})

describe('a scrape of the metrics without the database', () => {
  test('shows all metrics that need no database if the database refuses the query', async () => {
    const { scrape, readings } = newMetrics()
    const asked = scrape()
    readings[0]?.reject(new Error('no such table'))
    const { text } = await asked
    expect(text).toMatch(/^counted 1$/m)
    expect(text).toMatch(/^read 0$/m)
  })

  test('shows all metrics that need no database if the database is too slow, and does not repeat the query', async () => {
    const { scrape, clock, readings, beLate } = newMetrics()
    beLate()
    const first = await scrape()
    clock.ms += 5_000
    const second = await scrape()
    expect(readings).toHaveLength(1)
    for (const { text } of [first, second]) {
      expect(text).toMatch(/^counted 1$/m)
      expect(text).toMatch(/^read 0$/m)
    }
    readings[0]?.resolve(new Registry())
    await nextTurn()
    clock.ms += 5_000
    await scrape()
    expect(readings).toHaveLength(2)
  })
})
