import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFreeSpace, floorBytes, freeBytesOf } from '../../src/database/free-space.ts'

test('a disk counts as nearly full from the moment its free space is below a limit until it is well above that limit', async () => {
  let bytes: number | null = floorBytes
  const space = createFreeSpace(async () => bytes)
  const look = async (next: number | null) => {
    bytes = next
    return [await space.look(), space.isShort(), space.bytes()]
  }
  expect(await look(floorBytes)).toEqual([false, false, floorBytes])
  expect(await look(floorBytes - 1)).toEqual([true, true, floorBytes - 1])
  expect(await look(floorBytes + 1)).toEqual([false, true, floorBytes + 1])
  expect(await look(2 * floorBytes)).toEqual([true, false, 2 * floorBytes])
  expect(await look(null)).toEqual([false, false, null])
})

test('a disk whose free space cannot be read does not count as full', async () => {
  const space = createFreeSpace(() => Promise.reject(new Error('no such folder')))
  expect(await space.look()).toBe(false)
  expect([space.isShort(), space.bytes()]).toEqual([false, null])
})

test('free disk space is known for a database file, and unknown for a server', async () => {
  expect(await freeBytesOf(`file:${join(tmpdir(), 'bundlegram.db')}`)()).toBeGreaterThan(0)
  expect(await freeBytesOf('postgresql://bot@example.com/bundlegram')()).toBeNull()
  expect(await freeBytesOf('file::memory:')()).toBeNull()
})
