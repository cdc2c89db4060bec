// @module-tag process
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountHash } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { type Ended, runCommand } from '../support/bot/command.ts'
import { newDatabaseUrl } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { connectAccount } from '../support/sealed-account.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const written = (...keys: Buffer[]): string => keys.map((key) => key.toString('base64')).join(',')
const both = written(newer, older)

const inStore = async <T>(url: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const database = await openDatabase(url)
  try {
    return await work(createStore(database))
  } finally {
    await database.close()
  }
}

/** A database with this number of accounts under the older key. */
const databaseOf = async (accounts: number): Promise<string> => {
  const url = await newDatabaseUrl()
  await inStore(url, async (store) => {
    for (let number = 1; number <= accounts; number += 1)
      await connectAccount(store, createKeyring([older]), `account-${number}`)
  })
  return url
}

/** Removes the lines about progress, which the command prints only if it takes long, as on a busy machine. */
const withoutProgress = (err: string): string => err.replace(/^\d+% .*\n/gm, '')

/** Runs the command, and checks that it prints neither a key nor a credential. */
const run = async (url: string, keys: string, args: string[] = [], crashFile?: string): Promise<Ended> => {
  const env = { DATABASE_URL: url, CREDENTIALS_KEY: keys }
  const ended = await runCommand('rotate-key', args, env, crashFile)
  for (const secret of [...both.split(','), 'key of account', 'secret of account'])
    expect(ended.out + ended.err).not.toContain(secret)
  return { ...ended, err: withoutProgress(ended.err) }
}

describe('npm run rotate-key', () => {
  test('encrypts all accounts with the first key, and says that the older keys can be removed', async () => {
    const url = await databaseOf(3)
    const first = await run(url, both)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(
      /^3 accounts, 3 re-encrypted by this run\n {2}key 1 \(\S{8}\): 3\n {2}key 2 \(\S{8}\): 0\n/,
    )
    expect(first.out).toMatch(
      /You can remove the older keys from CREDENTIALS_KEY\.[\s\S]*links to orders shared before 20[\s\S]*backups from before 20/,
    )
    const second = await run(url, written(newer))
    expect(second).toMatchObject({ code: 0, err: '' })
    expect(second.out).toContain('3 accounts, 0 re-encrypted')
  })

  test('encrypts all accounts in the end, even if each run is killed after a single account', {
    tags: 'killed',
  }, async () => {
    const accounts = 6
    const url = await databaseOf(accounts)
    const crashFile = join(await newFolder(), 'crash.json')
    for (let done = 1; done <= accounts; done += 1) {
      writeFileSync(crashFile, JSON.stringify({ at: 'account_resealed' }))
      expect(await run(url, both, [], crashFile)).toMatchObject({ code: null, out: '' })
      expect(existsSync(crashFile)).toBe(false)
      const check = await run(url, both, ['--check'])
      expect(check.out).toMatch(
        new RegExp(`key 1 \\(\\S+\\): ${done}\\n {2}key 2 \\(\\S+\\): ${accounts - done}\\n`),
      )
      expect(check.code).toBe(done === accounts ? 0 : 1)
    }
    expect(await run(url, both)).toMatchObject({ code: 0, err: '' })
  })

  test('encrypts each account only once even if two runs overlap', async () => {
    const url = await databaseOf(40)
    const runs = await Promise.all([run(url, both), run(url, both)])
    expect(runs).toMatchObject([{ code: 0 }, { code: 0 }])
    const sealed = runs.map(({ out }) => Number(/(\d+) re-encrypted/.exec(out)?.[1]))
    expect((sealed[0] ?? 0) + (sealed[1] ?? 0)).toBe(40)
  })

  test('with --check changes nothing, and exits with 1 as long as accounts have an older key', async () => {
    const url = await databaseOf(2)
    const rows = () => inStore(url, ({ credentials }) => credentials.page('', 9))
    const before = await rows()
    const { code, out, err } = await run(url, both, ['--check'])
    expect(err).toBe('2 accounts not encrypted with the first key: run npm run rotate-key\n')
    expect(out).toMatch(/^2 accounts\n[\s\S]*keep every key in the list\.\n$/)
    expect(code).toBe(1)
    expect(await rows()).toEqual(before)
  })

  test('names the accounts that no key decrypts, encrypts all others, and exits with 1', async () => {
    const url = await databaseOf(2)
    await inStore(url, (store) => connectAccount(store, createKeyring([randomBytes(32)]), 'foreign'))
    const { code, out, err } = await run(url, both)
    expect(err).toMatch(
      new RegExp(
        `^account ${accountHash('foreign')}: no key in CREDENTIALS_KEY opens its credentials\\. .*\n$`,
      ),
    )
    expect(out).toMatch(
      /2 re-encrypted[\s\S]*a key that is not listed \(\S{8}\): 1\n[\s\S]*Keep the older keys/,
    )
    expect(code).toBe(1)
  })

  test('does nothing if the database does not exist, and creates none', async () => {
    const path = join(await newFolder(), 'none.db')
    const { code, err } = await run(`file:${path}`, both)
    expect(err).toMatch(/none\.db: there is no such database/)
    expect(code).toBe(1)
    expect(existsSync(path)).toBe(false)
  })

  test.each([
    ['is missing', '', /CREDENTIALS_KEY: is missing, for example/],
    ['is cut short', both.slice(0, -4), /CREDENTIALS_KEY: is not 32 bytes in base64/],
  ])('says that the key %s, and prints no part of the key', async (_what, keys, words) => {
    const { code, out, err } = await run(await databaseOf(1), keys)
    expect(err).toMatch(words)
    expect(err).not.toContain(both.slice(0, 8))
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })

  test('explains itself with --help', async () => {
    const { code, out } = await runCommand('rotate-key', ['--help'])
    expect(out).toMatch(/npm run rotate-key -- \[options\][\s\S]*--check/)
    expect(code).toBe(0)
  })
})
