import { beforeAll, describe, expect, test } from 'vitest'
import {
  createProvider as createClient,
  createConnections,
  type Phone,
  type Provider,
} from '../../src/provider/index.ts'
import { createProvider, type FaultKind, type ProviderSimulator } from '../../src/sandbox/index.ts'

let simulator: ProviderSimulator
const connections = createConnections()

beforeAll(async () => {
  simulator = await createProvider()
  return async () => {
    await connections.close()
    await simulator.stop()
  }
})

const contact = () => {
  const { id, apiKey, apiSecret } = simulator.addAccount()
  const client = createClient({ baseUrl: simulator.url, apiKey, apiSecret, connections })
  return { id, client }
}

const somePhone = '0241234567' as Phone
const phones = ['0241234567', '0241234568', '0241234569'] as Phone[]

const cheapest = async (client: Provider) => {
  const { bundles } = await client.bundles({ network: 'MTN' })
  const bundle = bundles.sort((one, other) => one.pricePesewas - other.pricePesewas)[0]
  if (!bundle) throw new Error('the simulator sells no MTN bundle')
  return bundle
}

test('the client can buy a single order from the simulator, from the list of bundles to the debit', async () => {
  const { id, client } = contact()
  const before = await client.balance()
  const bundle = await cheapest(client)
  const outcome = await client.placeOrder({ bundleId: bundle.id, phone: somePhone })
  if (outcome.kind !== 'placed') throw new Error(`the order is ${outcome.kind}`)
  const { reference } = outcome.order
  expect(outcome.order).toMatchObject({
    phone: somePhone,
    pricePesewas: bundle.pricePesewas,
    volume: bundle.volume,
  })
  expect(outcome.walletBalancePesewas).toBe(before.balancePesewas - bundle.pricePesewas)

  simulator.setStatus(reference, 'delivered')
  const status = await client.orderStatus(reference)
  expect(status).toMatchObject({ reference, type: 'single', status: 'delivered', recipients: null })
  expect(status.deliveredAt).toBeInstanceOf(Date)

  const { transactions, unreadable, pagination } = await client.transactions({ perPage: 5 })
  expect(transactions[0]).toMatchObject({ type: 'debit', reference, amountPesewas: bundle.pricePesewas })
  expect({ unreadable, perPage: pagination?.perPage }).toEqual({ unreadable: 0, perPage: 5 })
  expect(simulator.debits(id)).toHaveLength(1)
})

test.each([false, true])(
  'the client can place and follow a bulk order (recipients in the provider’s record: %s)',
  async (bulkRecipients) => {
    simulator.settings({ bulkRecipients })
    const { client } = contact()
    const bundle = await cheapest(client)
    const outcome = await client.placeBulkOrder({ bundleId: bundle.id, phones })
    if (outcome.kind !== 'placed') throw new Error(`the order is ${outcome.kind}`)
    const { reference } = outcome.order
    expect(outcome.order).toMatchObject({ totalQuantity: 3, totalPricePesewas: 3 * bundle.pricePesewas })
    const status = await client.orderStatus(reference)
    expect(status).toMatchObject({ status: 'processing', totalPricePesewas: 3 * bundle.pricePesewas })
    expect(status.recipients?.map(({ phone }) => phone) ?? null).toEqual(bulkRecipients ? phones : null)
  },
)

test('the client reads the type of each refusal by the simulator', async () => {
  const { id, client } = contact()
  const { id: bundleId } = await cheapest(client)
  await client.placeOrder({ bundleId, phone: somePhone })
  const pending = await client.placeOrder({ bundleId, phone: somePhone })
  expect(pending).toMatchObject({ kind: 'rejected', httpStatus: 409, type: 'PENDING_ORDER' })
  const unknown = await client.placeOrder({ bundleId: 999_999, phone: somePhone })
  expect(unknown).toMatchObject({ kind: 'rejected', httpStatus: 404 })
  simulator.setAccount(id, { balancePesewas: 0 })
  const poor = await client.placeOrder({ bundleId, phone: '0241230000' as Phone })
  expect(poor).toMatchObject({ kind: 'rejected', httpStatus: 402, type: 'INSUFFICIENT_BALANCE' })
  await expect(client.orderStatus('BUD-API-NONE-1')).rejects.toMatchObject({ code: 'not_found' })
  simulator.setAccount(id, { disabled: true })
  await expect(client.balance()).rejects.toMatchObject({ code: 'unauthorized', type: 'UNAUTHORIZED' })
  expect(await client.placeOrder({ bundleId, phone: somePhone })).toMatchObject({ httpStatus: 401 })
  expect(simulator.debits(id)).toHaveLength(1)
})

test('the client reports the request limit when it exceeds the limit', async () => {
  const { client } = contact()
  for (let reads = 0; reads < 60; reads++) await client.balance()
  await expect(client.balance()).rejects.toMatchObject({ code: 'rate_limited', type: 'RATE_LIMIT' })
})

describe('an order during the simulated fault', () => {
  test.each<[FaultKind, string, number]>([
    ['answer_lost', 'unconfirmed: connection_lost', 1],
    ['reset_before', 'unconfirmed: connection_lost', 0],
    ['error_before', 'unconfirmed: server_error', 0],
    ['error_after', 'unconfirmed: server_error', 1],
    ['bad_json', 'unconfirmed: bad_answer', 1],
    ['no_reference', 'unconfirmed: bad_answer', 1],
    ['redirect', 'unconfirmed: unexpected_status', 0],
    ['rate_limited', 'not_sent: rate_limited', 0],
  ])('“%s” is “%s”, with %i debits', async (kind, expected, debits) => {
    const { id, client } = contact()
    const { id: bundleId } = await cheapest(client)
    simulator.addFault({ kind, path: '/order' })
    const outcome = await client.placeOrder({ bundleId, phone: somePhone })
    expect('reason' in outcome ? `${outcome.kind}: ${outcome.reason}` : outcome.kind).toBe(expected)
    expect(simulator.debits(id)).toHaveLength(debits)
  })
})
