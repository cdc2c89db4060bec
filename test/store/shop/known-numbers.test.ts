import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { openPlacements, type Placement, placements } from '../../../src/domain/order/placement.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { prefixFact } from '../../../src/store/operators/facts.ts'
import type { OrderPatch } from '../../../src/store/orders/order-placing.ts'
import type { Store } from '../../../src/store/store.ts'
import { addAccount, addOrder } from '../../orders/placed-orders.ts'
import { newStore } from '../../support/database.ts'

const at = new Date('2026-11-24T10:00:00Z')
const phone = '0241234567' as Phone
const other = '0247654321' as Phone
const [owners, agents] = [
  { accountId: 'a', agentId: 0 },
  { accountId: 'a', agentId: 7 },
]
const balance = { balancePesewas: null, balanceAt: null }
const nothing = { saved: null, ported: null, served: [], prefixes: null, balance }

/** Orders for the number, each on a network named after the order's placement. */
const orderInEach = async (store: Store, accountId: string): Promise<void> => {
  for (const placement of placements) {
    for (const id of [`${accountId} ${placement}`, `${accountId} ${placement} again`]) {
      await addOrder(store, { id, accountId, now: at }, [], phone)
      await store.orders.patch(id, { placement, network: placement } as OrderPatch, at)
    }
  }
}

test('one query reads everything that is known about a number, as separate queries would', async () => {
  const store = await newStore()
  await addAccount(store, 'a', at)
  expect(await store.knownNumbers.of(owners, phone)).toEqual(nothing)
  await store.contacts.save(owners, [{ name: 'Ama', phone }], { now: at, newId })
  await store.ported.keep('a', [phone], 'Telecel', at)
  await store.facts.write(prefixFact, '{"0241":["MTN"]}')
  const known = await store.knownNumbers.of(owners, phone)
  expect(known).toEqual({
    saved: await store.contacts.byPhone(owners, phone),
    ported: 'Telecel',
    served: [],
    prefixes: '{"0241":["MTN"]}',
    balance,
  })
  expect(known.saved).toMatchObject({ name: 'Ama', phone })
  const prefixes = { prefixes: known.prefixes }
  expect(await store.knownNumbers.of(agents, phone)).toEqual({ ...known, saved: null })
  expect(await store.knownNumbers.of(owners, other)).toEqual({ ...nothing, ...prefixes })
  expect(await store.knownNumbers.of({ accountId: 'b', agentId: 0 }, phone)).toEqual({
    ...nothing,
    ...prefixes,
    balance: null,
  })
  const topped = { balancePesewas: pesewas(2350), balanceAt: at }
  await store.accounts.rememberBalance('a', { ...topped, accountType: null }, null)
  expect((await store.knownNumbers.of(owners, phone)).balance).toEqual(topped)
})

test('a number counts as served on each network on which the account ordered for it without a refusal', async () => {
  const store = await newStore()
  for (const accountId of ['a', 'b']) await addAccount(store, accountId, at)
  await orderInEach(store, 'b')
  expect(await store.knownNumbers.of(owners, phone)).toEqual(nothing)
  await orderInEach(store, 'a')
  const served: Placement[] = [...openPlacements, 'placed']
  expect(await store.knownNumbers.of(owners, phone)).toEqual({ ...nothing, served: served.toSorted() })
  expect(await store.orders.servedOn('a', [phone])).toEqual({ [phone]: served.toSorted() })
})

test('a number counts as often served after three orders that were not refused, of which an agent’s must be the agent’s own', async () => {
  const store = await newStore()
  for (const accountId of ['a', 'b']) await addAccount(store, accountId, at)
  for (const id of ['1', '2', '3']) await addOrder(store, { id, accountId: 'a', now: at }, [], phone)
  await addOrder(store, { id: '4', accountId: 'a', now: at }, [], other)
  await addOrder(store, { id: '5', accountId: 'b', now: at }, [], other)
  expect(await store.knownNumbers.repeated('a')).toEqual([phone])
  expect(await store.knownNumbers.oftenServed(owners, [phone, other])).toEqual(new Set([phone]))
  expect(await store.knownNumbers.oftenServed(agents, [phone, other])).toEqual(new Set())
  await store.orders.patch('3', { placement: 'rejected' } as OrderPatch, at)
  expect(await store.knownNumbers.oftenServed(owners, [phone])).toEqual(new Set())
})
