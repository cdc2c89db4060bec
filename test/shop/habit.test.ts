import { expect, test } from 'vitest'
import { regulars, usualBundles } from '../../src/shop/habit.ts'

const mtn = (bundleId: number) => ({ bundleId, network: 'MTN', volume: `${bundleId}GB` })

test('a customer’s usual bundle is the one bought most often, and of several the one bought last', () => {
  expect(
    usualBundles([mtn(2), mtn(5), mtn(5), mtn(2), mtn(1)]).map(({ bundleId, times }) => [bundleId, times]),
  ).toEqual([
    [2, 2],
    [5, 2],
    [1, 1],
  ])
  expect(usualBundles([])).toEqual([])
})

test('regular customers are those who bought often or recently', () => {
  expect(regulars(['new', 'often', 'often', 'often', 'once'])).toEqual(['often', 'new', 'once'])
  const longAgo = [...Array.from({ length: 60 }, (_, at) => `n${at}`), 'old', 'old', 'old']
  expect(regulars(longAgo)[0]).toBe('n0')
})
