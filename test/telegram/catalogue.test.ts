import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const telegram = fileURLToPath(new URL('../../src/telegram', import.meta.url))

/** Whether the file contains the bot's texts. A translation has to replace these files and no others. */
const isCatalogue = (name: string): boolean => /(^|\/)(words\/[\w-]+|words|[\w-]+-words)\.ts$/.test(name)

/** Code whose texts go to logs and errors. Only operators see these. */
const forOperators = /\blog\.\w+\(|new (Range|Type)?Error\(|onError\(|super\(|throw |\blogger\b/

/** Files whose texts are for the operator's log and `/readyz`. */
const operatorsOwn = new Set(
  [
    'updates/updates',
    'updates/telegram-connection',
    'telegram-refusal',
    'files/download',
    'alerts/telegram-trouble',
  ].map((name) => `chat/${name}.ts`),
)

/** A quoted string looks like a text for people if it contains two words. */
const quoted = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
const twoWords = /[A-Za-z’]{2,}[,.:;!?]? [A-Za-z’]{2,}/

const withoutComments = (source: string): string =>
  source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/^\s*\/\/.*$/gm, '')

/** Removes the expressions of a template string, because their names are not words of its text. */
const withoutExpressions = (text: string): string => text.replace(/\$\{[^}]*\}/g, ' ')

test('every text that people see in the bot is in a file of words', async () => {
  const names = (await readdir(telegram, { recursive: true })).filter((name) => name.endsWith('.ts'))
  expect(names.filter(isCatalogue).length).toBeGreaterThan(5)
  const found: string[] = []
  for (const name of names) {
    if (isCatalogue(name) || operatorsOwn.has(name)) continue
    const source = withoutComments(await readFile(join(telegram, name), 'utf8'))
    for (const match of source.matchAll(quoted)) {
      const text = withoutExpressions(match[1] ?? match[2] ?? match[3] ?? '')
      const [line = '', lineBefore = ''] = source.slice(0, match.index).split('\n').reverse()
      const statement = `${lineBefore}\n${line}`
      if (twoWords.test(text) && !forOperators.test(statement)) found.push(`${name}: ${text}`)
    }
  }
  expect(found).toEqual([])
})
