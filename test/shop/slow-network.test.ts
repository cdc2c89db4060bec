import { expect, test } from 'vitest'
import { slownessOf } from '../../src/shop/slow-network.ts'

const now = new Date('2026-03-02T12:00:00Z')
const times = (count: number, minutes: number) =>
  count === 0 ? [] : [{ network: 'MTN', seconds: minutes * 60, count }]
const open = (count: number, minutes: number) =>
  Array.from({ length: count }, () => ({
    network: 'MTN',
    placedAt: new Date(now.getTime() - minutes * 60_000),
  }))

interface Orders {
  habit: [count: number, minutes: number]
  recent: [count: number, minutes: number]
  /** Orders that are on their way, and their age. */
  open?: [count: number, minutes: number]
}

const slownessIn = ({ habit, recent, open: waiting = [0, 0] }: Orders, wasSlow: boolean) =>
  slownessOf({ habit: times(...habit), recent: times(...recent), open: open(...waiting), wasSlow }, now)

test.each<[string, Orders]>([
  ['more than three times as long as usual', { habit: [30, 5], recent: [8, 16] }],
  ['so long that it has delivered nothing yet', { habit: [30, 5], recent: [0, 0], open: [8, 16] }],
  ['long for most orders', { habit: [30, 5], recent: [4, 1], open: [5, 60] }],
])('a network that takes %s becomes slow', (_, orders) => {
  expect(slownessIn(orders, false)?.isSlow).toBe(true)
})

test.each<[string, Orders]>([
  ['three times as long as usual', { habit: [30, 5], recent: [8, 15] }],
  ['ten minutes, which is long for it,', { habit: [30, 1], recent: [8, 10] }],
  ['an hour, as it usually does,', { habit: [30, 60], recent: [8, 60] }],
  ['long for a few orders', { habit: [30, 5], recent: [8, 1], open: [5, 60] }],
])('a network that takes %s does not become slow', (_, orders) => {
  expect(slownessIn(orders, false)?.isSlow).toBe(false)
})

test.each<[string, Orders]>([
  ['twice as long as usual', { habit: [30, 10], recent: [8, 20] }],
  ['ten minutes, which is long for it,', { habit: [30, 1], recent: [8, 10] }],
])('a slow network that takes %s stays slow', (_, orders) => {
  expect(slownessIn(orders, true)?.isSlow).toBe(true)
})

test.each<[string, Orders]>([
  ['less than twice as long as usual', { habit: [30, 10], recent: [8, 19] }],
  ['less than ten minutes, which is long for it,', { habit: [30, 1], recent: [8, 9] }],
])('a slow network that takes %s is no longer slow', (_, orders) => {
  expect(slownessIn(orders, true)?.isSlow).toBe(false)
})

test.each<[string, Orders]>([
  ['fewer than eight recent orders', { habit: [30, 5], recent: [7, 60] }],
  ['fewer than 30 deliveries in two weeks', { habit: [29, 5], recent: [8, 60] }],
  ['many new orders of unknown outcome', { habit: [30, 5], recent: [2, 60], open: [20, 9] }],
])('a network with %s is not known to be slow', (_, orders) => {
  for (const wasSlow of [true, false]) expect(slownessIn(orders, wasSlow)).toBeNull()
})

test('the news of a slow network compares the present time with the usual time', () => {
  expect(slownessIn({ habit: [30, 5], recent: [8, 40] }, false)).toEqual({
    isSlow: true,
    nowSeconds: 2_400,
    usualSeconds: 300,
  })
})
