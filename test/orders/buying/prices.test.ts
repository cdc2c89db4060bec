import { describe, expect, test } from 'vitest'
import { createPrices, offerOf, onSale, pricesFreshMs } from '../../../src/orders/buying/prices.ts'
import { type Bundle, ProviderError } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Purpose } from '../../../src/wallets/budget.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'

/** The price lists of a provider, with room in the budget for these purposes only. Counts the requests. */
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

test('a price list is read once a minute for everybody, and immediately after the clock was set back', async () => {
  const { prices, clock, asked } = newPrices(['order', 'person'])
  await Promise.all([prices.list('a', 'person'), prices.list('a', 'order')])
  clock.ms += pricesFreshMs - 1
  await prices.list('a', 'order')
  expect(asked).toEqual(['person'])
  clock.ms += 1
  await prices.list('a', 'order')
  clock.ms -= 3_600_000
  await prices.list('a', 'order')
  expect(asked).toEqual(['person', 'order', 'order'])
})

test('an order can read the price list although a person’s request at that moment has no budget left', async () => {
  const { prices, asked } = newPrices(['order'])
  const [person, order] = await Promise.allSettled([prices.list('a', 'person'), prices.list('a', 'order')])
  expect([person.status, order.status]).toEqual(['rejected', 'fulfilled'])
  expect(asked).toEqual(['person', 'order'])
})

test('prices are read again before a send, or are up to a minute old if the request budget has no room', async () => {
  const { prices, clock, asked } = newPrices(['order'])
  await prices.list('a', 'order')
  const readAt = prices.readAt('a')
  clock.ms += 5_000
  await Promise.all([prices.listToSend('a'), prices.listToSend('a')])
  expect([asked, prices.readAt('a')]).toEqual([['order', 'price'], readAt])
  await prices.listToSend('a')
  expect(asked).toEqual(['order', 'price', 'price'])
  clock.ms += pricesFreshMs
  await prices.listToSend('a')
  expect(asked).toEqual(['order', 'price', 'price', 'order'])
})

test('a bundle’s offer is shown only if another bundle has the same network and size', () => {
  const bundle = (id: number, network: string, volume: string): Bundle => ({
    id,
    network,
    volume,
    pricePesewas: pesewas(2350),
    offerSlug: `offer-${id}`,
    status: null,
  })
  const bundles = [
    bundle(1, 'MTN', '5GB'),
    bundle(2, 'MTN', '5GB'),
    bundle(3, 'MTN', '10GB'),
    bundle(4, 'Telecel', '5GB'),
  ]
  const offers = bundles.map((each) => offerOf(each, bundles).offerSlug)
  expect(offers).toEqual(['offer-1', 'offer-2', null, null])
})

describe('the list of bundles on sale', () => {
  const bundle = (id: number, more: Partial<Bundle> = {}): Bundle => ({
    id,
    network: 'MTN',
    volume: '5GB',
    pricePesewas: pesewas(2350),
    offerSlug: 'mtn-5gb',
    status: 'active',
    ...more,
  })

  test('contains a bundle once if the provider lists it twice', () => {
    expect(onSale([bundle(15), bundle(15)])).toEqual([bundle(15)])
    expect(onSale([bundle(15), bundle(16)])).toEqual([bundle(15)])
  })

  test('contains bundles that differ in their offer', () => {
    const other = bundle(16, { offerSlug: 'mtn-5gb-weekly' })
    const cheaper = bundle(17, { pricePesewas: pesewas(2200) })
    expect(onSale([bundle(15), other, cheaper])).toHaveLength(3)
  })

  test.each(['inactive', 'out_of_stock', 'disabled'])('contains no bundle whose status is %s', (status) => {
    expect(onSale([bundle(15, { status }), bundle(16)])).toEqual([bundle(16)])
  })

  test.each(['ACTIVE', null])('contains a bundle whose status is %s', (status) => {
    expect(onSale([bundle(15, { status })])).toHaveLength(1)
  })
})
