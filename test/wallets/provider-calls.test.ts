import { expect, test } from 'vitest'
import { type Phone, type Provider, ProviderError } from '../../src/provider/index.ts'
import { type ProviderCall, watchCalls } from '../../src/wallets/provider-calls.ts'

/** A provider that answers every request in this way. */
const providerOf = (answer: unknown): { provider: Provider; calls: ProviderCall[] } => {
  const respond = async () => {
    if (answer instanceof Error) throw answer
    return answer as never
  }
  const plain: Provider = {
    bundles: respond,
    placeOrder: respond,
    placeBulkOrder: respond,
    orderStatus: respond,
    balance: respond,
    transactions: respond,
  }
  const calls: ProviderCall[] = []
  return { provider: watchCalls(plain, (call) => calls.push(call)), calls }
}

test('a read of the provider is recorded as ok or with its error’s code', async () => {
  const well = providerOf({ balancePesewas: 1 })
  await well.provider.balance()
  await well.provider.transactions({ page: 1 })
  expect(well.calls.map(({ endpoint, outcome }) => [endpoint, outcome])).toEqual([
    ['balance', 'ok'],
    ['transactions', 'ok'],
  ])
  const error = new ProviderError('rate_limited', 'Too many.')
  const ill = providerOf(error)
  await expect(ill.provider.orderStatus('r')).rejects.toBe(error)
  await expect(providerOf(new Error('x')).provider.bundles()).rejects.toThrow('x')
  expect(ill.calls).toMatchObject([{ endpoint: 'orderStatus', outcome: 'rate_limited' }])
})

test('an order’s request to the provider is recorded with its outcome, and why if it was not sent', async () => {
  const order = { bundleId: 1, phone: '0241234567' as Phone }
  const outcomes: string[] = []
  for (const answer of [
    { kind: 'placed' },
    { kind: 'unconfirmed', reason: 'timeout' },
    { kind: 'rejected', httpStatus: 402 },
    { kind: 'not_sent', reason: 'rate_limited' },
  ]) {
    const { provider, calls } = providerOf(answer)
    await provider.placeOrder(order)
    outcomes.push(...calls.map(({ outcome }) => outcome))
  }
  expect(outcomes).toEqual(['placed', 'unconfirmed', 'rejected', 'rate_limited'])
})
