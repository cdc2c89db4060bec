import { expect, test } from 'vitest'
import { createDiskAlarm } from '../../src/telegram/disk-alarm.ts'
import type { Sender, Sent } from '../../src/telegram/sender.ts'

/** The alarm before a disk, a Telegram and a database that fail as is said. */
const newAlarm = (operatorIds: number[]) => {
  const world = { isShort: true, isFull: false, unreached: new Set<number>() }
  const facts = new Map<string, string>()
  const told: string[] = []
  const send = async (chatId: number): Promise<Sent> => {
    if (world.unreached.has(chatId)) return { kind: 'failed', refusal: { kind: 'unknown', reason: '502' } }
    told.push(`${chatId} ${world.isShort ? 'short' : 'room'}`)
    return { kind: 'sent', messageId: 1 }
  }
  const tellOfDisk = createDiskAlarm({
    facts: {
      fact: async (name) => facts.get(name) ?? null,
      setFact: async (name, value) => {
        if (world.isFull) throw new Error('the disk is full')
        facts.set(name, value)
      },
    },
    sender: { send } as unknown as Sender,
    operatorIds,
  })
  const space = { bytes: () => 50_000_000, isShort: () => world.isShort }
  const look = () => tellOfDisk(space as unknown as Parameters<typeof tellOfDisk>[0]).catch(() => {})
  return { world, facts, told, look }
}

test('while the disk takes not even the note of it, operators are told once all the same', async () => {
  const { world, told, look } = newAlarm([1, 2])
  world.isFull = true
  for (let round = 0; round < 3; round += 1) await look()
  expect(told).toEqual(['1 short', '2 short'])
  world.isShort = false
  await look()
  world.isFull = false
  await look()
  expect(told.slice(2)).toEqual(['1 room', '2 room'])
})

test('while one operator cannot be reached the others are told once, and nobody is told of an end they know nothing of', async () => {
  const { world, facts, told, look } = newAlarm([1, 2])
  world.unreached.add(2)
  for (let round = 0; round < 3; round += 1) await look()
  expect(told).toEqual(['1 short'])
  world.unreached.clear()
  await look()
  await look()
  expect([told.slice(1), [...facts.values()]]).toEqual([['2 short'], ['told']])
  world.isShort = false
  world.unreached.add(1)
  await look()
  world.isShort = true
  await look()
  expect(told.slice(2)).toEqual(['2 room', '2 short'])
})
