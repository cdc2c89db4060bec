import { expect, test } from 'vitest'
import { FileFault } from '../src/database/database-file.ts'
import { operatorsWords } from '../src/start-refusal.ts'
import { CannotOpen } from '../src/wallets/credentials/keyring.ts'

const config = { host: '127.0.0.1', port: 8080, metricsPort: 9464 }

const coded = (code: string) => Object.assign(new Error('refused'), { code })

test.each([
  ['a key that opens nothing', new CannotOpen(), /^CREDENTIALS_KEY: opens nothing/],
  ['a database that says what is wrong', new FileFault('/srv/b.db: is full.'), /^\/srv\/b\.db: is full\.$/],
  [
    'a database that says so although a lock is behind it',
    new FileFault('/srv/b.db: is locked.', { cause: coded('SQLITE_BUSY') }),
    /^\/srv\/b\.db: is locked\.$/,
  ],
  ['a server that goes down', coded('57P01'), /^DATABASE_URL: the connection .* broke/],
  ['a connection that ends', new Error('Connection terminated unexpectedly'), /^DATABASE_URL: .* broke/],
  ['a network that swallows a query', new Error('Query read timeout'), /^DATABASE_URL: .* broke/],
  ['a table that another program locks', coded('55P03'), /^DATABASE_URL: .* locked .* End the program/],
  ['a file that another program locks', coded('SQLITE_BUSY'), /^DATABASE_URL: .* locked/],
  ['a port that is taken', coded('EADDRINUSE'), /^PORT: 8080 .* PORT=8081$/],
  ['an address of another machine', coded('EADDRNOTAVAIL'), /^HOST: /],
])('an operator reads what to do about %s at the start', (_, error, words) => {
  expect(operatorsWords(error, config)).toMatch(words)
})

test.each([
  ['bot', 8080, 'PORT: 8080 on 127.0.0.1 is in use by this bot, which is running already. Stop it first'],
  ['bot', 9464, 'PORT: 8080 on 127.0.0.1 is in use by this bot, which is running already. Stop it first'],
  ['other_key', 8080, 'PORT: 8080 on 127.0.0.1 is in use by another Bundlegram bot. Choose another, for'],
  ['other_program', 8080, 'PORT: 8080 on 127.0.0.1 is in use by another program. Choose another, for'],
  ['nobody', 9464, 'METRICS_PORT: 9464 is in use by another program. Choose another, for example METRICS_'],
] as const)('a port with %s on it and %i taken is told with who has it', (holder, port, words) => {
  const error = Object.assign(coded('EADDRINUSE'), { port })
  expect(operatorsWords(error, config, holder)).toContain(words)
})

test('an unplanned error has no words', () => {
  expect(operatorsWords(new TypeError('undefined is no function'), config)).toBeNull()
  expect(operatorsWords(coded('P2002'), config)).toBeNull()
})
