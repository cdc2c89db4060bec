import { globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { generateClient } from '../../src/database/client-generation.ts'
import { newFolder } from '../support/folder.ts'

const committed = resolve(import.meta.dirname, '../../src/database/client')

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    globSync('**/*.ts', { cwd: folder })
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

test('the committed client is what the schema generates', async () => {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  await generateClient(folder)
  expect(filesIn(committed)).toEqual(filesIn(folder))
})
