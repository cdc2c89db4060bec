import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'

const token = '123456789:AAE-abcdefghijklmnopqrstuvwxyz_0'
const metricsToken = 'pass"word\\16-characters'
const keyring = createKeyring([Buffer.alloc(32, 1)])
const callbackUrl = `https://x.example/webhooks/${keyring.sign('webhook', 'a'.repeat(22))}`
const shareUrl = `https://t.me/bot?start=s${keyring.sign('share', 'b'.repeat(22))}`
/** The token of a bot that was added later, so the log does not know it. */
const addedToken = '7000000002:AAF-abcdefghijklmnopqrstuvwxyz_1'
const addedCallback = `https://x.example/webhooks/7000000002.${keyring.sign('webhook', 'c'.repeat(22))}`
const secrets = [
  token,
  addedToken,
  addedCallback.split('.').at(-1),
  metricsToken,
  callbackUrl.split('/').at(-1),
  shareUrl.split('=').at(-1),
] as string[]

const logged = (write: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = []
  write(createLog('trace', [token, metricsToken, ''], { write: (line) => lines.push(line) }))
  for (const line of lines) JSON.parse(line)
  return lines.join('')
}

const told = [
  `POST https://api.telegram.org/bot${token}/sendMessage failed`,
  `${callbackUrl} answered 404`,
  `${addedCallback} answered 404`,
  `the token ${addedToken} is refused`,
  `Bad Request: inline keyboard button URL '${shareUrl}' is invalid`,
  `authorization: Bearer ${metricsToken}`,
  'no recipient 0241234567, +233 24 123 4567, 00233551234567',
]

const withoutSecrets = (line: string) => {
  for (const secret of secrets) expect(line).not.toContain(secret)
  expect(line).not.toContain(JSON.stringify(metricsToken).slice(1, -1))
  expect(line.replace(/[ .-]/g, '')).not.toMatch(/(24|55)1234567/)
}

test.each(told)('a secret is masked anywhere in a line of the log: %s', (text) => {
  const coded = Object.assign(new Error('x'), { code: text })
  const named = new Error('x')
  named.name = text
  const stacked = new Error('x')
  stacked.stack = `Error\n    at ${text}`
  const places: Record<string, unknown>[] = [
    { err: new Error(text) },
    { err: new Error('x', { cause: new Error('y', { cause: new Error(text) }) }) },
    { err: new Error('x', { cause: text }) },
    { err: text },
    { err: { message: text } },
    { err: coded },
    { err: named },
    { err: stacked },
    { err: new AggregateError([new Error(text)], text) },
    { reason: text, deep: { list: [text] }, [text]: 1 },
  ]
  for (const place of places) withoutSecrets(logged((log) => log.error(place, text)))
  withoutSecrets(logged((log) => log.error(new Error(text))))
  withoutSecrets(logged((log) => log.child({ text }).error(text)))
})

test('a secret is masked before a long text is cut, so that not even half of it remains', () => {
  fc.assert(
    fc.property(fc.integer({ min: 380, max: 520 }), (length) => {
      const line = logged((log) => log.error({ err: new Error(`${'x'.repeat(length)}/bot${token}/x`) }))
      expect(line).not.toContain(token.slice(0, 6))
    }),
  )
})

test('a phone is masked except for its first three and last four digits, wherever it begins', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[25]\d{8}$/),
      fc.constantFrom('0', '+233', '00233', 'to0', '\n0'),
      (digits, prefix) => {
        const line = logged((log) => log.info(`${prefix}${digits} was asked`))
        expect(line).not.toContain(digits)
        expect(line).toContain(`0${digits.slice(0, 2)}•••${digits.slice(5)}`)
      },
    ),
  )
})

test('ids are not masked, even if they look like phones', () => {
  expect(
    JSON.parse(logged((log) => log.info({ chatId: 233241234567, updateId: 241234567 }, 'x'))),
  ).toMatchObject({
    chatId: 233241234567,
    updateId: 241234567,
  })
})

test('an error is logged with its name, code, message, place and causes, and nothing else that it carries', () => {
  const error = Object.assign(new TypeError('broken', { cause: new Error('why') }), {
    code: 'EBROKEN',
    request: { headers: { 'x-api-key': 'do-not-log' } },
  })
  const line = logged((log) => log.warn({ err: error }, 'x'))
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    err: { name: 'TypeError', code: 'EBROKEN', message: 'broken', cause: { message: 'why' } },
  })
  expect(JSON.parse(line).err.at[0]).toContain('log.test.ts')
  expect(line).not.toContain('do-not-log')
})

test('a circular chain of causes is logged only to a limited depth', () => {
  const error = new Error('round')
  error.cause = error
  expect(logged((log) => log.error({ err: error })).match(/"cause"/g)).toHaveLength(3)
})
