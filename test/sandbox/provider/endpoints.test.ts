import { describe, expect, it } from 'vitest'
import { clientOf, json, latest, mtn5gb, startProvider } from './client.ts'

const noon = Date.UTC(2025, 0, 2, 12, 0, 0, 700)
const noonText = '2025-01-02T12:00:00+00:00'
const now = () => noon

const refusal = (type: string) => ({
  success: false,
  error: expect.any(String),
  type,
  message: expect.any(String),
})

describe('the simulated GET /bundles', () => {
  it('lists every field of each bundle, with prices for the account type', async () => {
    const provider = await startProvider()
    const answer = await clientOf(provider).get('/bundles')
    expect(answer.status).toBe(200)
    const { bundles, ...rest } = json(answer)
    expect(rest).toStrictEqual({ success: true, account_type: 'agent' })
    expect(bundles).toContainEqual({
      id: 4,
      network: 'MTN',
      volume: '5GB',
      price: 23.5,
      offer_slug: 'mtn_data_bundle',
      status: 'active',
    })
    expect(bundles).toHaveLength(provider.bundles('agent').length)
  })

  it('has two offers of one size that differ in offer_slug', async () => {
    const provider = await startProvider()
    const fives = provider.bundles('agent').filter((each) => each.network === 'MTN' && each.volume === '5GB')
    expect(new Set(fives.map(({ offerSlug }) => offerSlug)).size).toBe(2)
  })

  it.each(['MTN', 'Telecel', 'AirtelTigo', 'BigTime'])(
    'filters bundles by the network %s',
    async (network) => {
      const provider = await startProvider()
      const { bundles } = json(await clientOf(provider).get(`/bundles?network=${network}`))
      const expected = provider.bundles('agent').filter((bundle) => bundle.network === network)
      expect(expected.length).toBeGreaterThanOrEqual(6)
      expect(bundles).toHaveLength(expected.length)
      expect(bundles).toEqual(expected.map(({ id }) => expect.objectContaining({ id, network })))
    },
  )

  it('refuses an unknown network', async () => {
    const answer = await clientOf(await startProvider()).get('/bundles?network=mtn')
    expect(answer.status).toBe(400)
    expect(json(answer)).toStrictEqual(refusal('VALIDATION_ERROR'))
  })

  it('lists the prices of the account’s type, unless the account has prices of its own', async () => {
    const provider = await startProvider()
    const priceFor = (id: string) => provider.bundles(id).find(({ id }) => id === 4)?.pricePesewas
    const byType = ['user', 'agent', 'dealer', 'merchant'].map(priceFor)
    expect(byType).toEqual([2400, 2350, 2280, 2215])
    provider.setAccount('agent', { prices: { 4: 2345 } })
    expect(priceFor('agent')).toBe(2345)
    expect(json(await clientOf(provider).order()).wallet_balance).toBe(476.55)
  })
})

describe('the simulated POST /order', () => {
  it('answers 201 with the order and the balance after the debit', async () => {
    const provider = await startProvider({ now })
    const answer = await clientOf(provider).order()
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(json(answer)).toStrictEqual({
      success: true,
      message: expect.any(String),
      order: {
        id: expect.any(Number),
        reference: expect.stringMatching(/^BUD-API-[A-Z0-9]+-\d+$/),
        network: 'MTN',
        volume: '5GB',
        phone: '0241234567',
        price: 23.5,
        status: 'processing',
        placed_at: noonText,
      },
      wallet_balance: 476.5,
    })
    expect(provider.account('agent').balancePesewas).toBe(47_650)
  })

  it('refuses a second order for a phone until the first is final, except from another account', async () => {
    const provider = await startProvider()
    const client = clientOf(provider)
    await client.order()
    const refused = await client.order({ bundle_id: 1 })
    expect(refused.status).toBe(409)
    expect(json(refused)).toStrictEqual(refusal('PENDING_ORDER'))
    expect((await clientOf(provider, provider.account('dealer')).order()).status).toBe(201)
    provider.setStatus(provider.orders()[0]?.reference ?? '', 'delivered')
    expect((await client.order()).status).toBe(201)
    expect(provider.debits('agent')).toHaveLength(2)
  })

  it('answers 402 with both amounts if the wallet cannot pay, and debits nothing', async () => {
    const provider = await startProvider()
    provider.setAccount('agent', { balancePesewas: 2_349 })
    const answer = await clientOf(provider).order()
    expect(answer.status).toBe(402)
    expect(json(answer)).toStrictEqual(refusal('INSUFFICIENT_BALANCE'))
    expect(json(answer).message).toContain('GHS 23.49')
    expect(json(answer).message).toContain('GHS 23.50')
    expect(provider.account('agent').balancePesewas).toBe(2_349)
    expect(provider.orders()).toEqual([])
  })

  it('can spend the last pesewa of a wallet', async () => {
    const provider = await startProvider()
    provider.setAccount('agent', { balancePesewas: 2_350 })
    expect(json(await clientOf(provider).order()).wallet_balance).toBe(0)
  })

  it('answers 404 for an unknown bundle', async () => {
    const answer = await clientOf(await startProvider()).order({ bundle_id: 9_999 })
    expect(answer.status).toBe(404)
    expect(json(answer)).toStrictEqual(refusal('NOT_FOUND'))
  })

  it.each([
    ['an order without a bundle', { phone: '0241234567' }],
    ['an order without a phone', { bundle_id: 4 }],
    ['a phone of nine digits', { bundle_id: 4, phone: '024123456' }],
    ['an international phone', { bundle_id: 4, phone: '+233241234567' }],
    ['a bundle id that is text', { bundle_id: '4', phone: '0241234567' }],
    ['a webhook that is not an address', { ...mtn5gb, webhook_url: 'nowhere' }],
    ['an array', [mtn5gb]],
    ['a body that is not JSON', '{"bundle_id":4'],
    ['an empty body', ''],
  ])('refuses %s with a 400', async (_what, body) => {
    const provider = await startProvider()
    const answer = await clientOf(provider).post('/order', body)
    expect(answer.status).toBe(400)
    expect(json(answer)).toStrictEqual(refusal('VALIDATION_ERROR'))
    expect(provider.debits()).toEqual([])
  })

  it.each(['http://example.com/hook', 'http://10.0.0.1/hook', 'http://127.0.0.1.example.com/hook'])(
    'refuses a webhook_url beyond this machine: %s',
    async (webhook_url) => {
      const provider = await startProvider()
      const answer = await clientOf(provider).order({ webhook_url })
      expect(answer.status).toBe(422)
      expect(json(answer)).toStrictEqual(refusal('UNPROCESSABLE'))
      expect(provider.debits()).toEqual([])
    },
  )
})

describe('the simulated POST /order/bulk', () => {
  const phones = ['0241234561', '0241234562', '0241234563']

  it('answers 201 with one order and debits the total in one transaction', async () => {
    const provider = await startProvider({ now })
    const answer = await clientOf(provider).bulk({ phones })
    expect(answer.status).toBe(201)
    expect(json(answer)).toStrictEqual({
      success: true,
      message: expect.any(String),
      bulk_order: {
        id: expect.any(Number),
        reference: expect.stringMatching(/^BUD-BULK-[A-Z0-9]+-\d+$/),
        bundle_id: 4,
        total_quantity: 3,
        total_price: 70.5,
        status: 'processing',
        placed_at: noonText,
      },
      wallet_balance: 429.5,
    })
    expect(provider.debits()).toEqual([
      expect.objectContaining({ amountPesewas: 7_050, reference: latest(provider) }),
    ])
  })

  it('accepts 100 phones and refuses 101 phones, none, a malformed one and a repeated one', async () => {
    const provider = await startProvider()
    provider.setAccount('agent', { balancePesewas: 1_000_000 })
    const client = clientOf(provider)
    const many = Array.from({ length: 101 }, (_, index) => `0240000${String(index).padStart(3, '0')}`)
    for (const refused of [many, [], ['024'], [...phones, phones[0]]]) {
      const answer = await client.bulk({ phones: refused })
      expect(answer.status).toBe(400)
      expect(json(answer)).toStrictEqual(refusal('VALIDATION_ERROR'))
    }
    expect(provider.debits()).toEqual([])
    expect((await client.bulk({ phones: many.slice(1) })).status).toBe(201)
  })

  it('refuses the whole order if some phones have a pending order, and names the phones', async () => {
    const provider = await startProvider()
    const client = clientOf(provider)
    await client.order({ phone: phones[1] })
    const answer = await client.bulk({ phones })
    expect(answer.status).toBe(409)
    expect(json(answer)).toStrictEqual(refusal('PENDING_ORDER'))
    expect(json(answer).message).toContain(phones[1])
    expect(json(answer).message).not.toContain(phones[0])
    expect(provider.debits()).toHaveLength(1)
  })

  it('can be set to leave out pending and repeated phones instead of refusing the order', async () => {
    const provider = await startProvider({ settings: { bulkPending: 'skip' } })
    const client = clientOf(provider)
    await client.order({ phone: phones[1] })
    const answer = await client.bulk({ phones: [...phones, phones[0]] })
    expect(json(answer).bulk_order).toMatchObject({ total_quantity: 2, total_price: 47 })
    expect((await client.bulk({ phones })).status).toBe(409)
  })

  it('answers 402 if the wallet holds less than the total', async () => {
    const provider = await startProvider()
    provider.setAccount('agent', { balancePesewas: 7_049 })
    expect((await clientOf(provider).bulk({ phones })).status).toBe(402)
    expect(provider.account('agent').balancePesewas).toBe(7_049)
  })
})

describe('the simulated GET /order/status/{reference}', () => {
  const record = { type: 'single', network: 'MTN', volume: '5GB', phone: '0241234567', price: 23.5 }

  it('has delivered_at only after the order is delivered', async () => {
    const provider = await startProvider({ now })
    const client = clientOf(provider)
    await client.order()
    const reference = latest(provider)
    const before = await client.get(`/order/status/${reference}`)
    expect(before.status).toBe(200)
    expect(json(before)).toStrictEqual({
      success: true,
      order: { ...record, reference, status: 'processing', placed_at: noonText },
    })
    provider.setStatus(reference, 'delivered')
    expect(json(await client.get(`/order/status/${reference}`)).order).toStrictEqual({
      ...record,
      reference,
      status: 'delivered',
      placed_at: noonText,
      delivered_at: noonText,
    })
  })

  it('lists the recipients of a bulk order only if the setting says so', async () => {
    const provider = await startProvider({ now })
    const client = clientOf(provider)
    await client.bulk({ phones: ['0241234561', '0241234562'] })
    const reference = latest(provider)
    provider.setStatus(reference, 'delivered', { phone: '0241234562' })
    const whole = {
      reference,
      type: 'bulk',
      network: 'MTN',
      volume: '5GB',
      price: 23.5,
      status: 'processing',
      placed_at: noonText,
      bundle_id: 4,
      total_quantity: 2,
      total_price: 47,
    }
    expect(json(await client.get(`/order/status/${reference}`)).order).toStrictEqual(whole)
    provider.settings({ bulkRecipients: true })
    expect(json(await client.get(`/order/status/${reference}`)).order).toStrictEqual({
      ...whole,
      recipients: [
        { phone: '0241234561', status: 'processing' },
        { phone: '0241234562', status: 'delivered', delivered_at: noonText },
      ],
    })
  })

  it('can be set to answer for the references of all accounts', async () => {
    const provider = await startProvider()
    await clientOf(provider, provider.account('dealer')).order()
    provider.settings({ lookUp: 'all' })
    expect((await clientOf(provider).get(`/order/status/${latest(provider)}`)).status).toBe(200)
    expect((await clientOf(provider).get('/order/status/BUD-API-NONE-1')).status).toBe(404)
  })

  it('answers 404 for an unknown reference and for one of another account', async () => {
    const provider = await startProvider()
    await clientOf(provider, provider.account('dealer')).order()
    for (const reference of ['BUD-API-NONE-1', latest(provider), 'x'.repeat(200)]) {
      const answer = await clientOf(provider).get(`/order/status/${reference}`)
      expect(answer.status).toBe(404)
      expect(json(answer)).toStrictEqual(refusal('NOT_FOUND'))
    }
  })
})

describe('the simulated GET /wallet/balance', () => {
  it.each(['user', 'agent', 'dealer', 'merchant'] as const)(
    'returns the balance to a %s',
    async (accountType) => {
      const provider = await startProvider({ now })
      const answer = await clientOf(provider, provider.account(accountType)).get('/wallet/balance')
      expect(answer.status).toBe(200)
      expect(json(answer)).toStrictEqual({
        success: true,
        balance: 500,
        currency: 'GHS',
        account_type: accountType,
        timestamp: noonText,
      })
    },
  )

  it('writes every amount with at most two decimals', async () => {
    const provider = await startProvider()
    const client = clientOf(provider)
    provider.setAccount('agent', { balancePesewas: 30 })
    await client.order({ bundle_id: 46 })
    expect((await client.get('/wallet/balance')).text).toContain('"balance":0.2,')
    await client.order({ bundle_id: 47, phone: '0261234567' })
    expect((await client.get('/wallet/balance')).text).toContain('"balance":0,')
  })

  it('gives the time of the provider’s clock, as the Date header does', async () => {
    const provider = await startProvider({ now, settings: { clockSkewMs: -3_600_000 } })
    const answer = await clientOf(provider).get('/wallet/balance')
    expect(json(answer).timestamp).toBe('2025-01-02T11:00:00+00:00')
    expect(answer.headers.get('date')).toBe('Thu, 02 Jan 2025 11:00:00 GMT')
  })
})

describe('the simulated GET /transactions', () => {
  const place = async (count: number) => {
    const provider = await startProvider({ now })
    const client = clientOf(provider)
    for (let index = 0; index < count; index++)
      await client.order({ bundle_id: 46, phone: `026000000${index}` })
    return { provider, client }
  }

  it('lists debits and refunds, newest first, with the balance after each', async () => {
    const { provider, client } = await place(1)
    const reference = latest(provider)
    provider.setStatus(reference, 'failed')
    const answer = await client.get('/transactions')
    expect(answer.status).toBe(200)
    const entry = { amount: 0.1, reference, created_at: noonText }
    expect(json(answer)).toStrictEqual({
      success: true,
      transactions: [
        {
          ...entry,
          id: 2,
          type: 'credit',
          description: 'Refund: AirtelTigo 10MB for 0260000000',
          balance_after: 500,
        },
        {
          ...entry,
          id: 1,
          type: 'debit',
          description: 'AirtelTigo 10MB for 0260000000',
          balance_after: 499.9,
        },
      ],
      pagination: { current_page: 1, per_page: 20, total: 2, last_page: 1 },
    })
  })

  it('has pages without gaps or repeated entries', async () => {
    const { client } = await place(5)
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => json(await client.get(`/transactions?page=${page}&per_page=2`))),
    )
    const ids = pages.map((page) => (page.transactions as { id: number }[]).map(({ id }) => id))
    expect(ids).toEqual([[5, 4], [3, 2], [1], []])
    expect(pages[1]?.pagination).toStrictEqual({ current_page: 2, per_page: 2, total: 5, last_page: 3 })
  })

  it('returns one empty page for a new account', async () => {
    const { client } = await place(0)
    expect(json(await client.get('/transactions'))).toStrictEqual({
      success: true,
      transactions: [],
      pagination: { current_page: 1, per_page: 20, total: 0, last_page: 1 },
    })
  })

  it('returns at most 100 entries a page', async () => {
    const { client } = await place(0)
    const { pagination } = json(await client.get('/transactions?per_page=500'))
    expect(pagination).toMatchObject({ per_page: 100 })
  })

  it.each(['page=0', 'page=x', 'per_page=0', 'per_page=1.5'])('refuses %s with a 400', async (query) => {
    const { client } = await place(0)
    const answer = await client.get(`/transactions?${query}`)
    expect(answer.status).toBe(400)
    expect(json(answer)).toStrictEqual(refusal('VALIDATION_ERROR'))
  })
})

describe('the simulated provider’s credentials', () => {
  const paths = ['/bundles', '/order/status/BUD-API-X-1', '/wallet/balance', '/transactions']

  it.each(paths)('are both required by GET %s', async (path) => {
    const provider = await startProvider()
    const { apiKey, apiSecret } = provider.account('agent')
    const { apiSecret: othersSecret } = provider.account('user')
    for (const [key, secret] of [
      ['', ''],
      [apiKey, ''],
      ['', apiSecret],
      [apiKey, othersSecret],
    ] as const) {
      const answer = await clientOf(provider, { apiKey: key, apiSecret: secret }).get(path)
      expect(answer.status).toBe(401)
      expect(json(answer)).toStrictEqual(refusal('UNAUTHORIZED'))
    }
  })

  it('are checked before the body is read', async () => {
    const provider = await startProvider()
    const stranger = clientOf(provider, { apiKey: 'x', apiSecret: 'y' })
    expect((await stranger.post('/order', 'not json')).status).toBe(401)
    expect((await stranger.post('/order/bulk', {})).status).toBe(401)
  })

  it('are refused with a 401 while their account is disabled', async () => {
    const provider = await startProvider()
    const client = clientOf(provider)
    provider.setAccount('agent', { disabled: true })
    expect(json(await client.get('/wallet/balance'))).toStrictEqual(refusal('UNAUTHORIZED'))
    provider.setAccount('agent', { disabled: false })
    expect((await client.get('/wallet/balance')).status).toBe(200)
  })

  it('are different for each added account, and identify it', async () => {
    const provider = await startProvider()
    const [one, two] = [provider.addAccount(), provider.addAccount({ accountType: 'dealer' })]
    expect(new Set([one.apiKey, two.apiKey, one.apiSecret, two.apiSecret]).size).toBe(4)
    expect(provider.account(two.apiKey)).toEqual(two)
    expect(json(await clientOf(provider, two).get('/wallet/balance')).account_type).toBe('dealer')
  })

  it('are never recorded with the requests', async () => {
    const provider = await startProvider()
    await clientOf(provider).order()
    const { apiKey, apiSecret } = provider.account('agent')
    const [recorded] = provider.requests()
    expect(recorded).toMatchObject({ method: 'POST', path: '/order', status: 201, body: mtn5gb })
    const text = JSON.stringify([provider.requests(), provider.state().requests])
    expect(text).not.toContain(apiSecret)
    expect(text).not.toContain(apiKey)
  })
})

it('the simulated provider answers NOT_FOUND to an unknown path, and VALIDATION_ERROR to an unreadable body', async () => {
  const provider = await startProvider()
  const client = clientOf(provider)
  expect(json(await client.get('/nothing'))).toStrictEqual(refusal('NOT_FOUND'))
  const answer = await client.post('/order', 'x'.repeat(2 ** 20 + 1))
  expect(answer.status).toBe(400)
  expect(json(answer)).toStrictEqual(refusal('VALIDATION_ERROR'))
  expect(provider.requests()).toHaveLength(2)
  const undecodable = await client.get('/order/status/%ZZ')
  expect(undecodable.status).toBe(400)
  expect(json(undecodable)).toStrictEqual(refusal('VALIDATION_ERROR'))
})
