import { expect, test } from 'vitest'
import { createDatabaseHealth } from '../../src/database/health.ts'
import { refusalIn } from '../../src/database/outage.ts'

const wrapped = (cause: object) =>
  Object.assign(new Error('Invalid invocation'), { code: 'P2010', meta: { driverAdapterError: { cause } } })

test.each([
  [wrapped({ kind: 'sqlite', originalCode: 'SQLITE_FULL' }), 'full', true],
  [wrapped({ kind: 'postgres', originalCode: '53100' }), 'full', true],
  [wrapped({ kind: 'postgres', code: '25006' }), 'read_only', true],
  [wrapped({ kind: 'SocketTimeout' }), 'locked', true],
  [Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }), 'locked', true],
  [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'unreachable', true],
  [Object.assign(new Error('terminating connection'), { code: '57P01' }), 'unreachable', false],
  [new Error('Connection terminated unexpectedly'), 'unreachable', false],
  [new Error('Query read timeout'), 'unreachable', false],
  [Object.assign(new Error('sync'), { code: 'SQLITE_IOERR_FSYNC' }), 'failing', false],
] as const)(
  'the error %s shows that the database is unavailable, and whether it is certain that nothing was committed',
  (error, cause, isCertain) => {
    expect(refusalIn(error)).toEqual({ cause, isCertain })
  },
)

test.each([
  Object.assign(new Error('Unique constraint failed'), { code: 'P2002' }),
  Object.assign(new Error('no such table'), { code: 'SQLITE_ERROR' }),
  new TypeError('undefined is no function'),
  null,
])('the error %s does not count as an outage of the database', (error) => {
  expect(refusalIn(error)).toBeNull()
})

test('an outage lasts from a refused write to the first accepted write, and a broken connection alone is not an outage', async () => {
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
