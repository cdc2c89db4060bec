import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { sessionStorage } from '../../src/store/chats/chats.ts'
import { newDatabaseUrl } from '../support/database.ts'

const newStorage = async () => {
  const { client, close } = await openDatabase(await newDatabaseUrl())
  onTestFinished(close)
  let clock = 0
  const storage = sessionStorage<{ question?: string }>(client, () => new Date(++clock))
  return { storage, rows: () => client.session.findMany() }
}

describe('the session of a chat', () => {
  test('can be stored, changed, emptied and deleted', async () => {
    const { storage } = await newStorage()
    expect(await storage.read('7')).toEqual({})
    for (const session of [{ question: 'key' }, { question: 'phone' }, {}]) {
      await storage.write('7', session)
      expect(await storage.read('7')).toEqual(session)
    }
    await storage.delete('7')
    expect(await storage.read('7')).toEqual({})
  })

  test('is not written if it has not changed', async () => {
    const { storage, rows } = await newStorage()
    await storage.write('7', {})
    expect(await rows()).toEqual([])
    await storage.write('7', { question: 'key' })
    const before = await rows()
    await storage.write('7', { question: 'key' })
    expect(await rows()).toEqual(before)
  })
})
