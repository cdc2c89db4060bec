import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { faultsOf, faultsToAgents } from './plain-words.ts'

const long = (words: number): string => `A${' word'.repeat(words - 1)}.`

test.each([
  ['A message of 601 characters', `${'Wo. '.repeat(150)}X`],
  ['A message of four lines', 'One.\nTwo.\n\nThree.\nFour.'],
  ['A sentence of 26 words', long(26)],
  ['The same below a line', `Facts.\n\n${long(26)}`],
  ['A callback', 'A callback said so.'],
  ['The provider’s record', 'Its record is being asked.'],
  ['A placement', 'The placement is not known.'],
  ['What pairs up', 'The entries do not pair up.'],
  ['One of many', '1 orders'],
  ['Many of one', 'Sent: 2 order'],
  ['None of one', '0 number'],
  ['One that are', 'One order are open.'],
  ['Two that is', '2 numbers is left.'],
  ['Thousands of one', 'List of 1,200 number.'],
  ['A low beginning', 'order again'],
  ['A low second sentence', 'Sent. it comes.'],
  ['A low second line', 'Sent.\nit comes.'],
  ['A low sentence of an item', '• Sent. it comes.'],
])('%s is refused', (_, text) => {
  expect(faultsOf(text)).toHaveLength(1)
})

test.each([
  ['600 characters', `${'Wo. '.repeat(149)}Wor.`],
  ['25 words', long(25)],
  ['three lines', 'One.\nTwo.\n\nThree.'],
  ['what somebody else wrote', `You asked: “${long(30)}” <blockquote>${long(30)} the record</blockquote>`],
  ['one of each', '1 order, 1 number, one order is open. 1 of 3 numbers is left.'],
  ['two of each', '2 orders, 0 numbers, 1,200 lines are read.'],
  [
    'times, money and numbers',
    'At 10:32 is GHS 20 order 0241234567 is 5 min. MTN 5GB for 2 numbers is sent.',
  ],
  [
    'commands, names and signs',
    '/connect it. @bot is it. ✅ Done. 12 are left.\n• which messages\n… and 1 more',
  ],
  ['values', '<code>kofi 5gb</code> is how.'],
])('%s is taken', (_, text) => {
  expect(faultsOf(text)).toEqual([])
})

test('an agent is told of no wallet of theirs', () => {
  expect(faultsToAgents('Your wallet was charged.')).toHaveLength(1)
  expect(faultsToAgents('The owner’s wallet was charged.')).toEqual([])
})

const texts = fileURLToPath(new URL('../../../src/telegram/texts', import.meta.url))
const tests = fileURLToPath(new URL('.', import.meta.url))

test('every file of the catalogue is read by a test that asks for plain words', async () => {
  const sources = await Promise.all(
    (await readdir(tests))
      .filter((name) => name.endsWith('.test.ts') && !name.startsWith('plain-words'))
      .map((name) => readFile(`${tests}/${name}`, 'utf8')),
  )
  const asking = sources.filter((source) => source.includes('testTexts('))
  const unread = (await readdir(texts)).filter(
    (name) => !asking.some((source) => source.includes(`src/telegram/texts/${name}'`)),
  )
  expect(unread).toEqual([])
})
