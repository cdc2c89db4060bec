import { expect, test } from 'vitest'
import { createDatabaseHealth } from '../../src/database/health.ts'
import { refusalIn } from '../../src/database/outage.ts'

const wrapped = (cause: object) =>
  Object.assign(new Error('Invalid invocation'), { code: 'P2010', meta: { driverAdapterError: { cause } } })

const coded = (message: string, code: string) => Object.assign(new Error(message), { code })

test.each([
  ['a full disk under SQLite', 'full', true, wrapped({ kind: 'sqlite', originalCode: 'SQLITE_FULL' })],
  ['a full disk under PostgreSQL', 'full', true, wrapped({ kind: 'postgres', originalCode: '53100' })],
  ['a read-only PostgreSQL', 'read_only', true, wrapped({ kind: 'postgres', code: '25006' })],
  ['a wait for the database that is too long', 'locked', true, wrapped({ kind: 'SocketTimeout' })],
  ['a locked SQLite file', 'locked', true, coded('database is locked', 'SQLITE_BUSY')],
  ['a refused connection', 'unreachable', true, coded('connect', 'ECONNREFUSED')],
  ['a server that shuts down', 'unreachable', false, coded('terminating connection', '57P01')],
  ['a broken connection', 'unreachable', false, new Error('Connection terminated unexpectedly')],
  ['a query without an answer', 'unreachable', false, new Error('Query read timeout')],
  ['a failed write to the disk', 'failing', false, coded('sync', 'SQLITE_IOERR_FSYNC')],
] as const)(
  '%s is a database outage of the kind “%s”, and proves that nothing was committed: %s',
  (_, cause, isCertain, error) => {
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
