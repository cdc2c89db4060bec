import { expect, test } from 'vitest'
import type { Alert } from '../../../../src/store/chats/alerts.ts'
import { createDiskAlert } from '../../../../src/telegram/chat/alerts/disk-alert.ts'
import type { Sent } from '../../../../src/telegram/chat/sender.ts'

/** The disk alert with a disk, a Telegram and a database that can be made to fail. */
const newAlert = (operatorIds: number[]) => {
  const world = {
    isShort: true,
    isFull: false,
    isDying: false,
    unreached: new Set<number>(),
    refusing: new Set<number>(),
  }
  const rows = new Map<number, Alert>()
  const told: string[] = []
  const send = async (chatId: number): Promise<Sent> => {
    if (world.isDying) throw new Error('the process dies')
    if (world.refusing.has(chatId)) return { kind: 'failed', refusal: { kind: 'blocked' } }
    if (world.unreached.has(chatId)) return { kind: 'failed', refusal: { kind: 'unknown', reason: '502' } }
    told.push(`${chatId} short`)
    return { kind: 'sent', messageId: told.length }
  }
  const save = (alert: Alert) => {
    if (world.isFull) throw new Error('the disk is full')
    rows.set(alert.chatId, alert)
  }
  /** Simulates a restart of the bot. */
  const start = () =>
    createDiskAlert({
      alerts: {
        standing: async () => [...rows.values()],
        remember: async (_, alert) => save(alert),
        forget: async (_, chatId) => void rows.delete(chatId),
        end: async (_, unsaved = []) => {
          for (const alert of unsaved) save(alert)
          for (const { chatId, messageId } of rows.values()) told.push(`${chatId} over ${messageId}`)
          rows.clear()
        },
      },
      sender: { send },
      operatorIds,
      now: () => new Date(0),
    })
  let tellOfDisk = start()
  const space = { bytes: () => 50_000_000, isShort: () => world.isShort }
  const look = () => tellOfDisk(space as unknown as Parameters<typeof tellOfDisk>[0]).catch(() => {})
  const restart = () => {
    tellOfDisk = start()
  }
  return { world, told, look, restart }
}

test('operators are warned once of a nearly full disk, even if the disk has no room to store the alert', async () => {
  const { world, told, look } = newAlert([1, 2])
  world.isFull = true
  for (let round = 0; round < 3; round += 1) await look()
  expect(told).toEqual(['1 short', '2 short'])
  world.isShort = false
  await look()
  expect(told).toHaveLength(2)
  world.isFull = false
  await look()
  await look()
  expect(told.slice(2)).toEqual(['1 over 1', '2 over 2'])
})

test('if one operator cannot be reached, the others are warned of a full disk once, and told when it is over', async () => {
  const { world, told, look } = newAlert([1, 2])
  world.unreached.add(2)
  for (let round = 0; round < 3; round += 1) await look()
  expect(told).toEqual(['1 short'])
  world.isShort = false
  await look()
  expect(told.splice(0)).toEqual(['1 short', '1 over 1'])
  world.isShort = true
  world.unreached.clear()
  await look()
  await look()
  expect(told).toEqual(['1 short', '2 short'])
})

test('an operator who blocked the bot is not warned of a full disk, and nobody is warned twice after a restart', async () => {
  const { world, told, look, restart } = newAlert([1, 2])
  world.refusing.add(2)
  await look()
  restart()
  await look()
  world.isShort = false
  await look()
  expect(told).toEqual(['1 short', '1 over 1'])
})

test('a disk warning whose sending was cut off by a crash is sent again, and closed when the disk has room', async () => {
  const { world, told, look, restart } = newAlert([1])
  world.isDying = true
  await look()
  world.isDying = false
  restart()
  await look()
  expect(told).toEqual(['1 short'])
  world.isShort = false
  await look()
  expect(told.slice(1)).toEqual(['1 over 1'])
})

test('a disk warning that may have reached a chat before a crash is closed by the next process', async () => {
  const { world, told, look, restart } = newAlert([1])
  world.isDying = true
  await look()
  world.isDying = false
  world.isShort = false
  restart()
  await look()
  expect(told).toEqual(['1 over null'])
})
