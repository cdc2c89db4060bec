import { expect, test } from 'vitest'
import { paceFor, paceOf, percentileOf } from '../../src/shop/delivery-pace.ts'

const time = (seconds: number, count = 1, network = 'MTN') => ({ network, seconds, count })

test('a network’s delivery pace is the median and the 90th percentile of its own deliveries', () => {
  const times = [
    ...Array.from({ length: 10 }, (_, index) => time(10 * (index + 1))),
    time(9_000, 50, 'Telecel'),
  ]
  expect(paceOf('MTN', times)).toEqual({ network: 'MTN', medianSeconds: 50, mostSeconds: 90 })
})

test('a network with fewer than eight deliveries has no delivery pace', () => {
  expect(paceOf('MTN', [time(10, 7)])).toBeNull()
  expect(paceOf('MTN', [time(10, 4), time(20, 4)])).toEqual({
    network: 'MTN',
    medianSeconds: 10,
    mostSeconds: 20,
  })
})

test('without delivery times there is no percentile of them', () => {
  expect(percentileOf([], 50)).toBeNull()
})

test('only an order that is on its way shows its network’s delivery pace', async () => {
  const tallies = { deliveryTimes: async () => [time(12, 8)] }
  const order = { accountId: 'a', network: 'MTN', placement: 'placed', status: 'processing' } as const
  const now = new Date()
  expect(await paceFor(tallies, order, now)).toEqual({ network: 'MTN', medianSeconds: 12, mostSeconds: 12 })
  for (const other of [{ status: 'delivered' }, { placement: 'queued' }] as const)
    expect(await paceFor(tallies, { ...order, ...other }, now)).toBeNull()
})
