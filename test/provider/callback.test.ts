import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCallback } from '../../src/provider/callback.ts'

test('every field of a documented callback is read', () => {
  expect(
    parseCallback({
      event: 'order.status.updated',
      reference: 'BUD-API-X-1',
      status: 'delivered',
      network: 'MTN',
      volume: '5GB',
      phone: '0241234567',
      delivered_at: '2026-03-01T12:00:00+00:00',
      timestamp: '2026-03-01T12:00:01+00:00',
      extra: true,
    }),
  ).toEqual({
    event: 'order.status.updated',
    reference: 'BUD-API-X-1',
    status: 'delivered',
    network: 'MTN',
    volume: '5GB',
    phone: '0241234567',
    deliveredAt: new Date('2026-03-01T12:00:00Z'),
    timestamp: new Date('2026-03-01T12:00:01Z'),
  })
})

test('a callback needs only a reference and a status, and an unknown status is kept as it is', () => {
  expect(parseCallback({ reference: 'R', status: 'On hold', phone: 5, delivered_at: '' })).toEqual({
    event: null,
    reference: 'R',
    status: 'On hold',
    network: null,
    volume: null,
    phone: null,
    deliveredAt: null,
    timestamp: null,
  })
})

test.each([
  null,
  'text',
  7,
  [],
  [{ reference: 'R', status: 'delivered' }],
  {},
  { reference: 'R' },
  { status: 'delivered' },
  { reference: 1, status: 'delivered' },
  { reference: 'R', status: null },
  { reference: ' ', status: 'delivered' },
])('a body of %j is not read as a callback', (body) => {
  expect(parseCallback(body)).toBeNull()
})

test('a callback’s texts lose characters that a database would refuse', () => {
  const callback = parseCallback({ reference: 'R\u0000S', status: 'deli\ud800vered' })
  expect(callback).toMatchObject({ reference: 'RS', status: 'deli\ufffdvered' })
})

test('a callback’s long texts are cut, and a year out of range is ignored', () => {
  const long = '状'.repeat(5_000)
  const timestamp = '0000-06-01T00:00:00Z'
  const read = parseCallback({ reference: long, status: long, network: long, timestamp })
  expect(read).toMatchObject({ reference: long.slice(0, 200), timestamp: null })
  expect([read?.status, read?.network]).toEqual([long.slice(0, 100), long.slice(0, 100)])
  // In UTC, these times are in another year.
  for (const shifted of ['9999-12-31T23:00:00-02:00', '0001-01-01T01:00:00+02:00']) {
    expect(parseCallback({ reference: 'r', status: 's', timestamp: shifted })?.timestamp).toBeNull()
  }
})

test('any body, however strange, is read as a callback or refused', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (extra, value) => {
      parseCallback(extra)
      const callback = parseCallback({
        reference: 'R',
        status: 'S',
        phone: value,
        timestamp: value,
        event: value,
      })
      expect(callback?.reference).toBe('R')
    }),
  )
})
