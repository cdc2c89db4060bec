import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/database/database.ts'
import { createStore } from '../../src/store/store.ts'
import { type Figure, median } from './figure.ts'
import { openRaw } from './fill.ts'

const [few, many] = [1_000, 300_000]
const runs = 30
/** To how many chats they are owed. */
const spreads = [300, 30_000]

/** Finding whose turn it is takes as long with very many notices as with few. */
export const owed = async (): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const chats of spreads) {
    const [baseline, bot] = [await timeWith(few, chats), await timeWith(many, chats)]
    const what = `the next found of ${many.toLocaleString('en')} notices to ${chats.toLocaleString('en')} chats`
    const against = `the same with ${few.toLocaleString('en')} notices`
    figures.push({ what, unit: 'ms', bot, baseline, against, goal: { ratioUnder: 5 } })
  }
  return figures
}

/** The middle one of many runs, ms. */
const timeWith = async (notices: number, chats: number): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-bench-'))
  const path = join(folder, 'bundlegram.db')
  try {
    await (await openDatabase(`file:${path}`)).close()
    owe(path, notices, chats)
    const database = await openDatabase(`file:${path}`)
    const store = createStore(database)
    const times: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const startedAt = performance.now()
      await store.notices.dueChats(new Date(), 100)
      times.push(performance.now() - startedAt)
    }
    await database.close()
    return median(times)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const owe = (path: string, notices: number, chats: number): void => {
  const database = openRaw(path)
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${notices - 1})
    INSERT INTO "Notice" ("chatId", "subject", "kind", "data", "createdAt")
    SELECT 1 + i % ${chats}, 'order:o', 'announce', '{}', '2026-11-21T10:00:00.000+00:00' FROM n`)
  database.close()
}
