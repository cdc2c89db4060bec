import { expect, test } from 'vitest'
import { createKeyLocks } from '../../src/database/key-locks.ts'

const patienceMs = 10_000

/** Work that runs until the test ends it, and the names of the work that is running. */
const stage = () => {
  const running = new Set<string>()
  const ends = new Map<string, () => void>()
  return {
    running,
    end: async (name: string) => {
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
    work: (name: string) => async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.add(name)
      ends.set(name, resolve)
      await promise
      running.delete(name)
      return name
    },
  }
}

const settled = () => new Promise(setImmediate)

test('a locked task runs next to tasks with other keys, and after earlier tasks with the same key', async () => {
  const exclusively = createKeyLocks(Number.POSITIVE_INFINITY, patienceMs)
  const { running, end, work } = stage()
  const done = [
    exclusively(['a'], work('1')),
    exclusively(['b'], work('2')),
    exclusively(['a', 'b'], work('3')),
    exclusively(['b'], work('4')),
    exclusively([], work('5')),
  ]
  await settled()
  expect(running).toEqual(new Set(['1', '2', '5']))
  await end('2')
  expect(running).toEqual(new Set(['1', '5']))
  await end('1')
  expect(running).toEqual(new Set(['5', '3']))
  await end('3')
  expect(running).toEqual(new Set(['5', '4']))
  await end('4')
  await end('5')
  expect(await Promise.all(done)).toEqual(['1', '2', '3', '4', '5'])
})

test('a locked task that fails passes its turn on to the next task', async () => {
  const exclusively = createKeyLocks(1, patienceMs)
  const failing = exclusively(['a'], async () => {
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await exclusively(['a'], async () => 'next')).toBe('next')
})

test('no more than the allowed number of locked tasks run at the same time, whatever their keys', async () => {
  const exclusively = createKeyLocks(2, patienceMs)
  const { running, end, work } = stage()
  for (const key of ['1', '2', '3']) void exclusively([key], work(key))
  await settled()
  expect(running).toEqual(new Set(['1', '2']))
  await end('1')
  expect(running).toEqual(new Set(['2', '3']))
  for (const key of ['2', '3']) await end(key)
})

test('a locked task that has waited too long is refused, never runs and delays no other task', async () => {
  const exclusively = createKeyLocks(1, 20)
  const { running, end, work } = stage()
  const first = exclusively(['a'], work('1'))
  await expect(exclusively(['a'], work('2'))).rejects.toMatchObject({ code: '55P03' })
  await end('1')
  await first
  expect(running).toEqual(new Set([]))
  expect(await exclusively(['a'], async () => 'next')).toBe('next')
})
