import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createProvider, type ProviderSimulator } from '../../../src/sandbox/index.ts'
import { Ledger } from '../../../src/sandbox/provider/ledger.ts'
import { runs } from '../../support/runs.ts'
import { clientOf } from './client.ts'

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0)

const amounts = (provider: ProviderSimulator, type: 'debit' | 'credit', reference?: string): number[] =>
  provider
    .transactions()
    .filter((each) => each.type === type && (reference ?? each.reference) === each.reference)
    .map(({ amountPesewas }) => amountPesewas)

const giveBack = new Set(['failed', 'cancelled', 'refunded'])

/** Adds the recipients who are due a refund now to those who were before. It looks at the public state alone. */
const noteOwed = (provider: ProviderSimulator, owed: Map<string, Set<string>>): void => {
  for (const { reference, phones } of provider.orders()) {
    const known = owed.get(reference) ?? new Set()
    for (const { phone, status } of phones) if (giveBack.has(status)) known.add(phone)
    owed.set(reference, known)
  }
}

const phones = fc.constantFrom('0241111111', '0242222222', '0243333333', '0244444444', '0245555555')
const bundles = fc.constantFrom(1, 4, 22, 46, 47, 67)
const statuses = fc.constantFrom('placed', 'processing', 'delivered', ...giveBack, 'on_hold')

const commands = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('order' as const), bundle_id: bundles, phone: phones }),
    fc.record({
      do: fc.constant('bulk' as const),
      bundle_id: bundles,
      phones: fc.uniqueArray(phones, { minLength: 1 }),
    }),
    fc.record({
      do: fc.constant('move' as const),
      which: fc.nat(),
      status: statuses,
      recipient: fc.option(fc.nat()),
    }),
  ),
  { maxLength: 30 },
)

type Command = typeof commands extends fc.Arbitrary<(infer One)[]> ? One : never

const run = async (provider: ProviderSimulator, command: Command): Promise<void> => {
  const client = clientOf(provider, provider.account('only'))
  if (command.do === 'order') await client.post('/order', command)
  else if (command.do === 'bulk') await client.post('/order/bulk', command)
  else {
    const order = provider.orders()[command.which % (provider.orders().length || 1)]
    if (!order) return
    const recipient =
      command.recipient === null ? undefined : order.phones[command.recipient % order.phones.length]
    provider.setStatus(order.reference, command.status, recipient ? { phone: recipient.phone } : {})
  }
}

const expectConserved = (
  provider: ProviderSimulator,
  start: number,
  owed: Map<string, Set<string>>,
): void => {
  const balance = provider.account('only').balancePesewas
  expect(balance).toBe(start - sum(amounts(provider, 'debit')) + sum(amounts(provider, 'credit')))
  expect(balance).toBeGreaterThanOrEqual(0)
  expect(provider.transactions().at(-1)?.balanceAfterPesewas ?? start).toBe(balance)
  for (const order of provider.orders()) {
    expect(amounts(provider, 'debit', order.reference)).toEqual([order.totalPesewas])
    const recipientsOwed = owed.get(order.reference)?.size ?? 0
    expect(sum(amounts(provider, 'credit', order.reference))).toBe(recipientsOwed * order.pricePesewas)
  }
  expect(amounts(provider, 'debit')).toHaveLength(provider.orders().length)
}

describe('the simulated provider’s ledger', () => {
  it('always adds up, with one debit an order and one refund a recipient', async () => {
    await fc.assert(
      fc.asyncProperty(commands, fc.integer({ min: 0, max: 60_000 }), async (sequence, start) => {
        const provider = await createProvider({
          accounts: [{ id: 'only', balancePesewas: start }],
        })
        const owed = new Map<string, Set<string>>()
        try {
          for (const command of sequence) {
            await run(provider, command)
            noteOwed(provider, owed)
            expectConserved(provider, start, owed)
          }
        } finally {
          await provider.stop()
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('keeps the accounts apart', () => {
    const ledger = new Ledger(() => 0)
    ledger.setBalance('one', 100)
    ledger.setBalance('two', 100)
    ledger.debit({ accountId: 'one', amountPesewas: 40, description: '', reference: 'A' })
    expect(ledger.balance('two')).toBe(100)
    expect(ledger.all('two')).toEqual([])
    expect(ledger.visible('one', 0)).toHaveLength(1)
  })

  it('hides a late entry until its time, although its money has moved', () => {
    const ledger = new Ledger(() => 0)
    ledger.setBalance('one', 100)
    const debit = ledger.debit({ accountId: 'one', amountPesewas: 40, description: '', reference: 'A' })
    ledger.hide(debit?.id ?? 0, 5_000)
    expect(ledger.balance('one')).toBe(60)
    expect(ledger.visible('one', 4_999)).toEqual([])
    expect(ledger.visible('one', 5_000)).toEqual([debit])
    expect(ledger.all('one')).toEqual([debit])
  })

  it('notes by this machine’s clock when an entry was made and became visible', () => {
    let nowMs = 1_000
    const ledger = new Ledger(
      () => nowMs + 60_000,
      () => nowMs,
    )
    ledger.setBalance('one', 100)
    const debits = ['A', 'B', 'C'].map((reference) =>
      ledger.debit({ accountId: 'one', amountPesewas: 20, description: '', reference }),
    )
    for (const debit of debits.slice(1)) ledger.hide(debit?.id ?? 0, 69_000)
    const times = () => ledger.timed().map(({ atMs, visibleAtMs }) => [atMs, visibleAtMs])
    expect(times()).toEqual([
      [1_000, 1_000],
      [1_000, 9_000],
      [1_000, 9_000],
    ])
    nowMs = 4_000
    ledger.showAll('one')
    expect(times()).toEqual([
      [1_000, 1_000],
      [1_000, 4_000],
      [1_000, 4_000],
    ])
  })
})
