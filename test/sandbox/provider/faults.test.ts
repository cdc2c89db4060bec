import { describe, expect, it } from 'vitest'
import type { Fault, ProviderSimulator } from '../../../src/sandbox/index.ts'
import { clientOf, json, latest, startProvider, until } from './client.ts'

const start = async (fault: Fault) => {
  const provider = await startProvider()
  provider.addFault(fault)
  return { provider, client: clientOf(provider) }
}

const debitCount = (provider: ProviderSimulator): number => provider.debits().length

const brokenConnection = { cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) } }

describe('the simulated provider’s request fault', () => {
  it('“answer_lost” processes and debits the order, then breaks the connection', async () => {
    const { provider, client } = await start({ kind: 'answer_lost' })
    await expect(client.order()).rejects.toMatchObject(brokenConnection)
    expect(debitCount(provider)).toBe(1)
    expect(provider.orders()).toHaveLength(1)
    expect(provider.requests()[0]).toMatchObject({ path: '/order', status: null })
  })

  it('“reset_before” breaks the connection without processing the order', async () => {
    const { provider, client } = await start({ kind: 'reset_before' })
    await expect(client.order()).rejects.toMatchObject(brokenConnection)
    expect(debitCount(provider)).toBe(0)
    expect((await client.order()).status).toBe(201)
  })

  it.each([
    { processed: true, debits: 1 },
    { processed: false, debits: 0 },
  ])(
    '“hang” (processed: $processed) leaves the request open, after $debits debits',
    async ({ processed, debits }) => {
      const { provider, client } = await start({ kind: 'hang', processed })
      const answer = client.order()
      const ended = expect(answer).rejects.toThrow()
      await until(provider, () => provider.requests().length === 1 && debitCount(provider) === debits)
      await clientOf(provider).get('/wallet/balance')
      expect(provider.requests()[0]?.status).toBeNull()
      await provider.stop()
      await ended
    },
  )

  it('“hang” ends when the client gives up', async () => {
    const { provider, client } = await start({ kind: 'hang' })
    const given = new AbortController()
    const answer = client.post('/order', { bundle_id: 4, phone: '0241234567' }, { signal: given.signal })
    const ended = expect(answer).rejects.toThrow('aborted')
    await until(provider, () => provider.requests().length === 1)
    given.abort()
    await ended
    expect((await client.order()).status).toBe(201)
  })

  it('“slow” processes the order immediately and answers later', async () => {
    const { provider, client } = await start({ kind: 'slow', delayMs: 3_600_000 })
    const answer = client.order()
    const ended = expect(answer).rejects.toThrow()
    await until(provider, () => debitCount(provider) === 1)
    provider.setStatus(latest(provider), 'delivered')
    const { order } = json(await client.get(`/order/status/${latest(provider)}`))
    expect(order).toMatchObject({ status: 'delivered' })
    expect(provider.requests()[0]?.status).toBeNull()
    await provider.stop()
    await ended
  })

  it('“slow” answers after its delay', async () => {
    const { client } = await start({ kind: 'slow', delayMs: 5 })
    expect((await client.order()).status).toBe(201)
  })

  it('“refuse” with a network affects only orders of that network', async () => {
    const { provider, client } = await start({ kind: 'refuse', network: 'MTN', times: null })
    expect((await client.order({ bundle_id: 4 })).status).toBe(422)
    expect((await client.bulk({ bundle_id: 4, phones: ['0241234567'] })).status).toBe(422)
    expect((await client.order({ bundle_id: 22, phone: '0201234567' })).status).toBe(201)
    expect((await client.get('/wallet/balance')).status).toBe(200)
    expect(debitCount(provider)).toBe(1)
  })

  it.each([
    { kind: 'error_before', debits: 0 },
    { kind: 'error_after', debits: 1 },
  ] as const)('“$kind” answers 500 after $debits debits', async ({ kind, debits }) => {
    const { provider, client } = await start({ kind })
    const answer = await client.order()
    expect(answer.status).toBe(500)
    expect(json(answer)).toMatchObject({ success: false, type: 'SERVER_ERROR' })
    expect(debitCount(provider)).toBe(debits)
  })

  it('“error_after” can answer with a given status and an HTML page, like a proxy before the provider', async () => {
    const { client } = await start({ kind: 'error_after', status: 502, body: '<h1>Bad Gateway</h1>' })
    const answer = await client.order()
    expect(answer.status).toBe(502)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.text).toBe('<h1>Bad Gateway</h1>')
  })

  it.each([{ body: undefined }, { body: 'OK' }])(
    '“bad_json” (body: $body) processes the order and answers with invalid JSON',
    async ({ body }) => {
      const { provider, client } = await start({ kind: 'bad_json', ...(body ? { body } : {}) })
      const answer = await client.order()
      expect(answer.status).toBe(201)
      expect(() => json(answer)).toThrow(SyntaxError)
      if (body) expect(answer.text).toBe(body)
      expect(debitCount(provider)).toBe(1)
    },
  )

  it.each(['order', 'bulk'] as const)(
    '“no_reference” processes an order (%s) and answers without a reference',
    async (which) => {
      const { provider, client } = await start({ kind: 'no_reference' })
      const answer = which === 'order' ? await client.order() : await client.bulk({ phones: ['0241234567'] })
      expect(answer.status).toBe(201)
      expect(json(answer).success).toBe(true)
      expect(answer.text).not.toContain('reference')
      expect(answer.text).not.toContain(latest(provider))
      expect(debitCount(provider)).toBe(1)
    },
  )

  it('“redirect” names another address, does not process the order, and records the request of a client that follows', async () => {
    const { provider, client } = await start({ kind: 'redirect' })
    const answer = await client.order()
    expect(answer.status).toBe(307)
    expect(debitCount(provider)).toBe(0)
    expect(answer.headers.get('location')).toBe('/api/v1/moved/order')
    await client.post('/moved/order', {})
    expect(provider.requests().at(-1)).toMatchObject({ path: '/moved/order', status: 404 })
  })

  it.each(['17', 'Wed, 21 Oct 2026 07:28:00 GMT', '1760000000000', 'soon', '', null])(
    '“rate_limited” answers 429 with the given Retry-After: %j',
    async (retryAfter) => {
      const { provider, client } = await start({ kind: 'rate_limited', retryAfter })
      const answer = await client.order()
      expect(answer.status).toBe(429)
      expect(json(answer)).toMatchObject({ success: false, type: 'RATE_LIMIT' })
      expect(answer.headers.get('retry-after')).toBe(retryAfter)
      expect(debitCount(provider)).toBe(0)
    },
  )

  it.each([
    ['VALIDATION_ERROR', 400],
    ['UNAUTHORIZED', 401],
    ['INSUFFICIENT_BALANCE', 402],
    ['NOT_FOUND', 404],
    ['PENDING_ORDER', 409],
    ['UNPROCESSABLE', 422],
    ['RATE_LIMIT', 429],
    ['SERVER_ERROR', 500],
    ['BRAND_NEW', 422],
  ])('“refuse” answers %s with the status %i and does not process the order', async (type, status) => {
    const { provider, client } = await start({ kind: 'refuse', type, message: 'Not today.' })
    const answer = await client.order()
    expect(answer.status).toBe(status)
    expect(json(answer)).toStrictEqual({
      success: false,
      error: expect.any(String),
      type,
      message: 'Not today.',
    })
    expect(debitCount(provider)).toBe(0)
  })

  it('“debit_late” keeps the debit out of the transactions until its time', async () => {
    const clock = { ms: Date.UTC(2025, 0, 1) }
    const provider = await startProvider({ now: () => clock.ms })
    provider.addFault({ kind: 'debit_late', delayMs: 60_000 })
    const client = clientOf(provider)
    const total = async () => {
      const { pagination, transactions } = json(await client.get('/transactions'))
      expect(transactions).toHaveLength((pagination as { total: number }).total)
      return (pagination as { total: number }).total
    }
    expect(json(await client.order()).wallet_balance).toBe(476.5)
    expect(debitCount(provider)).toBe(1)
    clock.ms += 59_999
    expect(await total()).toBe(0)
    clock.ms += 1
    expect(await total()).toBe(1)
  })

  it('“debit_late” delays the debit of the next order that is placed, even if another fault loses its answer', async () => {
    const { provider, client } = await start({ kind: 'debit_late', delayMs: 3_600_000 })
    await client.order({ bundle_id: 9_999 })
    provider.addFault({ kind: 'answer_lost' })
    await expect(client.order()).rejects.toThrow()
    expect(debitCount(provider)).toBe(1)
    expect(json(await client.get('/transactions')).transactions).toEqual([])
    provider.showDebits('agent')
    expect(json(await client.get('/transactions')).transactions).toHaveLength(1)
  })
})

describe('the simulated provider’s status fault', () => {
  it('“status_open” answers “processing” for each known order', async () => {
    const { provider, client } = await start({ kind: 'status_open', path: '/order/status', times: null })
    provider.settings({ bulkRecipients: true })
    await client.post('/order/bulk', { bundle_id: 4, phones: ['0241234561', '0241234562'] })
    const reference = latest(provider)
    provider.setStatus(reference, 'delivered')
    const order = json(await client.get(`/order/status/${reference}`)).order
    expect(order).toMatchObject({ reference, status: 'processing', total_quantity: 2 })
    expect(order).not.toHaveProperty('recipients')
    expect((await client.get('/order/status/BUD-API-NONE-1')).status).toBe(404)
  })
})

describe('the simulated provider’s wallet fault', () => {
  const entriesWith = async (fault: Fault) => {
    const { client } = await start({ path: '/transactions', ...fault })
    for (const phone of ['0241234567', '0241234568']) await client.order({ phone })
    return json(await client.get('/transactions')).transactions as { id: number; description: string }[]
  }

  it('“entries_reversed” lists the oldest entry first', async () => {
    expect((await entriesWith({ kind: 'entries_reversed' })).map(({ id }) => id)).toEqual([1, 2])
  })

  it('“entries_many” adds 250 older entries that all have the same time', async () => {
    const { provider, client } = await start({ kind: 'entries_many', times: null })
    provider.addFault({ kind: 'entries_reversed', times: null })
    await client.order()
    const page = async (number: number) =>
      json(await client.get(`/transactions?per_page=100&page=${number}`)).transactions as {
        id: number
        created_at: string
      }[]
    expect(new Set((await page(1)).map(({ created_at }) => created_at)).size).toBe(1)
    expect((await page(3)).at(-1)?.id).toBe(1)
  })

  it('“debit_twice” debits an order twice under one reference', async () => {
    const { provider, client } = await start({ kind: 'debit_twice' })
    await client.order()
    expect(new Set(provider.debits().map(({ reference }) => reference)).size).toBe(1)
    expect(debitCount(provider)).toBe(2)
  })

  it('“entries_reworded” gives every entry the same description', async () => {
    const entries = await entriesWith({ kind: 'entries_reworded', message: 'Wallet debit' })
    expect(entries.map(({ description }) => description)).toEqual(['Wallet debit', 'Wallet debit'])
  })
})

describe('a fault of the simulated provider', () => {
  it('affects only the two POSTs if no path is given', async () => {
    const { provider, client } = await start({ kind: 'error_before', times: 2 })
    expect((await client.get('/wallet/balance')).status).toBe(200)
    expect((await client.bulk({ phones: ['0241234567'] })).status).toBe(500)
    expect((await client.order()).status).toBe(500)
    expect((await client.order()).status).toBe(201)
    expect(provider.state().faults).toEqual([])
  })

  it.each([
    ['/bundles', '/bundles?network=MTN'],
    ['/wallet/balance', '/wallet/balance'],
    ['/transactions', '/transactions?page=2'],
    ['/order/status', '/order/status/BUD-API-ANY-1'],
    ['/order/status/BUD-API-ANY-1', '/order/status/BUD-API-ANY-1'],
    ['*', '/wallet/balance'],
  ])('for the path %s affects a request for %s', async (path, asked) => {
    const { client } = await start({ kind: 'error_before', status: 503, path })
    expect((await client.get(asked)).status).toBe(503)
    expect((await client.get(asked)).status).not.toBe(503)
  })

  it('with the path of one POST does not affect the other POST', async () => {
    const { client } = await start({ kind: 'error_before', path: '/order/bulk' })
    expect((await client.order()).status).toBe(201)
    expect((await client.bulk({ phones: ['0241234568'] })).status).toBe(500)
  })

  it('with an account does not affect other accounts', async () => {
    const { provider, client } = await start({ kind: 'error_before', account: 'agent', times: null })
    const other = clientOf(provider, provider.account('dealer'))
    provider.addFault({ kind: 'debit_late', account: 'dealer', delayMs: 3_600_000 })
    expect((await other.order()).status).toBe(201)
    expect(json(await other.get('/transactions')).transactions).toEqual([])
    expect((await client.order()).status).toBe(500)
  })

  it('affects as many requests as it says, or all if its count is null', async () => {
    const { provider, client } = await start({ kind: 'error_before', times: null })
    for (let time = 0; time < 5; time++) expect((await client.order()).status).toBe(500)
    expect(provider.state().faults).toEqual([expect.objectContaining({ kind: 'error_before', left: null })])
    provider.clearFaults()
    expect((await client.order()).status).toBe(201)
  })

  it('affects the next request, and a fault added after it affects the request after that', async () => {
    const { provider, client } = await start({ kind: 'refuse', type: 'NOT_FOUND' })
    provider.addFault({ kind: 'error_before' })
    expect((await client.order()).status).toBe(404)
    expect((await client.order()).status).toBe(500)
    expect((await client.order()).status).toBe(201)
  })
})
