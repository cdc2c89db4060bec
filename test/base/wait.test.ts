import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLoop } from '../../src/base/loop.ts'
import { timerMs, wait } from '../../src/base/wait.ts'

/** How long the waits last, ms. There are so many that with Node's own timer some of them would end early. */
const lengths = Array.from({ length: 400 }, (_, index) => 5 + (index % 40) * 1.37)

test('a wait never ends before its time', async () => {
  const early: number[] = []
  const waits = lengths.map(async (ms) => {
    await wait(Math.random() * 20)
    const startedMs = performance.now()
    await wait(ms)
    if (performance.now() - startedMs < ms) early.push(ms)
  })
  await Promise.all(waits)
  expect(early).toEqual([])
})

test('the pause of a loop never ends before its time', async () => {
  let endedMs: number | null = null
  const early: number[] = []
  const rounds = Promise.withResolvers<void>()
  let round = 0
  const loop = createLoop({
    everyMs: 3.3,
    work: async () => {
      if (endedMs !== null && performance.now() - endedMs < 3.3) early.push(round)
      round += 1
      // Keeps the thread busy for a moment, so that the pauses begin at different moments within a millisecond.
      for (const untilMs = performance.now() + (round % 10) / 10; performance.now() < untilMs; );
      if (round === 100) rounds.resolve()
      endedMs = performance.now()
    },
    onError: rounds.reject,
  })
  loop.start()
  await rounds.promise
  await loop.stop()
  expect(early).toEqual([])
})

test('a wait can be ended by its signal, and even the longest possible wait does not end immediately', async () => {
  const stop = new AbortController()
  const waiting = wait(2 ** 31 - 1, 'over', { signal: stop.signal })
  const first = await Promise.race([waiting, wait(20, 'still waiting')])
  expect(first).toBe('still waiting')
  stop.abort()
  await expect(waiting).rejects.toThrow()
  expect(timerMs(2 ** 31 - 1)).toBe(2 ** 31 - 1)
})

test('nothing in the bot waits with Node’s own timer, which may end early', () => {
  const files = globSync('src/**/*.ts', {
    exclude: ['src/base/wait.ts', 'src/database/client/**', 'src/sandbox/**', 'src/provider/**'],
  })
  expect(files.length).toBeGreaterThan(300)
  const byNode = files.filter((file) => /setTimeout.*timers\/promises/.test(readFileSync(file, 'utf8')))
  expect(byNode).toEqual([])
})
