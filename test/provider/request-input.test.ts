import { expect, test } from 'vitest'
import { createProvider, type Phone, type Provider } from '../../src/provider/index.ts'
import { canaries, clientOf, phone } from './client.ts'
import { jsonAnswer, startRawServer } from './raw-server.ts'

const phones = (count: number) =>
  Array.from({ length: count }, (_, index) => `02${String(index).padStart(8, '0')}` as Phone)

test('each call of the provider’s client sends the documented request', async () => {
  const order = { reference: 'R', status: 'processing' }
  const lists = { bundles: [], transactions: [], balance: 1, order, bulk_order: order }
  const server = await startRawServer((socket) => socket.write(jsonAnswer(200, lists)))
  const client = clientOf(server)
  await client.bundles()
  await client.bundles({ network: 'AirtelTigo' })
  await client.balance()
  await client.transactions()
  await client.transactions({ page: 2, perPage: 100 })
  await client.orderStatus('R')
  await client.placeOrder({ bundleId: 7, phone })
  await client.placeOrder({ bundleId: 7, phone, webhookUrl: 'https://bot.example/webhooks/x' })
  await client.placeBulkOrder({ bundleId: 7, phones: [phone] })

  expect(server.requests.map(({ method, path, body }) => `${method} ${path} ${body}`.trim())).toEqual([
    'GET /api/v1/bundles',
    'GET /api/v1/bundles?network=AirtelTigo',
    'GET /api/v1/wallet/balance',
    'GET /api/v1/transactions',
    'GET /api/v1/transactions?page=2&per_page=100',
    'GET /api/v1/order/status/R',
    'POST /api/v1/order {"bundle_id":7,"phone":"0241234567"}',
    'POST /api/v1/order {"bundle_id":7,"phone":"0241234567","webhook_url":"https://bot.example/webhooks/x"}',
    'POST /api/v1/order/bulk {"bundle_id":7,"phones":["0241234567"]}',
  ])
  for (const { head } of server.requests) {
    expect(head).toContain(`x-api-key: ${canaries.apiKey}\r\nx-api-secret: ${canaries.apiSecret}`)
    expect(head).toContain('accept: application/json\r\ncontent-type: application/json')
    expect(head).not.toMatch(/accept-encoding|expect:/i)
  }
})

test.each(['/api/v1', '/api/v1/', '/api/v1//'])(
  'a provider’s base URL that ends in %s leads to the same path, with or without slashes at its end',
  async (path) => {
    const server = await startRawServer((socket) => socket.write(jsonAnswer(200, { balance: 1 })))
    const baseUrl = `http://127.0.0.1:${server.port}${path}`
    await createProvider({ baseUrl, ...canaries }).balance()
    expect(server.requests[0]?.path).toBe('/api/v1/wallet/balance')
  },
)

test('a reference is sent to the provider as one path segment, whatever its characters', async () => {
  const record = { order: { status: 'processing' } }
  const server = await startRawServer((socket) => socket.write(jsonAnswer(200, record)))
  await clientOf(server).orderStatus('A?b=c#d%2F..é')
  expect(server.requests[0]?.path).toBe('/api/v1/order/status/A%3Fb%3Dc%23d%252F..%C3%A9')
})

const badPhone = (text: string) => text as Phone
const invalid: [string, (client: Provider) => Promise<unknown>][] = [
  ...['', '.', '..', 'a/b', '../wallet/balance', 'a\\b', 'a b', 'a\nb', 'a\0', '\ud800', 'x'.repeat(201)].map(
    (reference): [string, (client: Provider) => Promise<unknown>] => [
      `reference ${JSON.stringify(reference).slice(0, 30)}`,
      (client) => client.orderStatus(reference),
    ],
  ),
  ['an unknown network', (client) => client.bundles({ network: 'Vodafone' as 'MTN' })],
  ['page 0', (client) => client.transactions({ page: 0 })],
  ['page 1.5', (client) => client.transactions({ page: 1.5 })],
  ['101 entries a page', (client) => client.transactions({ perPage: 101 })],
  ['bundle 0', (client) => client.placeOrder({ bundleId: 0, phone })],
  ['bundle NaN', (client) => client.placeOrder({ bundleId: Number.NaN, phone })],
  ['a bundle id beyond exact integers', (client) => client.placeOrder({ bundleId: 2 ** 53, phone })],
  ['a phone of nine digits', (client) => client.placeOrder({ bundleId: 1, phone: badPhone('024123456') })],
  [
    'a phone in another form',
    (client) => client.placeOrder({ bundleId: 1, phone: badPhone('+233241234567') }),
  ],
  [
    'a phone with a line end',
    (client) => client.placeOrder({ bundleId: 1, phone: badPhone('0241234567\n') }),
  ],
  [
    'a webhook with ftp',
    (client) => client.placeOrder({ bundleId: 1, phone, webhookUrl: 'ftp://a.example/' }),
  ],
  [
    'a webhook without a host',
    (client) => client.placeOrder({ bundleId: 1, phone, webhookUrl: '/webhooks' }),
  ],
  [
    'a webhook with a login',
    (client) => client.placeOrder({ bundleId: 1, phone, webhookUrl: 'https://u:p@a.example' }),
  ],
  ['no phones', (client) => client.placeBulkOrder({ bundleId: 1, phones: [] })],
  ['101 phones', (client) => client.placeBulkOrder({ bundleId: 1, phones: phones(101) })],
  ['a phone twice', (client) => client.placeBulkOrder({ bundleId: 1, phones: [phone, phone] })],
  ['one bad phone', (client) => client.placeBulkOrder({ bundleId: 1, phones: [phone, badPhone('5')] })],
]

test.each(invalid)('a request with %s is refused before a connection is opened', async (_input, call) => {
  const server = await startRawServer(() => {})
  const thrown = call(clientOf(server))
  await expect(thrown).rejects.toMatchObject({
    name: 'ProviderError',
    code: 'invalid_request',
    httpStatus: null,
  })
  expect(server.connections).toBe(0)
})

test('a bulk order for a hundred phones is sent in one request', async () => {
  const answer = { success: true, bulk_order: { reference: 'R', total_quantity: 100 } }
  const server = await startRawServer((socket) => socket.write(jsonAnswer(201, answer)))
  const outcome = await clientOf(server).placeBulkOrder({ bundleId: 1, phones: phones(100) })
  expect(outcome).toMatchObject({ kind: 'placed', order: { totalQuantity: 100 } })
  expect(server.requests).toHaveLength(1)
})

test.each([
  '',
  'api.example',
  'ftp://api.example',
  'https://u:p@api.example',
  'https://api.example/?a=1',
  '#',
])('the provider’s client refuses the base URL %j', (baseUrl) => {
  expect(() => createProvider({ baseUrl, ...canaries })).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})

test.each([{ postTimeoutMs: 0 }, { getTimeoutMs: 2 ** 31 }, { maxBodyBytes: Number.NaN }])(
  'the provider’s client refuses the limits %j',
  (limits) => {
    expect(() => createProvider({ baseUrl: 'https://api.example', ...canaries, limits })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    )
  },
)
