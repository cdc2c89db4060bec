import { describe, expect, test } from 'vitest'
import { readSetting, type Topic, topicsFor, writtenSetting } from '../../src/settings/setting.ts'

const written = (topic: Topic, text: string): string | null => {
  const setting = readSetting(topic, text)
  return setting && writtenSetting(setting)
}

describe('a typed setting', () => {
  test.each<[Topic, string, string]>([
    ['quiet', '21:30-6', '21:30-06:00'],
    ['quiet', '9pm - 6am', '21:00-06:00'],
    ['quiet', '22.00 to 07.00', '22:00-07:00'],
    ['quiet', '12am–5', '00:00-05:00'],
    ['quiet', 'off', 'off'],
    ['level', '150', '150.00'],
    ['level', 'GHS 99.50', '99.50'],
    ['level', 'OFF', 'off'],
    ['repeat', '15', '15.00'],
    ['repeat', '1000', '1000.00'],
    ['shop', '  Ama   Data ', 'Ama Data'],
    ['shop', 'none', 'off'],
    // Characters that nobody can see are removed from the name.
    ['shop', '\u202eA\u200bma\u0000 Data\ud83d', 'Ama Data'],
    ['shop', 'o\u200bff', 'off'],
    ['summary', '19:00', '19:00'],
    ['zone', 'lagos', 'Africa/Lagos'],
    ['network', 'mtn', 'MTN'],
    ['slow', 'Yes', 'on'],
    ['slow', 'no', 'off'],
  ])('for “%s” written as “%s” is read as “%s”', (topic, text, expected) => {
    expect(written(topic, text)).toBe(expected)
    expect(written(topic, expected)).toBe(expected)
  })

  test.each<[Topic, string, string]>([
    ['quiet', '“25-6”', '25-6'],
    ['quiet', '“21:30”', '21:30'],
    ['quiet', '“6-6”', '6-6'],
    ['quiet', '“1-2-3”', '1-2-3'],
    ['quiet', '“21:75-6”', '21:75-6'],
    ['quiet', '“13pm-6”', '13pm-6'],
    ['level', '“0”', '0'],
    ['level', '“-5”', '-5'],
    ['level', '“many”', 'many'],
    ['repeat', '“1000.01”', '1000.01'],
    ['level', '“1e9”', '1e9'],
    ['level', '“NaN”', 'NaN'],
    ['level', '“٥٠”', '٥٠'],
    ['level', 'a number, very many spaces and a letter', `5${' '.repeat(4_000)}x`],
    ['repeat', 'an amount with very many spaces', `GHS${' '.repeat(100)}5`],
    ['summary', '“24:00”', '24:00'],
    ['zone', '“UTC+25”', 'UTC+25'],
    ['shop', 'an empty text', ''],
    ['shop', 'two letters with very many spaces', `A${' '.repeat(2_000)}B`],
    ['shop', '“/start”', '/start'],
    ['shop', 'a very long word', 'x'.repeat(41)],
    ['shop', 'invisible characters', '\u202e\u200b'],
    ['shop', 'blank characters', '\u3164\u2800'],
    ['summary', '“19:30”', '19:30'],
    ['zone', '“Nowhere”', 'Nowhere'],
    ['network', '“Glo”', 'Glo'],
    ['notify', '“all”', 'all'],
    ['slow', '“maybe”', 'maybe'],
  ])('for “%s” written as %s is refused', (topic, _, text) => {
    expect(readSetting(topic, text)).toBeNull()
  })

  test('is read quickly, however long it is', () => {
    const long = `${'9'.repeat(100_000)} ${'-'.repeat(100_000)}`
    for (const topic of topicsFor('owner')) expect(readSetting(topic, long)).toBeNull()
  })
})

test('an agent cannot change the account’s settings, and a person without an account only those of messages', () => {
  expect(topicsFor('agent')).not.toContain('level')
  expect(topicsFor('agent')).not.toContain('shop')
  expect(topicsFor('agent')).not.toContain('slow')
  expect(topicsFor(null)).toEqual(['notify', 'quiet', 'zone'])
})
