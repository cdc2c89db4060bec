import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { createStore, type WholeStore } from '../../src/store/store.ts'
import { newFolder } from './folder.ts'

/** The address of a database that does not exist yet; what is there when the test ends is removed. */
export const newDatabaseUrl = async (): Promise<string> => {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return `file:${join(folder, 'test.db')}`
}

/** A real, empty, migrated database of the test's own. */
export const newStore = async (): Promise<WholeStore> => {
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  return createStore(database)
}
