import { expect, test } from 'vitest'
import { keptMs, nextTry } from '../../../src/domain/times/unanswered.ts'

const createdAt = new Date('2026-11-21T10:00:00Z')
const after = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000)
const row = { createdAt, until: after(keptMs.order / 1000) }

test('an unanswered request is repeated after longer and longer waits, up to two minutes, until its time is over', () => {
  const waits: number[] = []
  for (let at = createdAt; ; ) {
    const next = nextTry(row, null, at)
    if (!next) break
    waits.push((next.getTime() - at.getTime()) / 1000)
    at = next
  }
  expect(waits.slice(0, 4)).toEqual([10, 10, 10, 15])
  expect(Math.max(...waits)).toBe(120)
  expect(waits.length).toBeLessThan(40)
})

test('an unanswered request waits for the end of the request limit, or is given up if that is too late', () => {
  expect(nextTry(row, 40_000, after(0))).toEqual(after(41))
  expect(nextTry(row, 2_000, after(0))).toEqual(after(10))
  expect(nextTry(row, 60 * 60_000, after(0))).toBeNull()
})
