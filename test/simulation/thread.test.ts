// @module-tag exhaustive
import { expect, test } from 'vitest'
import type { Noticed } from './mutations.ts'
import { type Result, simulate } from './simulation.ts'
import { shareOut } from './thread.ts'

/** The results of the seeds, which are divided among the threads. */
const resultsOf = async (threads: number, seeds: number[]): Promise<Result[]> => {
  const left = [...seeds]
  const results: Result[] = []
  await shareOut(
    threads,
    () => left.shift() ?? null,
    async (thread, seed) => {
      results.push(await thread.simulate({ seed, purchases: 1 }))
    },
  )
  return results.sort((a, b) => a.seed - b.seed)
}

test('two threads of the simulation find the same results as one', async () => {
  const seeds = [5, 8]
  const alone = []
  for (const seed of seeds) alone.push(await simulate({ seed, purchases: 1 }))
  expect(await resultsOf(2, seeds)).toEqual(alone)
}, 240_000)

/** What two threads report about a missing safeguard. */
const noticedBy = async (safeguard: string): Promise<Noticed | null> => {
  const left = [safeguard]
  const found: (Noticed | null)[] = []
  await shareOut(
    2,
    () => left.pop() ?? null,
    async (thread, each) => {
      found.push(await thread.notice(each, false))
    },
  )
  return found[0] ?? null
}

test('a thread of the simulation can take out one of the bot’s safeguards by its name', async () => {
  expect((await noticedBy('the compare-and-set on the purchase'))?.seed).toBe(1)
}, 240_000)

test('an error in a thread of the simulation reaches its caller', async () => {
  await expect(noticedBy('nothing')).rejects.toThrow('There is no mutation “nothing”.')
}, 240_000)
