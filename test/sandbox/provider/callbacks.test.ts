import { describe, expect, it } from 'vitest'
import type { ProviderSettings } from '../../../src/sandbox/index.ts'
import { isLoopback } from '../../../src/sandbox/provider/callback-sender.ts'
import { clientOf, json, latest, startProvider, until } from './client.ts'
import { startReceiver } from './receiver.ts'

const noon = Date.UTC(2025, 0, 2, 12)
const noonText = '2025-01-02T12:00:00+00:00'
const phones = ['0241234561', '0241234562']

const start = async (settings: Partial<ProviderSettings> = {}) => {
  const receiver = await startReceiver()
  const provider = await startProvider({ now: () => noon, settings: { callbackDelayMs: 0, ...settings } })
  const client = clientOf(provider)
  const order = (more = {}) => client.order({ webhook_url: receiver.url, ...more })
  const bulk = () => client.bulk({ webhook_url: receiver.url, phones })
  return { provider, receiver, client, order, bulk }
}

describe('callbacks of the simulated provider', () => {
  it('have the documented payload, with delivered_at as soon as the order is delivered', async () => {
    const { provider, receiver, order } = await start()
    await order()
    await provider.idle()
    provider.setStatus(latest(provider), 'delivered')
    await provider.idle()
    const common = {
      event: 'order.status.updated',
      reference: latest(provider),
      network: 'MTN',
      volume: '5GB',
      phone: '0241234567',
      timestamp: noonText,
    }
    expect(receiver.bodies.map((body) => JSON.parse(body))).toStrictEqual([
      { ...common, status: 'processing' },
      { ...common, status: 'delivered', delivered_at: noonText },
    ])
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', url: '/callback' })
    expect(receiver.requests[0]?.headers['content-type']).toBe('application/json')
  })

  it('follow each change of status, but no change to the same status', async () => {
    const { provider, receiver, order } = await start()
    await order()
    for (const status of ['placed', 'placed', 'processing', 'failed', 'failed', 'refunded']) {
      provider.setStatus(latest(provider), status)
    }
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing', 'placed', 'processing', 'failed', 'refunded'])
  })

  it('are not sent without a webhook_url, nor for a change that is marked as quiet', async () => {
    const { provider, receiver, client, order } = await start()
    await client.order({ phone: '0241234568' })
    provider.setStatus(latest(provider), 'delivered')
    await order()
    provider.setStatus(latest(provider), 'delivered', { quiet: true })
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing'])
    expect(provider.orders()[1]?.status).toBe('delivered')
  })

  it('about a bulk order are sent for each recipient', async () => {
    const { provider, receiver, bulk } = await start()
    await bulk()
    await provider.idle()
    provider.setStatus(latest(provider), 'delivered', { phone: '0241234562' })
    await provider.idle()
    const seen = receiver.bodies.map((body) => JSON.parse(body)).map(({ phone, status }) => [phone, status])
    expect(seen).toEqual([
      ['0241234561', 'processing'],
      ['0241234562', 'processing'],
      ['0241234562', 'delivered'],
    ])
  })

  it('about a bulk order can be sent for the whole order, without a phone', async () => {
    const { provider, receiver, bulk } = await start({ bulkCallbacks: 'order' })
    await bulk()
    provider.setStatus(latest(provider), 'delivered', { phone: '0241234562' })
    provider.setStatus(latest(provider), 'failed', { phone: '0241234561' })
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing', 'delivered'])
    for (const body of receiver.bodies) expect(JSON.parse(body)).not.toHaveProperty('phone')
  })

  it('about a bulk order can be sent both for the recipients and for the whole order', async () => {
    const { provider, receiver, bulk } = await start({ bulkCallbacks: 'both' })
    await bulk()
    provider.setStatus(latest(provider), 'delivered')
    await provider.idle()
    expect(receiver.statuses()).toEqual([...Array(3).fill('processing'), ...Array(3).fill('delivered')])
  })
})

describe('a callback of the simulated provider', () => {
  const startFailing = async (fail: Parameters<typeof startReceiver>[0], settings = {}) => {
    const receiver = await startReceiver(fail)
    const provider = await startProvider({
      settings: { callbackDelayMs: 0, callbackRetriesMs: [1, 1, 1], ...settings },
    })
    await clientOf(provider).order({ webhook_url: receiver.url })
    await provider.idle()
    return { receiver, provider, answers: provider.callbacks().map(({ answer }) => answer) }
  }

  it('is repeated with the same bytes until the answer is 200', async () => {
    const { receiver, provider, answers } = await startFailing((response, count) => {
      response.writeHead(count < 3 ? 503 : 200).end()
    })
    expect(answers).toEqual([503, 503, 200])
    expect(provider.callbacks().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(new Set(receiver.bodies).size).toBe(1)
  })

  it.each([201, 204, 302, 404])(
    'is repeated for a while if the answer is %i, and then given up',
    async (status) => {
      const { answers } = await startFailing((response) => {
        response.writeHead(status, { location: '/elsewhere' }).end()
      })
      expect(answers).toEqual([status, status, status, status])
    },
  )

  it('is repeated if the connection breaks or if no answer comes in time', async () => {
    const { answers } = await startFailing(
      (response, count) => {
        if (count === 1) response.destroy()
        if (count > 2) response.end()
      },
      { callbackTimeoutMs: 50, callbackRetriesMs: Array(20).fill(1) },
    )
    expect(answers.slice(0, 2)).toEqual([null, null])
    expect(answers.at(-1)).toBe(200)
  })

  it('does not delay later callbacks while it is repeated', async () => {
    const receiver = await startReceiver((response, count) => {
      response.writeHead(count === 1 ? 500 : 200).end()
    })
    const provider = await startProvider({
      settings: { callbackDelayMs: 0, callbackRetriesMs: [3_600_000] },
    })
    await clientOf(provider).order({ webhook_url: receiver.url })
    await until(provider, () => provider.callbacks().length === 1)
    provider.setStatus(latest(provider), 'delivered')
    await until(provider, () => provider.callbacks().length === 2)
    expect(receiver.statuses()).toEqual(['processing', 'delivered'])
  })
})

describe('the simulated provider’s callback fault', () => {
  it('“callback_early” sends the callback before the POST is answered', async () => {
    const provider = await startProvider({ settings: { callbackDelayMs: 3_600_000 } })
    const atReceipt: unknown[] = []
    const receiver = await startReceiver((response) => {
      atReceipt.push(provider.requests()[0]?.status)
      response.end()
    })
    provider.addFault({ kind: 'callback_early' })
    const answer = await clientOf(provider).order({ webhook_url: receiver.url })
    expect(atReceipt).toEqual([null])
    expect(json(answer).order).toMatchObject({ reference: JSON.parse(receiver.bodies[0] ?? '').reference })
  })

  it('“callback_early” sends the callback even if the answer is lost', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_early' })
    provider.addFault({ kind: 'answer_lost' })
    await expect(order()).rejects.toThrow()
    expect(receiver.statuses()).toEqual(['processing'])
  })

  it('“callback_late” delays the callbacks of one order, and no others', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_late', delayMs: 3_600_000 })
    await order()
    provider.setStatus(latest(provider), 'failed')
    await order({ phone: '0241234568' })
    await until(provider, () => provider.callbacks().length === 1)
    expect(receiver.bodies).toEqual([expect.stringContaining(latest(provider))])
  })

  it('“callback_late” sends the callback after its delay', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_late', delayMs: 5 })
    await order()
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing'])
  })

  it('“callback_twice” sends each callback of an order in two equal copies', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_twice' })
    await order()
    provider.setStatus(latest(provider), 'delivered')
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing', 'processing', 'delivered', 'delivered'])
    expect(receiver.bodies[2]).toBe(receiver.bodies[3])
  })

  it('“callback_twice” added after an order applies from its next status', async () => {
    const { provider, receiver, order } = await start()
    await order()
    await provider.idle()
    provider.addFault({ kind: 'callback_twice' })
    provider.setStatus(latest(provider), 'delivered')
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing', 'delivered', 'delivered'])
  })

  it('“callback_reversed” sends the callbacks in reverse sequence as soon as the order is final', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_reversed' })
    await order()
    provider.setStatus(latest(provider), 'placed')
    await provider.idle()
    expect(receiver.statuses()).toEqual([])
    provider.setStatus(latest(provider), 'delivered')
    await provider.idle()
    expect(receiver.statuses()).toEqual(['delivered', 'placed', 'processing'])
  })

  it('“callback_reversed” waits until each recipient of a bulk order is final', async () => {
    const { provider, receiver, bulk } = await start()
    provider.addFault({ kind: 'callback_reversed' })
    await bulk()
    provider.setStatus(latest(provider), 'delivered', { phone: '0241234561' })
    await provider.idle()
    expect(receiver.statuses()).toEqual([])
    provider.setStatus(latest(provider), 'failed', { phone: '0241234562' })
    await provider.idle()
    expect(receiver.statuses()).toEqual(['failed', 'delivered', 'processing', 'processing'])
  })

  it('“callback_reversed” sends the withheld callbacks when the fault is ended', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_reversed' })
    await order()
    provider.clearFaults()
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing'])
  })

  it('“callback_never” for two times drops all callbacks of two orders, not just two callbacks', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_never', times: 2 })
    for (const phone of ['0241234561', '0241234562', '0241234563']) {
      await order({ phone })
      provider.setStatus(latest(provider), 'delivered')
    }
    await provider.idle()
    expect(receiver.statuses()).toEqual(['processing', 'delivered'])
    for (const body of receiver.bodies) expect(body).toContain(latest(provider))
  })

  it('“callback_never” drops all callbacks of one order, and none of the next', async () => {
    const { provider, receiver, order } = await start()
    provider.addFault({ kind: 'callback_never' })
    await order()
    provider.setStatus(latest(provider), 'delivered')
    await order()
    await provider.idle()
    expect(receiver.bodies).toEqual([expect.stringContaining(latest(provider))])
  })
})

it.each([
  ['http://localhost:3000/x', true],
  ['http://127.0.0.1/x', true],
  ['https://127.8.9.10:1/x', true],
  ['http://[::1]:80/', true],
  ['http://0x7f.1/', true],
  ['ftp://127.0.0.1/', false],
  ['http://localhost.example.com/', false],
  ['http://127.0.0.1@example.com/', false],
  ['http://192.168.0.1/', false],
  ['http://0.0.0.0/', false],
])('the simulated provider counts the address %s as this machine’s own: %s', (address, expected) => {
  expect(isLoopback(new URL(address))).toBe(expected)
})
