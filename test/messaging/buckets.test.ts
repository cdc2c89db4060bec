import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Rates } from '../../src/messaging/buckets.ts'
import { createRates, waitOf } from '../../src/messaging/buckets.ts'

const bucket = { costMs: 1_000, burst: 3 }

const onClock = () => {
  const clock = { ms: 0 }
  return { clock, rates: createRates(() => clock.ms) }
}

const waitFor = async (rates: Rates, name: string) => waitOf(await rates.take(name, bucket), bucket)

describe('the rate limits in one process', () => {
  test('admit a burst immediately and then one use per interval, for each name separately', async () => {
    const { clock, rates } = onClock()
    const waits = [await waitFor(rates, 'a'), await waitFor(rates, 'a'), await waitFor(rates, 'a')]
    expect(waits).toEqual([0, 0, 0])
    expect(await waitFor(rates, 'a')).toBe(1_000)
    expect(await waitFor(rates, 'b')).toBe(0)
    clock.ms += 2_000
    expect(await waitFor(rates, 'a')).toBe(0)
  })

  test('charge nothing for a try that they refuse', async () => {
    const { clock, rates } = onClock()
    for (let taken = 0; taken < 3; taken += 1) expect(await rates.tryTake('a', bucket)).toBe(0)
    for (let refused = 0; refused < 5; refused += 1) expect(await rates.tryTake('a', bucket)).toBe(1_000)
    clock.ms += 1_000
    expect(await rates.tryTake('a', bucket)).toBe(0)
  })

  test('admit nothing for a while after the provider demanded a wait, and no burst after that', async () => {
    const { rates } = onClock()
    await rates.drain('a', bucket, 5_000)
    expect([await waitFor(rates, 'a'), await waitFor(rates, 'a')]).toEqual([5_000, 6_000])
  })

  test('never admit more than allowed, at whatever times it is tried', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3_000), { maxLength: 60 }), async (gaps) => {
        const { clock, rates } = onClock()
        const times: number[] = []
        for (const gap of gaps) {
          clock.ms += gap
          if ((await rates.tryTake('a', bucket)) === 0) times.push(clock.ms)
        }
        const most = Math.max(
          0,
          ...times.map((from) => times.filter((time) => time >= from && time < from + 10_000).length),
        )
        expect(most).toBeLessThanOrEqual(bucket.burst + 10)
      }),
    )
  })
})

test('a message that needs room in two rate limits charges the second only if neither demands a wait', async () => {
  const { clock, rates } = onClock()
  const [first, second] = [
    { name: 'a', ...bucket },
    { name: 'b', ...bucket, burst: 2 },
  ]
  const taken = async () => (await rates.takeBoth(first, second)).isBoth
  expect([await taken(), await taken(), await taken()]).toEqual([true, true, false])
  clock.ms += bucket.costMs
  await rates.drain('a', bucket, 5_000)
  expect(await taken()).toBe(false)
  expect(await rates.tryTake('b', second)).toBe(0)
})
