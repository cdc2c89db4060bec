import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * `SECURITY.md` names a test for each threat. If a named test no longer exists, the document would promise a check
 * that nobody makes.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const document = readFileSync(join(root, 'SECURITY.md'), 'utf8')

interface Row {
  threat: string
  stoppedBy: string
  /** The file and title of each test. */
  tests: (readonly [file: string, title: string])[]
}

/** Reads a cell of the form `file`: “title”; “title”; `file`: … */
const testsOf = (cell: string): Row['tests'] =>
  [...cell.matchAll(/`([^`]+)`: ((?:“[^”]+”(?:; )?)+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => [file, title] as const),
  )

const rows: Row[] = document
  .slice(document.indexOf('## Threats'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| threat |'))
  .map((line) => {
    const [threat = '', stoppedBy = '', cell = ''] = line.slice(2, -2).split(' | ')
    return { threat, stoppedBy, tests: testsOf(cell) }
  })

/** The titles of a file's tests and of its groups, as the source writes them. */
const titlesIn = (file: string): string[] => {
  const source = readFileSync(join(root, file), 'utf8')
  const strings = /'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`([^`$]+)`/.source
  // In a call of `each`, the table comes before the title.
  const call = new RegExp(
    `^ *(?:(?:test|describe)[\\w.]*(?:<.*>)?\\(|\\]?\\)\\(|\\}\\)\\()\\s*(?:${strings})`,
    'gm',
  )
  const rest = new RegExp(`(?:test|describe)[\\w.]*\\.(?:each|for).*?\\)\\(\\s*(?:${strings})`, 'g')
  return [...source.matchAll(call), ...source.matchAll(rest)].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

/** Whether the quote is a title, or a group's title and a title in that group: `group > test`. */
const isQuoteOf = (quote: string, titles: string[]): boolean =>
  quote.split(' > ').every((title) => titles.includes(title))

test('every threat in SECURITY.md has a countermeasure and names existing tests', () => {
  expect(rows.length).toBeGreaterThan(30)
  const missing: string[] = []
  for (const { threat, stoppedBy, tests } of rows) {
    if (stoppedBy === '' || tests.length === 0) missing.push(`${threat}: incomplete`)
    for (const [file, title] of tests) {
      if (!existsSync(join(root, file))) missing.push(`${threat}: there is no ${file}`)
      else if (!isQuoteOf(title, titlesIn(file))) missing.push(`${threat}: ${file} has no “${title}”`)
    }
  }
  expect(missing).toEqual([])
})

test('every test quoted in SECURITY.md is parsed', () => {
  for (const { threat, tests } of rows) {
    const line = document.split('\n').find((each) => each.startsWith(`| ${threat} |`)) ?? ''
    expect(tests.length, threat).toBe((line.match(/“/g) ?? []).length)
  }
})

test('every file of tests in test/security is named in SECURITY.md', () => {
  const files = readdirSync(join(root, 'test/security')).filter((name) => name.endsWith('.test.ts'))
  const named = new Set(rows.flatMap(({ tests }) => tests.map(([file]) => file)))
  expect(files.filter((name) => !named.has(`test/security/${name}`))).toEqual([])
})
