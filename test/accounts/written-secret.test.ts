import { expect, test } from 'vitest'
import { holdsCredential, looksLikeSecret, wordsOf } from '../../src/accounts/written-secret.ts'

test.each([
  'sim-key-7Q2M4XK9PLR3T8VW5YHN6ZCB',
  'my key: sim-secret-of-nobody-at-all',
  'demo-agent-key demo-agent-secret',
  '550e8400-e29b-41d4-a716-446655440000',
  'c3ab8ff13720e8ad9047dd39466b3c89',
  'pYk2vJ8aQz0wLm4Xr7Nc1Tb6Hd3Gs9Fe',
  'please add 0241234567 c3ab8ff13720e8ad9047dd39466b3c89',
  'API key is abc12345',
  '"api_secret": "hunter2hunter"',
  'password = kumasi2026',
  'https://provider.example/api?api_key=abc123def',
  'c3ab8ff13720\u200be8ad9047dd39\u200b466b3c89',
  '8123456789:AAF-x7Qp2LmN4kRtY6uVbZ9cXsWdEfGhJ',
])('the text “%s” is recognized as a secret', (text) => expect(looksLikeSecret(text)).toBe(true))

test.each([
  '0241234567 5GB',
  '0241234567-5GB/0551234567-2GB/0271234567-1GB/0201234567-10GB',
  'Kofi Mensah 0241234567\nAma 0551234567',
  'BUD-API-7Q2M4XK9PLR3T8VW-1767000000',
  'BUD-BULK-c3ab8ff13720e8ad9047dd39466b3c89-12',
  'https://t.me/some_bot?start=a7Q2M4XK9PLR3T8VW5YHN6ZCBpYk2vJ8aQz0',
  't.me/some_bot?start=s7Q2M4XK9PLR3T8VW5YHN6ZCB',
  'Kwame-Boakye-Agyemang-Prempeh-2',
  'kofi2gb.data5x@example.com',
  '@Kofi2Gb4Data6Shop8Accra',
  'Transaction ID: 38291029301234567890',
  'orders-2026-03-01_MTN_5GB-v2.csv',
  'key: 0241234567',
  'the key problem is not solved',
  'API key: please help me',
  'KofiKofiKofiKofiKofiKofiKofiKofi',
  'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'Ɛyɛ, medaase paa! 0241234567',
  'Please send the bundle quickly, yesterday it took 45 minutes',
])('the text “%s” is not recognized as a secret', (text) => expect(looksLikeSecret(text)).toBe(false))

test('a credential is found in upper or lower case, inside other words and broken over lines', () => {
  for (const text of [
    'x KUMASI-gold-09 y',
    'key=kumasi-gold-09.',
    'kumasi-\n  gold-09',
    'kuma\u200bsi-gold-09',
  ])
    expect(holdsCredential(text, 'kumasi-gold-09'), text).toBe(true)
  expect(holdsCredential('kumasi gold', 'kumasi-gold-09')).toBe(false)
})

test('a credential is found at any position in a long text', () => {
  const credential = 'kumasi-gold-09'
  for (let before = 16_384 - 20; before < 16_384 + 20; before += 1) {
    expect(holdsCredential(`${'-'.repeat(before)}${credential}--`, credential), String(before)).toBe(true)
    expect(holdsCredential(`kumasi${' '.repeat(before)}-gold-09`, credential), String(before)).toBe(true)
  }
  expect(holdsCredential('kumasi-gold-0 '.repeat(5_000), credential)).toBe(false)
})

test('every word of a text is checked for secrets, however many there are', () => {
  const words = Array.from({ length: 25_000 }, (_, at) => `w${at}`)
  expect([...wordsOf(`${words.join(', ')} w0, w24999`)].slice(0, words.length)).toEqual(words)
  expect([...wordsOf('Ama: "Kofi", Ama')]).toEqual(['Ama', 'Kofi'])
})

test('a short credential is found as a whole word only', () => {
  expect(holdsCredential('my key: abcd', 'abcd')).toBe(true)
  expect(holdsCredential('abcdef', 'abcd')).toBe(false)
})
