import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../src')

/** Files that hand transactions on. */
const carriers = ['chronicle/chronicle.ts', 'telegram/chat/visit.ts', 'store/', 'database/']

/** How many transactions each file has in a scope and of everything: `orders/answer 3 scoped`. */
const inCode = (): string[] =>
  globSync('**/*.ts', { cwd: source })
    .filter((file) => !carriers.some((carrier) => file.startsWith(carrier)))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8')
      const count = (call: RegExp) => [...text.matchAll(call)].length
      const name = file.replace(/\.ts$/, '')
      return [
        [name, count(/\bstore\s*\.within\(/g), 'scoped'],
        [name, count(/\bstore\s*\.transaction\(/g), 'everything'],
      ] as const
    })
    .filter(([, count]) => count > 0)
    .map((each) => each.join(' '))

/** The same as the map of the house lists it. */
const inTable = (): string[] => {
  const map = readFileSync(join(source, 'README.md'), 'utf8')
  const table = map.split('## Scopes of transactions')[1]?.split('\n## ')[0] ?? ''
  return [...table.matchAll(/^\| (`.+?) \| (.+?) \| .+ \|$/gm)].flatMap(([, files = '', scope]) =>
    [...files.matchAll(/`([\w/-]+)` (\d+)/g)].map(
      ([, file, count]) => `${file} ${count} ${scope === 'everything' ? scope : 'scoped'}`,
    ),
  )
}

test('the map lists every transaction with its scope', () => {
  expect(inTable().toSorted()).toEqual(inCode().toSorted())
  expect(inCode().length).toBeGreaterThan(30)
})
