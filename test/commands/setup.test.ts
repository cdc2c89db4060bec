// @module-tag process
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { runCommand } from '../support/bot/command.ts'
import { newFolder } from '../support/folder.ts'

const setUp = async (text?: string) => {
  const folder = await newFolder()
  const file = join(folder, '.env')
  if (text !== undefined) await writeFile(file, text)
  const run = () => runCommand('setup', [], {}, undefined, folder)
  return { file, run, settings: async () => parseEnv(await readFile(file, 'utf8')) }
}

const key = /^[A-Za-z0-9+/]{43}=$/

test('npm run setup creates a .env like .env.example with a new key, readable only by its owner', async () => {
  const { file, run, settings } = await setUp()
  const { code, out, err } = await run()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^Created \.env .*\nNext: set TELEGRAM_BOT_TOKEN, BUNDLE_API_URL in \.env/)
  const { CREDENTIALS_KEY, ...others } = await settings()
  expect(CREDENTIALS_KEY).toMatch(key)
  expect(out).not.toContain(CREDENTIALS_KEY)
  const { CREDENTIALS_KEY: none, ...example } = parseEnv(await readFile('.env.example', 'utf8'))
  expect({ none, ...others }).toEqual({ none: '', ...example })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('npm run setup never replaces an existing key', async () => {
  const { file, run } = await setUp()
  await run()
  const before = await readFile(file, 'utf8')
  expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') })
  expect(await readFile(file, 'utf8')).toBe(before)
})

test.each([
  ['is empty', 'PORT=1\nCREDENTIALS_KEY= # none yet\nHOST=::1'],
  ['is missing', 'PORT=1\nHOST=::1'],
  ['is commented out', '#CREDENTIALS_KEY=\nPORT=1\nHOST=::1'],
])('npm run setup adds the key if CREDENTIALS_KEY %s, and changes nothing else', async (_how, text) => {
  const { run, settings } = await setUp(text)
  expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('Added a new CREDENTIALS_KEY') })
  expect(await settings()).toEqual({ PORT: '1', HOST: '::1', CREDENTIALS_KEY: expect.stringMatching(key) })
})

test('npm run setup adds no key if .env names a file with the key', async () => {
  const { run } = await setUp('CREDENTIALS_KEY_FILE=/etc/bundlegram/key\n')
  expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') })
})

test('npm run setup says in one sentence that .env cannot be read if .env is a folder', async () => {
  const { file, run } = await setUp()
  await mkdir(file)
  expect(await run()).toEqual({ code: 1, out: '', err: '.env: cannot be read (EISDIR)\n' })
})
