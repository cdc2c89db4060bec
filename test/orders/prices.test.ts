import { expect, test } from 'vitest'
import type { Purpose } from '../../src/accounts/budget.ts'
import type { Wallets } from '../../src/accounts/wallets.ts'
import { createPrices, freshMs } from '../../src/orders/prices.ts'
import { ProviderError } from '../../src/provider/index.ts'

/** Price lists before a provider that has room for these purposes, and counts what it is asked. */
const newPrices = (room: Purpose[]) => {
  const clock = { ms: 1_000_000 }
  const asked: Purpose[] = []
  const ask = async (_account: string, purpose: Purpose) => {
    asked.push(purpose)
    if (!room.includes(purpose)) {
      throw new ProviderError('rate_limited', 'The limit is reached.', { retryAfterMs: 3_600_000 })
    }
    return { bundles: [], meta: { serverDate: null } }
  }
  const prices = createPrices({ ask } as unknown as Wallets, () => clock.ms)
  return { prices, clock, asked }
}

test('a price list is read once a minute for all who ask, and again when the clock was set back', async () => {
  const { prices, clock, asked } = newPrices(['order', 'person'])
  await Promise.all([prices.list('a', 'person'), prices.list('a', 'order')])
  clock.ms += freshMs - 1
  await prices.list('a', 'order')
  expect(asked).toEqual(['person'])
  clock.ms += 1
  await prices.list('a', 'order')
  clock.ms -= 3_600_000
  await prices.list('a', 'order')
  expect(asked).toEqual(['person', 'order', 'order'])
})

test('an order is not refused the room that only a person who asked at the same moment has not', async () => {
  const { prices, asked } = newPrices(['order'])
  const [person, order] = await Promise.allSettled([prices.list('a', 'person'), prices.list('a', 'order')])
  expect([person.status, order.status]).toEqual(['rejected', 'fulfilled'])
  expect(asked).toEqual(['person', 'order'])
})
