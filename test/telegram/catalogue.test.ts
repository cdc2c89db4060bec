import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const telegram = fileURLToPath(new URL('../../src/telegram', import.meta.url))

/** The catalogue: what another language is made of. */
const isCatalogue = (name: string): boolean => /(^|\/)(words\/[\w-]+|words|[\w-]+-words)\.ts$/.test(name)

/** Words for operators, in logs and errors, which people never see. */
const forOperators = /\blog\.\w+\(|new (Range|Type)?Error\(|onError\(|super\(|throw |\blogger\b/

/** Their words are for the operator's log and `/readyz`: how Telegram's server answers. */
const operatorsOwn = new Set(
  [
    'updates/updates',
    'updates/connection',
    'telegram-refusal',
    'files/download',
    'alerts/telegram-trouble',
  ].map((name) => `chat/${name}.ts`),
)

/** Reads as something that is said: two words of letters with a space between, in quotation marks. */
const quoted = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
const twoWords = /[A-Za-z’]{2,}[,.:;!?]? [A-Za-z’]{2,}/

const withoutComments = (source: string): string =>
  source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/^\s*\/\/.*$/gm, '')

/** An expression in the code is no word: it comes from the catalogue. */
const withoutExpressions = (text: string): string => text.replace(/\$\{[^}]*\}/g, ' ')

test('every text that people see is in a file of words', async () => {
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
