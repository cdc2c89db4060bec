import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecipientState } from '../../../src/domain/order/progress.ts'
import { paidFor, type SharedOrder, sharesOf } from '../../../src/domain/selling/shares.ts'
import { pesewas } from '../../../src/provider/money.ts'

const told = (status: string | null) => ({ status, reported: false })

const order = (changes: Partial<SharedOrder> = {}): SharedOrder => ({
  kind: 'bulk',
  placement: 'placed',
  reason: null,
  status: 'processing',
  statusReported: false,
  quantity: 3,
  acceptedQuantity: null,
  unitPricePesewas: pesewas(480),
  agentUnitPesewas: null,
  chargedPesewas: pesewas(1440),
  refundedPesewas: null,
  extraPesewas: null,
  recipients: [told('delivered'), told('failed'), told('processing')],
  ...changes,
})

const amounts = (shared: SharedOrder) =>
  sharesOf(shared)?.map(({ chargedPesewas, refundedPesewas, netPesewas }) => [
    chargedPesewas,
    refundedPesewas,
    netPesewas,
  ])

test('the refund of one price in a bulk order goes to the recipient that failed', () => {
  expect(amounts(order({ refundedPesewas: pesewas(480) }))).toEqual([
    [480, 0, 480],
    [480, 480, 0],
    [480, 0, 480],
  ])
})

test('a bulk order’s refund beyond the price of its failed recipients is shared among the others', () => {
  expect(amounts(order({ refundedPesewas: pesewas(1440) }))).toEqual([
    [480, 480, 0],
    [480, 480, 0],
    [480, 480, 0],
  ])
})

test('an order that the provider’s record calls refunded cost nothing', () => {
  const single = { kind: 'single', quantity: 1, recipients: [told(null)] } as const
  const refunded = order({ ...single, status: 'refunded', chargedPesewas: pesewas(480) })
  expect(amounts(refunded)).toEqual([[480, 480, 0]])
  expect(amounts({ ...refunded, statusReported: true })).toEqual([[480, 0, 480]])
})

test('in a bulk order accepted in part, the numbers without a status share the rest of the charge', () => {
  const part = order({ acceptedQuantity: 2, chargedPesewas: pesewas(960) })
  expect(amounts({ ...part, recipients: [told('delivered'), told(null), told(null)] })).toEqual([
    [480, 0, 480],
    [240, 0, 240],
    [240, 0, 240],
  ])
})

test.each(['queued', 'unconfirmed', 'rejected', 'not_placed'] as const)(
  'an order that is %s has no known charge to share',
  (placement) => {
    expect(sharesOf(order({ placement }))).toBeNull()
  },
)

test('the shares of an order’s recipients always add up to the order’s charge and refund', () => {
  const status = fc.constantFrom(null, 'processing', 'delivered', 'failed', 'cancelled', 'refunded')
  const any = fc
    .record({
      recipients: fc.array(fc.record({ status, reported: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      charged: fc.nat(100_000),
      refunded: fc.option(fc.nat(100_000)),
      accepted: fc.option(fc.nat(12)),
      whole: status,
    })
    .map(({ recipients, charged, refunded, accepted, whole }) =>
      order({
        recipients,
        status: whole,
        quantity: recipients.length,
        acceptedQuantity: accepted === null ? null : Math.min(Math.max(1, accepted), recipients.length),
        chargedPesewas: pesewas(charged),
        refundedPesewas: refunded === null ? null : pesewas(Math.min(charged, refunded)),
      }),
    )
  fc.assert(
    fc.property(any, (shared) => {
      const shares = sharesOf(shared) ?? []
      const total = (name: 'chargedPesewas' | 'refundedPesewas') =>
        shares.reduce((sum, share) => sum + share[name], 0)
      expect(total('chargedPesewas')).toBe(shared.chargedPesewas)
      const isBack = shared.status === 'refunded'
      expect(total('refundedPesewas')).toBe(isBack ? shared.chargedPesewas : (shared.refundedPesewas ?? 0))
      for (const { netPesewas } of shares) expect(netPesewas).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('the cost of the delivered recipients does not depend on the sequence of the recipients', () => {
  const isDelivered = (state: RecipientState) => state.kind === 'status' && state.status === 'delivered'
  const whole = order({ refundedPesewas: pesewas(500), chargedPesewas: pesewas(1441) })
  const paid = paidFor(whole, isDelivered)
  expect(paid).toBe(470)
  expect(paidFor({ ...whole, recipients: whole.recipients.toReversed() }, isDelivered)).toBe(paid)
  expect(paidFor({ ...whole, placement: 'queued' }, isDelivered)).toBeNull()
})
