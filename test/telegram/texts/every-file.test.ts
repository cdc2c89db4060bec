import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const texts = fileURLToPath(new URL('../../../src/telegram/texts', import.meta.url))
const tests = fileURLToPath(new URL('.', import.meta.url))

test('every file of the catalogue has a test of its texts', async () => {
  const sources = await Promise.all(
    (await readdir(tests))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFile(`${tests}/${name}`, 'utf8')),
  )
  const testing = sources.filter((source) => source.includes('testTexts('))
  const untested = (await readdir(texts)).filter(
    (name) => !testing.some((source) => source.includes(`src/telegram/texts/${name}'`)),
  )
  expect(untested).toEqual([])
})
