import { expect, test } from 'vitest'
import { regulars, usualBundles } from '../../src/shop/habit.ts'

const mtn = (bundleId: number) => ({ bundleId, network: 'MTN', volume: `${bundleId}GB` })

test('the usual bundle is the one bought most often; of two the one bought last', () => {
  expect(
    usualBundles([mtn(2), mtn(5), mtn(5), mtn(2), mtn(1)]).map(({ bundleId, times }) => [bundleId, times]),
  ).toEqual([
    [2, 2],
    [5, 2],
    [1, 1],
  ])
  expect(usualBundles([])).toEqual([])
})

test('regulars are who bought often or lately', () => {
  expect(regulars(['new', 'often', 'often', 'often', 'once'])).toEqual(['often', 'new', 'once'])
  const longAgo = [...Array.from({ length: 60 }, (_, at) => `n${at}`), 'old', 'old', 'old']
  expect(regulars(longAgo)[0]).toBe('n0')
})
