import { expect, test } from 'vitest'
import { createCallbackLimit } from '../../src/messaging/callback-limit.ts'

/**
 * A limit on callbacks of orders. Admitted callbacks are stored immediately. `asked` counts how often the database is
 * asked for an order's count.
 */
const newLimit = (most: number) => {
  const kept = new Map<string, number>()
  let asked = 0
  const limit = createCallbackLimit(async (orderId) => {
    asked += 1
    return kept.get(orderId) ?? 0
  }, most)
  const add = async (orderId: string, isNew = true): Promise<boolean> => {
    if (!(await limit.hasRoom(orderId))) return false
    if (isNew) kept.set(orderId, (kept.get(orderId) ?? 0) + 1)
    return true
  }
  return { add, kept, asked: () => asked }
}

const addAll = async (count: number, add: () => Promise<boolean>): Promise<number> => {
  let taken = 0
  for (let index = 0; index < count; index += 1) if (await add()) taken += 1
  return taken
}

test('an order takes a fixed number of callbacks, and further ones are refused without a query', async () => {
  const { add, asked } = newLimit(180)
  expect(await addAll(1_000, () => add('a'))).toBe(180)
  const looked = asked()
  expect(looked).toBeLessThan(6)
  await addAll(1_000, () => add('a'))
  expect(asked()).toBe(looked)
})

test('a flood of callbacks about one order takes no room from another order', async () => {
  const { add } = newLimit(60)
  await addAll(500, () => add('a'))
  expect(await addAll(500, () => add('b'))).toBe(60)
})

test('the few callbacks that an order usually gets cost no query', async () => {
  const { add, asked } = newLimit(2_000)
  for (let order = 0; order < 100; order += 1) await addAll(20, () => add(String(order)))
  expect(asked()).toBe(0)
})

test('repeated callbacks about an order do not count towards its limit', async () => {
  const { add, kept } = newLimit(100)
  await add('a')
  expect(await addAll(2_000, () => add('a', false))).toBe(2_000)
  expect(kept.get('a')).toBe(1)
  expect(await addAll(1_000, () => add('a'))).toBeGreaterThanOrEqual(99)
  expect(kept.get('a')).toBeLessThanOrEqual(150)
})

test('an order whose callbacks reached the limit takes no more, even after a flood about other orders', async () => {
  const { add, kept } = newLimit(120)
  await addAll(200, () => add('a'))
  for (let order = 0; order < 11_000; order += 1) await add(`other ${order}`)
  await addAll(200, () => add('a'))
  expect(kept.get('a')).toBeLessThanOrEqual(170)
})

test('the limit of callbacks reports an error if an order’s callbacks cannot be counted', async () => {
  const limit = createCallbackLimit(async () => {
    throw new Error('no database')
  })
  for (let count = 0; count < 50; count += 1) expect(await limit.hasRoom('a')).toBe(true)
  await expect(limit.hasRoom('a')).rejects.toThrow('no database')
  await expect(limit.hasRoom('a')).rejects.toThrow('no database')
})
