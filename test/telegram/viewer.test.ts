import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pendingPhones } from '../../src/orders/refused.ts'
import { pesewas } from '../../src/provider/money.ts'
import { orderSeenBy, type ViewerRole } from '../../src/telegram/viewer.ts'
import { anOrder, phone } from './texts/any-order.ts'

const others: ViewerRole[] = ['agent', 'removed_agent', 'former_owner', null]

test('only an owner sees the balance and the figures in the provider’s words', () => {
  const order = {
    ...anOrder,
    balancePesewas: pesewas(91_371),
    providerMessage: `Balance GHS 913.71 (913,71), price 9.60; ${phone}.`,
  }
  expect(orderSeenBy(order, 'owner')).toEqual(order)
  for (const role of others) {
    expect(orderSeenBy(order, role)).toMatchObject({
      balancePesewas: null,
      providerMessage: `Balance GHS … (…), price …; ${phone}.`,
    })
  }
})

test('no figure but a number of the order is left of whatever the provider says', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.string(), (before, figure, after) => {
      const order = { ...anOrder, providerMessage: `${before} ${figure / 100} ${after}` }
      expect(orderSeenBy(order, 'agent').providerMessage).not.toMatch(/\p{N}/u)
    }),
  )
})

test('a refusal that names the number with an open order still tells an agent which', () => {
  const order = {
    ...anOrder,
    placement: 'rejected' as const,
    reason: 'pending',
    providerMessage: `A pending order exists for ${phone}. Balance: 913.71`,
  }
  expect(pendingPhones(orderSeenBy(order, 'agent'))).toEqual([phone])
})
