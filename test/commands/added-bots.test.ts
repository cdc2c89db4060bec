import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readToken, sealToken } from '../../src/accounts/bot-tokens.ts'
import type { Config } from '../../src/config.ts'
import { addedDatabaseUrl } from '../../src/database/added-databases.ts'
import { openDatabase } from '../../src/database/database.ts'
import { readPostgresUrl } from '../../src/database/postgres-url.ts'
import { examineBots } from '../../src/doctor/bots.ts'
import { inspect } from '../../src/doctor/database.ts'
import { createStore, type WholeStore } from '../../src/store/store.ts'
import { createKeyring, keysOfBot } from '../../src/wallets/keyring.ts'
import { runCommand } from '../support/command.ts'
import { newDatabaseUrl, testedKind } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { dropSchema } from '../support/new-schema.ts'
import { connectAccount } from '../support/sealed-account.ts'

/** The operator's commands know the databases of added bots. */

const botId = 7_000_000_002
const token = `${botId}:AAF-abcdefghijklmnopqrstuvwxyz_1`
const [older, newer] = [randomBytes(32), randomBytes(32)]
const written = (...keys: Buffer[]): string => keys.map((key) => key.toString('base64')).join(',')

const inStore = async <T>(url: string, work: (store: WholeStore) => Promise<T>): Promise<T> => {
  const database = await openDatabase(url)
  try {
    return await work(createStore(database))
  } finally {
    await database.close()
  }
}

/** A main database and that of a bot, each with an account under the older key. */
const newDeployment = async () => {
  const main = await newDatabaseUrl()
  const added = addedDatabaseUrl(main, botId) ?? ''
  if (testedKind === 'postgresql') onTestFinished(() => dropSchema(added))
  const keyring = createKeyring([older])
  await inStore(main, async (store) => {
    await connectAccount(store, keyring, 'main-account')
    await store.bots.add({
      ...{
        id: botId,
        username: 'kofi_data_bot',
        sealedToken: sealToken(keyring, botId, token),
        accountId: null,
        ownerIds: [1],
      },
      ...{ addedAt: new Date(), startedAt: new Date(), stopped: null },
    })
  })
  await inStore(added, (store) => connectAccount(store, createKeyring(keysOfBot([older], botId)), 'account'))
  const env = { DATABASE_URL: main, CREDENTIALS_KEY: written(newer, older) }
  return { main, added, env }
}

test('rotate-key seals accounts of every bot, and the bots’ tokens, under the first key', async () => {
  const { main, added, env } = await newDeployment()
  const check = await runCommand('rotate-key', ['--check'], env)
  expect(check).toMatchObject({ code: 1 })
  expect(check.err).toContain(`bot ${botId}: its token is not sealed under the first key`)
  const rotated = await runCommand('rotate-key', [], env)
  expect(rotated).toMatchObject({ code: 0 })
  expect(rotated.out).toMatch(
    /1 account, of which 1 sealed[\s\S]*Added bot 7000000002\n1 account, of which 1 sealed/,
  )
  await inStore(main, async (store) => {
    const [row] = await store.bots.all()
    expect(row && readToken(createKeyring([newer]), row)).toBe(token)
  })
  await inStore(added, async (store) => {
    const [account] = await store.credentials.page('', 1)
    expect(account?.sealedSecret).toContain(createKeyring(keysOfBot([newer], botId)).keyIds[0])
  })
})

const onSqlite = testedKind === 'sqlite'

test.runIf(onSqlite)('backup copies every database, and restored marks every one', async () => {
  const { env } = await newDeployment()
  const copy = join(await newFolder(), 'copy.db')
  const made = await runCommand('backup', [copy], env)
  expect(made).toMatchObject({ code: 0 })
  expect(made.out.match(/the database as of/g)).toHaveLength(2)
  const copyOfBot = join(`${copy}.bots`, `${botId}.db`)
  expect(statSync(copyOfBot).mode & 0o077).toBe(0)

  const elsewhere = join(await newFolder(), 'bundlegram.db')
  mkdirSync(join(dirname(elsewhere), 'bots'))
  copyFileSync(copy, elsewhere)
  copyFileSync(copyOfBot, join(dirname(elsewhere), 'bots', `${botId}.db`))
  const marked = await runCommand('restored', ['--at', '2026-01-01T00:00Z'], {
    DATABASE_URL: `file:${elsewhere}`,
  })
  expect(marked).toMatchObject({ code: 0 })
  expect(marked.out.match(/marked as a copy of 2026-01-01/g)).toHaveLength(2)
})

const onPostgresql = test.runIf(testedKind === 'postgresql')

onPostgresql('backup names the schemas of bots for pg_dump, and restored marks every one', async () => {
  const { main, added, env } = await newDeployment()
  const { schema } = readPostgresUrl(main)
  const told = await runCommand('backup', ['bundlegram.dump'], env)
  expect(told.err).toContain(`--schema=${schema} --schema='${schema}_bot[0-9]*'`)
  const marked = await runCommand('restored', ['--at', '2026-01-01T00:00Z'], env)
  expect(marked).toMatchObject({ code: 0 })
  expect(marked.out.match(/marked as a copy of 2026-01-01/g)).toHaveLength(2)
  expect(marked.out).toContain(`schema ${readPostgresUrl(added).schema}: marked`)
})

test('doctor looks at each bot’s database, and misses one that is gone', async () => {
  const { main, added } = await newDeployment()
  const config = { databaseUrl: main, credentialsKeys: [older], telegram: { apiRoot: 'http://127.0.0.1:1' } }
  const look = async () =>
    (await examineBots(config as unknown as Config, createKeyring([older]), await inspect(main))).map(
      ({ grade, what, finding }) => `${grade} ${what}: ${finding}`,
    )
  expect(await look()).toEqual([`ok bot ${botId}: @kofi_data_bot: its token and its database are well`])
  await (testedKind === 'postgresql' ? dropSchema(added) : rm(added.slice('file:'.length)))
  expect(await look()).toEqual([expect.stringMatching(new RegExp(`^fail bot ${botId}: .* is missing$`))])
})
