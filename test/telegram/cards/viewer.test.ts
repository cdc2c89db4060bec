import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pendingPhones } from '../../../src/domain/order/refused.ts'
import type { AgentPrices } from '../../../src/domain/selling/price-rule.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { orderSeenBy, type View, type ViewerRole } from '../../../src/telegram/cards/viewer.ts'
import { confirmed, phone } from '../words/any-order.ts'

const ownersView: View = { role: 'owner', prices: 'cost' }
const others: ViewerRole[] = ['agent', 'removed_agent', 'former_owner', null]

test('only an owner sees the balance and figures in the provider’s words', () => {
  const order = {
    ...confirmed,
    balancePesewas: pesewas(91_371),
    providerMessage: `Balance GHS 913.71 (913,71), price 9.60; ${phone}.`,
  }
  expect(orderSeenBy(order, ownersView)).toMatchObject({
    balancePesewas: 91_371,
    providerMessage: order.providerMessage,
    priced: order,
  })
  for (const role of others) {
    expect(orderSeenBy(order, { role, prices: 'selling' })).toMatchObject({
      balancePesewas: null,
      providerMessage: `Balance GHS … (…), price …; ${phone}.`,
    })
  }
})

test('an agent sees the provider’s words without figures, except phone numbers of the order', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.string(), (before, figure, after) => {
      const order = { ...confirmed, providerMessage: `${before} ${figure / 100} ${after}` }
      expect(orderSeenBy(order, { role: 'agent', prices: 'selling' }).providerMessage).not.toMatch(/\p{N}/u)
    }),
  )
})

test('an agent still reads in a refusal which number has a pending order', () => {
  const order = {
    ...confirmed,
    placement: 'rejected' as const,
    reason: 'pending' as const,
    providerMessage: `A pending order exists for ${phone}. Balance: 913.71`,
  }
  expect(pendingPhones(orderSeenBy(order, { role: 'agent', prices: 'selling' }))).toEqual([phone])
})

const amount = fc.integer({ min: 1, max: 9_999_999 }).map(pesewas)
const anyAmounts = fc.record({
  quantity: fc.integer({ min: 1, max: 5 }),
  cost: amount,
  agentUnitPesewas: fc.option(amount, { nil: null }),
  isCharged: fc.boolean(),
  refundedPesewas: fc.option(amount, { nil: null }),
})
const columns = ['unitPricePesewas', 'chargedPesewas', 'refundedPesewas', 'agentUnitPesewas'] as const

test('a person who may not see costs sees an order in the prices that they confirmed, or without prices', () => {
  const property = fc.property(
    anyAmounts,
    fc.constantFrom(...others),
    fc.constantFrom<AgentPrices>('selling', 'none'),
    ({ quantity, cost, isCharged, ...amounts }, role, prices) => {
      const chargedPesewas = isCharged ? pesewas(cost * quantity) : null
      const order = { ...confirmed, ...amounts, quantity, unitPricePesewas: cost, chargedPesewas }
      const seen = orderSeenBy(order, { role, prices })
      expect(columns.filter((column) => column in seen)).toEqual([])
      const unit = amounts.agentUnitPesewas
      if (prices === 'none' || unit === null) expect(seen.priced).toBeNull()
      else {
        expect(seen.priced?.unitPricePesewas).toBe(unit)
        expect(seen.priced?.chargedPesewas ?? unit * quantity).toBe(unit * quantity)
        expect(seen.priced?.refundedPesewas ?? 0).toBeLessThanOrEqual(unit * quantity)
      }
    },
  )
  fc.assert(property)
})
