import { expect, test, vi } from 'vitest'
import { createLoop } from '../../src/base/loop.ts'

const never = 2 ** 31 - 1

/** A loop whose rounds are counted. `work` gets the number of the round. */
const counted = (
  everyMs: number,
  work: (round: number) => Promise<void> = async () => {},
  restMs?: number,
) => {
  const seen = { rounds: 0, errors: [] as unknown[] }
  const loop = createLoop({
    everyMs,
    ...(restMs !== undefined && { restMs }),
    work: () => work(++seen.rounds),
    onError: (error) => seen.errors.push(error),
  })
  return { loop, seen }
}

const until = (what: () => void) => vi.waitFor(what, { timeout: 30_000, interval: 1 })

test('a loop’s first round begins immediately, and the next one after the interval', async () => {
  const { loop, seen } = counted(1)
  loop.start()
  expect(seen.rounds).toBe(1)
  await until(() => expect(seen.rounds).toBeGreaterThan(3))
  await loop.stop()
})

test('a loop that is woken between rounds begins the next round immediately', async () => {
  const { loop, seen } = counted(never)
  loop.start()
  for (let round = 2; round < 6; round += 1) {
    // One turn of the event loop later, the round has ended and the pause before the next one has begun.
    await new Promise(setImmediate)
    loop.wake()
    await until(() => expect(seen.rounds).toBe(round))
  }
  await loop.stop()
})

test('a loop that is woken several times during a round runs one more round', async () => {
  const gate = Promise.withResolvers<void>()
  const { loop, seen } = counted(never, (round) => (round === 1 ? gate.promise : Promise.resolve()))
  loop.start()
  loop.wake()
  loop.wake()
  gate.resolve()
  await until(() => expect(seen.rounds).toBe(2))
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  expect(seen.rounds).toBe(2)
  await loop.stop()
})

test('a loop reports a round that fails, and continues', async () => {
  const failure = new Error('no database')
  const { loop, seen } = counted(1, async (round) => {
    if (round === 1) throw failure
  })
  loop.start()
  await until(() => expect(seen.rounds).toBeGreaterThan(1))
  await loop.stop()
  expect(seen.errors).toEqual([failure])
})

test('a loop that is stopped finishes its current round and begins no other', async () => {
  const gate = Promise.withResolvers<void>()
  const { loop, seen } = counted(1, () => gate.promise)
  loop.start()
  loop.wake()
  let stopped = false
  const stop = loop.stop().then(() => {
    stopped = true
  })
  await new Promise(setImmediate)
  expect(stopped).toBe(false)
  gate.resolve()
  await stop
  expect(seen.rounds).toBe(1)
})

test('a loop that was never started can be woken and stopped', async () => {
  const { loop, seen } = counted(1)
  loop.wake()
  await loop.stop()
  expect(seen.rounds).toBe(0)
})

test.each([
  ['begins the next round after the rest', 1, 2],
  ['begins no round before the end of the rest, but can be stopped', never, 1],
])('a loop that is woken during its rest %s', async (_, restMs, rounds) => {
  const { loop, seen } = counted(never, undefined, restMs)
  loop.start()
  loop.wake()
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  await until(() => expect(seen.rounds).toBe(rounds))
  await loop.stop()
  expect(seen.rounds).toBe(rounds)
})
