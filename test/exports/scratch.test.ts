import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { removeLeftovers, withScratchFolder } from '../../src/exports/scratch.ts'
import { withFileOf } from '../../src/settings/kept-file.ts'
import { newFolder } from '../support/folder.ts'

let temporary: string

beforeAll(async () => {
  temporary = await newFolder()
  vi.stubEnv('TMPDIR', temporary)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true })
})

async function* parts() {
  yield '{"phone": '
  yield '"0241234567"}'
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

test('a temporary file can be read only by the user who runs the bot, and is deleted after it was sent', async () => {
  let sent = ''
  await withFileOf(parts(), async (path) => {
    sent = path
    expect(await readFile(path, 'utf8')).toBe('{"phone": "0241234567"}')
    expect(await modeOf(path)).toBe(0o600)
    expect(await modeOf(dirname(path))).toBe(0o700)
  })
  expect(existsSync(dirname(sent))).toBe(false)
})

test('a temporary folder is deleted if its file could not be made or sent', async () => {
  const folders: string[] = []
  const failing = withScratchFolder(async (folder) => {
    folders.push(folder)
    await writeFile(join(folder, 'half.csv'), '0241234567')
    throw new Error('not sent')
  })
  await expect(failing).rejects.toThrow('not sent')
  expect(folders.map((folder) => existsSync(folder))).toEqual([false])
})

test('a killed process’s temporary files are deleted, but not a running process’s or another program’s', async () => {
  const folders = {
    // A process id higher than any that exists.
    killed: 'bundlegram-export-4194999-aaaaaa',
    earlierLife: `bundlegram-export-${process.pid}-bbbbbb`,
    running: `bundlegram-export-${process.ppid}-cccccc`,
    other: 'somebody-elses',
  }
  for (const name of Object.values(folders)) {
    await mkdir(join(tmpdir(), name))
    await writeFile(join(tmpdir(), name, '1.csv'), '0241234567')
  }
  await removeLeftovers()
  const left = Object.entries(folders).filter(([, name]) => existsSync(join(tmpdir(), name)))
  expect(left.map(([which]) => which)).toEqual(['running', 'other'])
})
