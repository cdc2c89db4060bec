import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('every file of words in src/telegram has a test for its texts', () => {
  const tests = globSync('test/telegram/**/*.test.ts', { cwd: root })
    .map((name) => readFileSync(`${root}/${name}`, 'utf8'))
    .filter((source) => source.includes('testTexts('))
  const words = globSync('src/telegram/**/{words/*,words,*-words}.ts', { cwd: root })
  expect(words.length).toBeGreaterThan(30)
  expect(words.filter((name) => !tests.some((source) => source.includes(`/${name}'`)))).toEqual([])
})
