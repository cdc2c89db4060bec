import { describe, expect, test } from 'vitest'
import { simulate } from './simulation.ts'

/** Two seeds that end soon. `npm run simulate` runs more seeds, with more purchases, and the mutations. */
const seeds = [5, 8]

describe('every promise holds under simulated faults, crashes and sequences of events', () => {
  test.each(seeds)('with seed %i', async (seed) => {
    const { broken, debits } = await simulate({ seed, purchases: 10 })
    expect(broken).toBe(null)
    expect(debits).toBeGreaterThan(0)
  })
}, 240_000)

test('a simulation’s result keeps nothing of its run in memory', async () => {
  const result = await simulate({ seed: 5, purchases: 1 })
  expect(structuredClone(result)).toStrictEqual(result)
})

test('a seed of the simulation always replays the same events', async () => {
  const [first, second] = [
    await simulate({ seed: 5, purchases: 3, instances: 3, traced: true }),
    await simulate({ seed: 5, purchases: 3, instances: 3, traced: true }),
  ]
  expect(first.trace.length).toBeGreaterThan(100)
  expect(second.trace).toEqual(first.trace)
}, 240_000)
