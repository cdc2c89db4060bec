import { describe, expect, it } from 'vitest'
import { orderStatus } from '../../../src/sandbox/provider/orders.ts'
import { clientOf, json, latest, startProvider, until } from './client.ts'

const phones = ['0241234561', '0241234562', '0241234563']

const ofStatuses = (...statuses: string[]) => ({
  recipients: statuses.map((status) => ({ phone: '', status, deliveredAtMs: null, refunded: false })),
})

const placeBulk = async (settings = {}) => {
  const provider = await startProvider({ settings })
  await clientOf(provider).bulk({ phones })
  const order = () => provider.orders()[0]
  return { provider, order, reference: latest(provider) }
}

const credits = (provider: Awaited<ReturnType<typeof startProvider>>) =>
  provider.transactions().filter(({ type }) => type === 'credit')

describe('the status of a simulated bulk order', () => {
  it.each([
    [['processing', 'delivered'], 'processing'],
    [['placed', 'placed'], 'placed'],
    [['on_hold', 'failed'], 'processing'],
    [['on_hold', 'on_hold'], 'on_hold'],
    [['failed', 'delivered', 'cancelled'], 'delivered'],
    [['cancelled', 'failed'], 'failed'],
    [['refunded', 'cancelled'], 'cancelled'],
    [['refunded', 'refunded'], 'refunded'],
  ])('whose recipients are %j is “%s”', (statuses, expected) => {
    expect(orderStatus(ofStatuses(...statuses))).toBe(expected)
  })
})

describe('a simulated order', () => {
  it('is delivered automatically after the time in the settings', async () => {
    const provider = await startProvider({ settings: { deliverAfterMs: 5 } })
    await clientOf(provider).order()
    await until(provider, () => provider.orders()[0]?.status === 'delivered')
    expect(provider.orders()[0]?.deliveredAt).not.toBeNull()
  })

  it('is not delivered automatically after it has got another final status', async () => {
    const provider = await startProvider({ settings: { deliverAfterMs: 5 } })
    const client = clientOf(provider)
    await client.order()
    provider.setStatus(latest(provider), 'cancelled')
    await client.order({ phone: '0241234568' })
    await until(provider, () => provider.orders()[1]?.status === 'delivered')
    expect(provider.orders()[0]?.status).toBe('cancelled')
  })

  it.each(['failed', 'cancelled', 'refunded'])('that is %s is refunded once', async (status) => {
    const provider = await startProvider()
    await clientOf(provider).order()
    provider.setStatus(latest(provider), status)
    provider.setStatus(latest(provider), 'refunded')
    expect(credits(provider)).toEqual([
      expect.objectContaining({
        amountPesewas: 2_350,
        reference: latest(provider),
        balanceAfterPesewas: 50_000,
      }),
    ])
    expect(provider.orders()[0]?.status).toBe('refunded')
  })

  it('is refunded at the price that was paid, whatever the bundle costs now', async () => {
    const provider = await startProvider()
    await clientOf(provider).order()
    provider.setAccount('agent', { prices: { 4: 9_999 } })
    provider.setStatus(latest(provider), 'failed')
    expect(provider.account('agent').balancePesewas).toBe(50_000)
  })

  it('is refunded later, or only on command, if the settings say so', async () => {
    const provider = await startProvider({ settings: { refundAfterMs: null } })
    const client = clientOf(provider)
    await client.order()
    const reference = latest(provider)
    provider.setStatus(reference, 'failed')
    expect(credits(provider)).toEqual([])
    provider.setStatus(reference, 'refunded')
    expect(credits(provider)).toHaveLength(1)

    provider.settings({ refundAfterMs: 5 })
    await client.order()
    provider.setStatus(latest(provider), 'failed')
    expect(credits(provider)).toHaveLength(1)
    await until(provider, () => credits(provider).length === 2)
  })

  it('accepts a status that the API does not know, and stays pending with it', async () => {
    const provider = await startProvider()
    const client = clientOf(provider)
    await client.order()
    provider.setStatus(latest(provider), 'on_hold')
    const { order } = json(await client.get(`/order/status/${latest(provider)}`))
    expect(order).toMatchObject({ status: 'on_hold' })
    expect((await client.order()).status).toBe(409)
  })

  it('cannot be given a status if it, or the recipient that is named, does not exist', async () => {
    const { provider, reference } = await placeBulk()
    expect(() => provider.setStatus('BUD-API-NONE-1', 'delivered')).toThrow(RangeError)
    expect(() => provider.setStatus(reference, 'delivered', { phone: '0249999999' })).toThrow(RangeError)
  })
})

describe('a simulated bulk order', () => {
  it('can have the status of one recipient changed, and only that recipient is refunded', async () => {
    const { provider, order, reference } = await placeBulk()
    provider.setStatus(reference, 'failed', { phone: '0241234562' })
    expect(order()?.phones.map(({ status }) => status)).toEqual(['processing', 'failed', 'processing'])
    expect(order()?.status).toBe('processing')
    expect(credits(provider)).toEqual([expect.objectContaining({ amountPesewas: 2_350 })])
  })

  it('keeps the final statuses of its recipients when its own status is changed', async () => {
    const { provider, order, reference } = await placeBulk()
    provider.setStatus(reference, 'failed', { phone: '0241234562' })
    provider.setStatus(reference, 'delivered')
    expect(order()?.phones.map(({ status }) => status)).toEqual(['delivered', 'failed', 'delivered'])
    expect(order()?.status).toBe('delivered')
    provider.setStatus(reference, 'refunded')
    expect(order()?.phones.map(({ status }) => status)).toEqual(['delivered', 'refunded', 'delivered'])
    expect(provider.account('agent').balancePesewas).toBe(50_000 - 2 * 2_350)
  })

  it('is refunded in one credit if all its recipients fail', async () => {
    const { provider, reference } = await placeBulk()
    provider.setStatus(reference, 'failed')
    expect(credits(provider)).toEqual([
      expect.objectContaining({ amountPesewas: 7_050, description: 'Refund: MTN 5GB for 3 numbers' }),
    ])
  })

  it('keeps a phone pending until that recipient is final', async () => {
    const { provider, reference } = await placeBulk()
    const client = clientOf(provider)
    provider.setStatus(reference, 'delivered', { phone: '0241234561' })
    expect((await client.order({ phone: '0241234561' })).status).toBe(201)
    expect((await client.order({ phone: '0241234562' })).status).toBe(409)
  })
})
