import { expect, test } from 'vitest'
import { operatorsWords } from '../../src/application/start-refusal.ts'
import { FileFault } from '../../src/database/database-file.ts'
import { CannotOpen } from '../../src/wallets/credentials/keyring.ts'

const config = { host: '127.0.0.1', port: 8080, metricsPort: 9464 }

const coded = (code: string) => Object.assign(new Error('refused'), { code })

test.each([
  ['a key that opens no credentials', new CannotOpen(), /^CREDENTIALS_KEY: opens nothing/],
  [
    'a database whose error explains the problem',
    new FileFault('/srv/b.db: is full.'),
    /^\/srv\/b\.db: is full\.$/,
  ],
  [
    'a database whose error explains the problem, caused by a lock',
    new FileFault('/srv/b.db: is locked.', { cause: coded('SQLITE_BUSY') }),
    /^\/srv\/b\.db: is locked\.$/,
  ],
  ['a database server that goes down', coded('57P01'), /^DATABASE_URL: the connection .* broke/],
  [
    'a database connection that ends',
    new Error('Connection terminated unexpectedly'),
    /^DATABASE_URL: .* broke/,
  ],
  ['a network that loses a query', new Error('Query read timeout'), /^DATABASE_URL: .* broke/],
  ['a table that another program locks', coded('55P03'), /^DATABASE_URL: .* locked .* End the program/],
  ['a file that another program locks', coded('SQLITE_BUSY'), /^DATABASE_URL: .* locked/],
  ['a port that is taken', coded('EADDRINUSE'), /^PORT: 8080 .* PORT=8081$/],
  ['an address that belongs to another machine', coded('EADDRNOTAVAIL'), /^HOST: /],
])('a start that is refused because of %s tells the operator what is wrong', (_, error, words) => {
  expect(operatorsWords(error, config)).toMatch(words)
})

test.each([
  [
    'this bot',
    8080,
    'bot',
    'PORT: 8080 on 127.0.0.1 is in use by this bot, which is already running. Stop it first',
  ],
  [
    'this bot',
    9464,
    'bot',
    'PORT: 8080 on 127.0.0.1 is in use by this bot, which is already running. Stop it first',
  ],
  [
    'another bot',
    8080,
    'other_key',
    'PORT: 8080 on 127.0.0.1 is in use by another Bundlegram bot. Choose another, for',
  ],
  [
    'another program',
    8080,
    'other_program',
    'PORT: 8080 on 127.0.0.1 is in use by another program. Choose another, for',
  ],
  [
    'an unknown program',
    9464,
    'nobody',
    'METRICS_PORT: 9464 is in use by another program. Choose another, for example METRICS_',
  ],
] as const)(
  'a start that is refused because %s uses its port %i names who uses it',
  (_, port, holder, words) => {
    const error = Object.assign(coded('EADDRINUSE'), { port })
    expect(operatorsWords(error, config, holder)).toContain(words)
  },
)

test('an unexpected error at the start is not explained as a mistake of the operator', () => {
  expect(operatorsWords(new TypeError('undefined is no function'), config)).toBeNull()
  expect(operatorsWords(coded('P2002'), config)).toBeNull()
})
