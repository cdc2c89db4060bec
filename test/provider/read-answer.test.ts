import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bundlesIn } from '../../src/provider/bundle.ts'
import { ProviderError } from '../../src/provider/index.ts'
import { orderStatusIn } from '../../src/provider/order-answer.ts'
import { readAnswer } from '../../src/provider/read-answer.ts'
import { balanceIn, transactionsIn } from '../../src/provider/wallet.ts'
import { runs } from '../support/runs.ts'
import { clientOf } from './client.ts'
import { always, jsonAnswer, rawAnswer, startRawServer } from './raw-server.ts'

const clientAnswered = async (bytes: Buffer) => clientOf(await startRawServer(always(bytes)))
const clientTold = (body: unknown) => clientAnswered(jsonAnswer(200, body))

describe('a read of the provider throws the right error after the answer', () => {
  const no = { success: false, error: 'No', type: 'ODD', message: 'It cannot be.' }
  const words = { type: 'ODD', providerMessage: 'It cannot be.' }
  test.each<[string, Buffer, object]>([
    ['400', jsonAnswer(400, no), { code: 'invalid_request', httpStatus: 400, ...words }],
    ['401', jsonAnswer(401, no), { code: 'unauthorized', httpStatus: 401, ...words }],
    ['401 without a body', rawAnswer(401, ''), { code: 'unauthorized', providerMessage: null }],
    ['404', jsonAnswer(404, no), { code: 'not_found', httpStatus: 404, ...words }],
    ['404 of another kind of server', rawAnswer(404, '<html>'), { code: 'bad_answer', httpStatus: 404 }],
    ['403', jsonAnswer(403, no), { code: 'refused', httpStatus: 403 }],
    ['422', jsonAnswer(422, no), { code: 'refused', httpStatus: 422 }],
    ['429', jsonAnswer(429, no, { 'retry-after': '7' }), { code: 'rate_limited', retryAfterMs: 7000 }],
    [
      '429 of another kind of server',
      rawAnswer(429, '<html>'),
      { code: 'rate_limited', retryAfterMs: 60_000 },
    ],
    ['500', jsonAnswer(500, no), { code: 'server_error', httpStatus: 500, ...words }],
    ['502 of another kind of server', rawAnswer(502, '<html>'), { code: 'server_error', httpStatus: 502 }],
    ['a redirect', rawAnswer(302, '', { location: '/' }), { code: 'bad_answer', httpStatus: 302 }],
    ['success: false in a 200', jsonAnswer(200, no), { code: 'refused', httpStatus: 200, ...words }],
    ['a body that is not JSON', rawAnswer(200, 'balance: 5'), { code: 'bad_answer', httpStatus: 200 }],
    ['a body that is a list', jsonAnswer(200, []), { code: 'bad_answer' }],
    ['a body without the requested data', jsonAnswer(200, { success: true }), { code: 'bad_answer' }],
    ['a body that is too large', rawAnswer(200, ' '.repeat(1024 * 1024 + 1)), { code: 'too_large' }],
  ])('%s', async (_answer, bytes, error) => {
    const client = await clientAnswered(bytes)
    const thrown = client.balance()
    await expect(thrown).rejects.toBeInstanceOf(ProviderError)
    await expect(thrown).rejects.toMatchObject(error)
  })

  test('a connection that breaks', async () => {
    const server = await startRawServer((socket) => socket.resetAndDestroy())
    await expect(clientOf(server).balance()).rejects.toMatchObject({ code: 'connection_lost' })
  })
})

describe('a balance', () => {
  test('is read to the pesewa, with its other fields in any form', async () => {
    const client = await clientTold({
      balance: 0.1 + 0.2,
      timestamp: '2026-03-01 12:00:00',
      account_type: null,
    })
    expect(await client.balance()).toMatchObject({
      balancePesewas: 30,
      currency: 'GHS',
      accountType: null,
      timestamp: new Date('2026-03-01T12:00:00Z'),
      meta: { httpStatus: 200, serverDate: null },
    })
  })

  test('comes with the provider’s time and the bot’s', async () => {
    const date = 'Sun, 01 Mar 2026 12:00:00 GMT'
    const server = await startRawServer(always(jsonAnswer(200, { balance: 1 }, { date })))
    let clock = 1_000
    const { meta } = await clientOf(server, { now: () => clock++ }).balance()
    expect(meta.serverDate).toEqual(new Date(date))
    expect(meta.sentAt.getTime()).toBeLessThan(meta.receivedAt.getTime())
  })
})

describe('a list of bundles', () => {
  const good = { id: 1, network: 'MTN', volume: '5GB', price: 23.5, offer_slug: 'x', status: 'active' }
  const read = { id: 1, network: 'MTN', volume: '5GB', pricePesewas: 2350, offerSlug: 'x', status: 'active' }

  test('leaves out the bundles that cannot be read, and counts them', async () => {
    const client = await clientTold({
      account_type: 'agent',
      bundles: [
        { ...good, price: null },
        { ...good, id: '1', price: '23.50', network: 'mtn' },
        { ...good, price: -1 },
        { ...good, id: 'one' },
        { ...good, volume: ' ' },
        null,
        'text',
      ],
    })
    expect(await client.bundles()).toMatchObject({ accountType: 'agent', bundles: [read], unreadable: 6 })
  })

  test('keeps the name of an unknown network, and null for missing details', async () => {
    const client = await clientTold({ bundles: [{ id: 2, network: 'Nova', volume: '1GB', price: 5 }] })
    expect((await client.bundles()).bundles).toEqual([
      { id: 2, network: 'Nova', volume: '1GB', pricePesewas: 500, offerSlug: null, status: null },
    ])
  })

  test.each([{ bundles: {} }, { bundles: null }, {}])('is not read from %j', async (body) => {
    await expect((await clientTold(body)).bundles()).rejects.toMatchObject({ code: 'bad_answer' })
  })
})

describe('a page of transactions', () => {
  const entry = {
    id: 9,
    type: 'debit',
    amount: '23.50',
    reference: 'BUD-API-X-1',
    created_at: '2026-03-01T12:00:00+00:00',
  }

  test('counts its unreadable entries, so that it does not seem complete', async () => {
    const client = await clientTold({
      transactions: [entry, { ...entry, amount: 'much' }, 7, { ...entry, id: 'tx-2', type: 'Credit' }],
      pagination: { current_page: '1', per_page: 20, total: '4', last_page: 1 },
    })
    const page = await client.transactions()
    expect(page).toMatchObject({
      unreadable: 2,
      pagination: { currentPage: 1, perPage: 20, total: 4, lastPage: 1 },
    })
    expect(page.transactions).toEqual([
      {
        id: 9,
        type: 'debit',
        amountPesewas: 2350,
        description: null,
        reference: 'BUD-API-X-1',
        balanceAfterPesewas: null,
        createdAt: new Date('2026-03-01T12:00:00Z'),
      },
      expect.objectContaining({ id: 'tx-2', type: 'credit' }),
    ])
  })

  test('may be empty, and may lack pagination', async () => {
    expect(await (await clientTold({ transactions: [] })).transactions()).toMatchObject({
      transactions: [],
      unreadable: 0,
      pagination: null,
    })
  })

  test('is not read from null', async () => {
    const read = (await clientTold({ success: true, transactions: null })).transactions()
    await expect(read).rejects.toMatchObject({ code: 'bad_answer' })
  })
})

describe('the answer about an order’s status', () => {
  const reference = 'BUD-BULK-X-1'
  const statusOf = (body: object) => orderStatusIn(body as Record<string, unknown>, reference)

  test('is read with all fields of a delivered single order', async () => {
    const order = {
      reference,
      type: 'single',
      network: 'Telecel',
      volume: '2GB',
      phone: '233201234567',
      price: 9.99,
      status: 'delivered',
      placed_at: '2026-03-01T12:00:00+00:00',
      delivered_at: '2026-03-01T12:03:00+00:00',
    }
    expect(await (await clientTold({ success: true, order })).orderStatus(reference)).toMatchObject({
      reference,
      phone: '0201234567',
      pricePesewas: 999,
      status: 'delivered',
      deliveredAt: new Date('2026-03-01T12:03:00Z'),
      recipients: null,
      unreadableRecipients: 0,
    })
  })

  test.each([
    ['order', { order: { reference, status: 'processing' } }],
    ['bulk_order', { bulk_order: { reference, status: 'processing' } }],
    ['data', { data: { reference, status: 'processing' } }],
    ['data.order', { data: { order: { reference, status: 'processing' } } }],
    ['the top level of the body', { success: true, reference, status: 'processing' }],
    ['a record without a reference', { order: { status: 'processing' } }],
  ])('is found in %s', (_place, body) => {
    expect(statusOf(body)).toMatchObject({ reference, status: 'processing' })
  })

  const two = [
    { phone: '0241234567', status: 'delivered', deliveredAt: null },
    { phone: '0201234567', status: 'failed', deliveredAt: null },
  ]
  test.each<[string, unknown]>([
    [
      'recipients',
      [
        { phone: '0241234567', status: 'delivered' },
        { phone: '0201234567', status: 'failed' },
      ],
    ],
    [
      'phones',
      [
        { number: 241234567, status: 'Delivered' },
        { msisdn: '+233201234567', state: 'failed' },
      ],
    ],
    ['items', { '0241234567': 'delivered', '0201234567': { status: 'failed' } }],
  ])('has the order’s recipients if the answer has them in “%s”', (name, list) => {
    expect(statusOf({ order: { status: 'processing', [name]: list } })?.recipients).toEqual(two)
    expect(statusOf({ order: { status: 'processing' }, [name]: list })?.recipients).toEqual(two)
  })

  test('has a recipient without a status for each phone in a bare list, and counts masked phones as unreadable', () => {
    const status = statusOf({ order: { status: 'processing', phones: ['0241234567', '024***4567', null] } })
    expect(status).toMatchObject({
      recipients: [{ phone: '0241234567', status: null }],
      unreadableRecipients: 2,
    })
  })

  test('is not read if it is the record of another order', () => {
    expect(statusOf({ order: { reference: 'BUD-API-OTHER-2', status: 'delivered' } })).toBeNull()
  })

  test('may have an unknown status, but must have one', () => {
    expect(statusOf({ order: { reference, status: 'On hold' } })?.status).toBe('On hold')
    expect(statusOf({ order: { reference } })).toBeNull()
    expect(statusOf({ order: { reference, status: 5 } })).toBeNull()
  })
})

test('any answer, however strange, makes a read return a value or throw a ProviderError', () => {
  const names = [
    'success',
    'order',
    'data',
    'bundles',
    'transactions',
    'balance',
    'pagination',
    'status',
    'items',
  ]
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .dictionary(fc.constantFrom(...names, '__proto__'), fc.jsonValue())
      .map((object) => JSON.stringify(object)),
  )
  const contents = [bundlesIn, transactionsIn, balanceIn, (json: object) => orderStatusIn({ ...json }, 'R')]
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), body, fc.string(), (status, text, retryAfter) => {
      const head = { status, headers: { 'retry-after': retryAfter }, sentAtMs: 0, receivedAtMs: 1 }
      for (const content of contents) {
        try {
          const answer = readAnswer<object>(
            { kind: 'answered', head, body: Buffer.from(text) },
            { content, now: Date.now, scrub: (words) => words },
          )
          expect(answer.meta.httpStatus).toBe(status)
        } catch (error) {
          expect(error).toBeInstanceOf(ProviderError)
        }
      }
    }),
    { numRuns: runs(500) },
  )
})
