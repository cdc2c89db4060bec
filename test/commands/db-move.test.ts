// @module-tag process
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { createStore } from '../../src/store/store.ts'
import { runCommand } from '../support/bot/command.ts'
import { newFolder } from '../support/folder.ts'

describe('npm run db:move', () => {
  const nowhere = 'postgresql://u:hunter2@127.0.0.1:1/b'
  const mistakes: [string, string[], Record<string, string>, RegExp][] = [
    [
      'no database is named',
      [],
      { DATABASE_URL: nowhere },
      /Name the SQLite database, for example: --from file:/,
    ],
    [
      'the source does not exist',
      ['--from', '/nowhere/b.db'],
      { DATABASE_URL: nowhere },
      /\/nowhere\/b\.db: there is no such database/,
    ],
    ['the source must be a SQLite database', ['--from', nowhere], {}, /--from must name the SQLite database/],
    [
      'the target must be a PostgreSQL database',
      ['--from', 'a.db', '--to', 'file:b.db'],
      {},
      /--to must name a PostgreSQL/,
    ],
    ['the target is named twice', ['--to', nowhere, '--to-file', 'x'], {}, /Use --to or --to-file, not both/],
    [
      'the file with the target’s address does not exist',
      ['--to-file', '/nowhere/secret'],
      {},
      /--to-file: cannot be read \(ENOENT\)/,
    ],
  ]

  test.each(mistakes)('says in a sentence without the password that %s', async (_what, args, env, words) => {
    const { code, out, err } = await runCommand('db-move', args, env)
    expect(err).toMatch(words)
    expect(err).not.toMatch(/ {4}at |hunter2/)
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })

  test('says without the password that nothing answers at the target’s address', async () => {
    const folder = await newFolder()
    onTestFinished(() => rm(folder, { recursive: true }))
    const [source, secret] = [`file:${join(folder, 'bundlegram.db')}`, join(folder, 'secret')]
    await (await openDatabase(source)).close()
    writeFileSync(secret, `${nowhere}\n`)
    const { code, err } = await runCommand('db-move', ['--from', source, '--to-file', secret])
    expect(err).toBe('127.0.0.1:1/b: nobody answers there: start PostgreSQL, or mend the address.\n')
    expect(code).toBe(1)
    const database = await openDatabase(source)
    expect(await createStore(database).copies.isMoved()).toBe(false)
    await database.close()
  })

  test('explains itself with --help', async () => {
    const { code, out } = await runCommand('db-move', ['--help'])
    expect(out).toMatch(/npm run db:move -- --from file:PATH[\s\S]*--verify/)
    expect(code).toBe(0)
  })
})
