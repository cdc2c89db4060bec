import { expect, test } from 'vitest'
import { createClock } from '../../src/base/clock.ts'

/** A process whose own clock is wrong by `skewMs`. Its database takes `tookMs` to tell the right time. */
const sceneOf = (skewMs: number, tookMs: number) => {
  let trueMs = 1_000_000
  const ask = async () => {
    trueMs += tookMs / 2
    const told = new Date(trueMs)
    trueMs += tookMs / 2
    return told
  }
  const clock = createClock(
    ask,
    () => trueMs + skewMs,
    () => trueMs,
  )
  return { clock, errorMs: () => clock.now().getTime() - trueMs }
}

test('processes with different clocks agree on their database’s time', async () => {
  for (const skewMs of [-90_000, -300, 0, 7_000]) {
    const { clock, errorMs } = sceneOf(skewMs, 20)
    expect(errorMs()).toBe(skewMs)
    await clock.measure()
    expect(errorMs()).toBe(0)
  }
})

test('a database’s time that took long to arrive is ignored, because the process may have been suspended', async () => {
  const { clock, errorMs } = sceneOf(300, 30_000)
  await clock.measure()
  expect(errorMs()).toBe(300)
})

test('a process that shares its database with no other goes by its own clock', async () => {
  const clock = createClock(null, () => 5_000)
  await clock.measure()
  expect(clock.now().getTime()).toBe(5_000)
})
