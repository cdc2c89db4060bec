import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandMeant } from '../../src/lists/command-words.ts'
import { anyCharacter } from '../support/any-character.ts'

const meant = (text: string): string | null => {
  const asked = commandMeant(text)
  return asked === null || asked === 'thanks' ? asked : `${asked.command} ${asked.argument}`.trim()
}

test.each([
  ['balance', 'balance'],
  ['Balance?', 'balance'],
  ['please what is my balance', 'balance'],
  ['check my wallet balance', 'balance'],
  ['menu', 'start'],
  ['Hello 👋', 'start'],
  ['good morning boss', 'start'],
  ['how far', 'start'],
  ['Maakye', 'start'],
  ['Ɛte sɛn?', 'start'],
  ['3te s3n', 'start'],
  ['Wo ho te sɛn', 'start'],
  ['help', 'help'],
  ['how to order', 'help'],
  ['price', 'bundles'],
  ['prices pls', 'bundles'],
  ['price list', 'bundles'],
  ['MTN', 'bundles MTN'],
  ['big time', 'bundles BigTime'],
  ['mtn prices', 'bundles MTN'],
  ['how much is 5gb mtn', 'bundles MTN 5GB'],
  ['price of 500 mb', 'bundles 500MB'],
  ['how much is 5 gb on telecel?', 'bundles Telecel 5GB'],
  ['hello boss how much be 10gb', 'bundles 10GB'],
  ['abeg how much be 5gb', 'bundles 5GB'],
  ['ɛyɛ sɛn?', 'bundles'],
  ['5gb', 'bundles 5GB'],
  ['my orders', 'orders'],
  ['cancel', 'cancel'],
  ['Medaase', 'thanks'],
  ['thank you boss', 'thanks'],
])('the text %j is read as the command “%s”', (text, command) => {
  expect(meant(text)).toBe(command)
})

test.each([
  ['an empty text', ''],
  ['“!!!”', '!!!'],
  ['“Kofi”', 'Kofi'],
  ['“+4”', '+4'],
  ['“5”', '5'],
  ['“what is this”', 'what is this'],
  ['“balance of mtn 5gb”', 'balance of mtn 5gb'],
  ['“good morning how is business today?”', 'good morning\nhow is business today?'],
  ['“0241234567”', '0241234567'],
  ['“my 5gb did not come”', 'my 5gb did not come'],
  ['a very long word', 'x'.repeat(1_000)],
])('%s is not read as a command', (_, text) => {
  expect(meant(text)).toBeNull()
})

test('any text is read without an error as one command or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 100 }), (text) => {
      commandMeant(text)
    }),
  )
})
