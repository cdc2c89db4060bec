import { expect, test } from 'vitest'
import { createDatabaseHealth } from '../../src/database/health.ts'
import { refusalIn } from '../../src/database/outage.ts'

const wrapped = (cause: object) =>
  Object.assign(new Error('Invalid invocation'), { code: 'P2010', meta: { driverAdapterError: { cause } } })

const coded = (message: string, code: string) => Object.assign(new Error(message), { code })

test.each([
  ['a full disk under SQLite', wrapped({ kind: 'sqlite', originalCode: 'SQLITE_FULL' }), 'full', true],
  ['a full disk under PostgreSQL', wrapped({ kind: 'postgres', originalCode: '53100' }), 'full', true],
  ['a read-only PostgreSQL', wrapped({ kind: 'postgres', code: '25006' }), 'read_only', true],
  ['a wait for the database that is too long', wrapped({ kind: 'SocketTimeout' }), 'locked', true],
  ['a locked SQLite file', coded('database is locked', 'SQLITE_BUSY'), 'locked', true],
  ['a refused connection', coded('connect', 'ECONNREFUSED'), 'unreachable', true],
  ['a server that shuts down', coded('terminating connection', '57P01'), 'unreachable', false],
  ['a broken connection', new Error('Connection terminated unexpectedly'), 'unreachable', false],
  ['a query without an answer', new Error('Query read timeout'), 'unreachable', false],
  ['a failed write to the disk', coded('sync', 'SQLITE_IOERR_FSYNC'), 'failing', false],
] as const)(
  '%s is an outage of the database (%s), and it is certain that nothing was committed: %s',
  (_, error, cause, isCertain) => {
    expect(refusalIn(error)).toEqual({ cause, isCertain })
  },
)

test.each([
  ['a broken constraint', coded('Unique constraint failed', 'P2002')],
  ['a missing table', coded('no such table', 'SQLITE_ERROR')],
  ['a fault in the code', new TypeError('undefined is no function')],
  ['no error', null],
])('%s does not count as an outage of the database', (_, error) => {
  expect(refusalIn(error)).toBeNull()
})

test('a database outage begins with a refused write, not a broken connection, and ends with an accepted write', async () => {
  const told: string[] = []
  let refusal: Error | null = null
  const health = createDatabaseHealth({
    write: async () => {
      if (refusal) throw refusal
    },
    monotonicMs: () => performance.now(),
    onBegin: ({ cause }) => told.push(`begun: ${cause}`),
    onEnd: () => told.push('over'),
  })
  expect(await health.look()).toBeNull()
  refusal = Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
  health.note(refusal)
  await health.round()
  expect([health.outage()?.cause, told]).toEqual(['full', ['begun: full']])
  refusal = null
  await health.round()
  expect([health.outage(), told]).toEqual([null, ['begun: full', 'over']])
  health.note(Object.assign(new Error('gone'), { code: '57P01' }))
  await health.recovered(10_000)
  expect(health.outage()).toBeNull()
})
