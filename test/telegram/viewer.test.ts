import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pendingPhones } from '../../src/orders/refused.ts'
import { pesewas } from '../../src/provider/money.ts'
import { orderSeenBy, type View, type ViewerRole } from '../../src/telegram/viewer.ts'
import { confirmed, phone } from './texts/any-order.ts'

const ownersView: View = { role: 'owner', prices: 'cost' }
const others: ViewerRole[] = ['agent', 'removed_agent', 'former_owner', null]

test('only an owner sees the balance and the figures in the provider’s words', () => {
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

test('no figure but a number of the order is left of whatever the provider says', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.string(), (before, figure, after) => {
      const order = { ...confirmed, providerMessage: `${before} ${figure / 100} ${after}` }
      expect(orderSeenBy(order, { role: 'agent', prices: 'selling' }).providerMessage).not.toMatch(/\p{N}/u)
    }),
  )
})

test('a refusal that names the number with an open order still tells an agent which', () => {
  const order = {
    ...confirmed,
    placement: 'rejected' as const,
    reason: 'pending',
    providerMessage: `A pending order exists for ${phone}. Balance: 913.71`,
  }
  expect(pendingPhones(orderSeenBy(order, { role: 'agent', prices: 'selling' }))).toEqual([phone])
})
