import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { csvOf } from '../../src/lists/files/written-csv.ts'
import { createStore } from '../../src/store/store.ts'
import { newFolder } from '../support/folder.ts'
import { databaseBytes } from '../support/world.ts'

/** Files that others on the machine could read, and traces of erased data. */

const now = new Date('2026-11-21T10:32:00Z')

const newPath = async (): Promise<string> => {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'bundlegram.db')
}

const modesOf = (path: string): string[] =>
  [path, `${path}-wal`, `${path}-shm`].map((file) => (statSync(file).mode & 0o777).toString(8))

test('the database’s files are readable only by their owner, even if they existed with other rights', async () => {
  const path = await newPath()
  const first = await openDatabase(`file:${path}`)
  await createStore(first).facts.write('any', 'thing')
  expect(modesOf(path)).toEqual(['600', '600', '600'])
  await first.close()
  writeFileSync(`${path}-wal`, '')
  for (const file of [path, `${path}-wal`]) chmodSync(file, 0o644)
  const second = await openDatabase(`file:${path}`)
  await createStore(second).facts.write('any', 'other')
  expect(modesOf(path)).toEqual(['600', '600', '600'])
  await second.close()
})

test('erased data is neither in a page of the database nor in its write-ahead log', async () => {
  const path = await newPath()
  const database = await openDatabase(`file:${path}`)
  onTestFinished(() => database.close())
  const store = createStore(database)
  const sealedSecret = 'v1.canary-of-a-sealed-secret'
  const row = { id: 'a', keyHash: 'h', sealedKey: 'k', sealedSecret, accountType: null, now }
  await store.accounts.insert(row)
  expect(await databaseBytes(path)).toContain(sealedSecret)
  await store.accounts.erase('a')
  await database.scrub()
  expect(await databaseBytes(path)).not.toContain(sealedSecret)
})

test('no cell of an exported CSV file becomes a formula if semicolons or tabs separate the cells', () => {
  const begin = fc.constantFrom('', 'a', ';', 'a;', 'a;"', 'a; ', '"', 'a\t', 'a\n', 'a;;')
  const formula = fc.constantFrom('=cmd()', '+1', '-1', '@SUM(A1)')
  fc.assert(
    fc.property(begin, formula, fc.string(), (before, cell, after) => {
      const csv = csvOf([['x', `${before}${cell}${after}`, 'y']])
      for (const delimiter of [';', '\t']) {
        const rows: string[][] = parse(csv, {
          bom: true,
          delimiter,
          relax_quotes: true,
          relax_column_count: true,
          quote: null,
        })
        const cells = rows.flat().map((each) => each.replace(/^[\s"]+/, ''))
        expect(cells.filter((each) => /^[=+\-@]/.test(each))).toEqual([])
      }
    }),
  )
})

test('the systemd unit, the compose file and the Docker image allow no core dump', () => {
  const read = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../../src/deploy/${name}`, import.meta.url)), 'utf8')
  expect(read('bundlegram.service')).toMatch(/^LimitCORE=0$/m)
  expect(read('compose.yaml')).toMatch(/ulimits:\n +core: 0/)
  expect(read('Dockerfile')).toMatch(/^ENTRYPOINT \["prlimit", "--core=0"\]$/m)
})
