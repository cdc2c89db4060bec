import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import type { Order, Purchase } from '../../../src/domain/order/order.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { bookOf } from '../../../src/store/shop/contacts.ts'
import type { Store } from '../../../src/store/store.ts'
import { newStore } from '../../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const bundle = { bundleId: 5, network: 'MTN', volume: '5GB', offerSlug: null }
const unitPricePesewas = pesewas(2350)
const orderer = { userId: 2, chatId: 2, accountId: 'a' }
const owner = { userId: 1, chatId: 1, accountId: 'a', role: 'owner' } as const
const agent = { ...orderer, role: 'agent' } as const
const stranger = { userId: 3, chatId: 3, accountId: 'b', role: 'owner' } as const
const phone = '0241234567' as Phone
const phones = [phone, '0241234568' as Phone, '0241234569' as Phone]

/** Creates two accounts with three members, whose books of contacts give the same numbers different names. */
const newShop = async (): Promise<Store> => {
  const store = await newStore()
  for (const id of ['a', 'b']) {
    const account = { id, keyHash: id, sealedKey: 'k', sealedSecret: 's', accountType: null }
    await store.accounts.insert({ ...account, now })
  }
  for (const member of [owner, agent, stranger]) {
    await store.accounts.attach(member, now)
    const numbers = phones.map((each) => ({ phone: each, name: `${each} of ${member.userId}` }))
    await store.contacts.save(bookOf(member), numbers, { now, newId })
  }
  return store
}

const draft = (store: Store, fields: { id: string; cause?: string; kind?: Purchase['kind'] }) => {
  const line = { ...bundle, phone, pricePesewas: unitPricePesewas }
  const times = { createdAt: now, expiresAt: now }
  return store.purchases.insertDraft({ ...orderer, cause: fields.id, lines: [line], ...times, ...fields })
}

const order = (store: Store, id: string, recipients: Phone[], listed = false, position = 0) => {
  const kind: Order['kind'] = recipients.length > 1 ? 'bulk' : 'single'
  const placed = { ...orderer, ...bundle, purchaseId: 'p', kind, listed, position, unitPricePesewas }
  const own = recipients.map((each, index) => ({ phone: each, position: recipients.length - index }))
  return store.orders.insertQueued([{ ...placed, id, recipients: own, createdAt: now }], newId)
}

test('one query reads everything for an order’s card that separate queries would read', async () => {
  const store = await newShop()
  await draft(store, { id: 'p', kind: 'list' })
  await order(store, 'o', phones, true)
  for (const { userId } of [owner, agent]) {
    const shown = await store.cards.ofOrder('o', userId)
    const viewer = await store.accounts.member(userId)
    expect(shown).toEqual({
      order: await store.orders.byId('o'),
      purchase: await store.purchases.byId('p'),
      account: await store.accounts.byId('a'),
      viewer,
      saved: expect.arrayContaining(viewer ? await store.contacts.byPhones(bookOf(viewer), phones) : []),
      nextRepeat: 0,
    })
    expect(shown?.order.recipients.map((each) => each.phone)).toEqual(phones.toReversed())
    expect(shown?.saved).toHaveLength(phones.length)
  }
})

test('a card has names from its viewer’s own book of contacts, and none for a member of another account', async () => {
  const store = await newShop()
  await draft(store, { id: 'p' })
  await order(store, 'o', [phone])
  const namesFor = async (userId: number) => {
    const shown = [await store.cards.ofPurchase('p', userId), await store.cards.ofOrder('o', userId)]
    return shown.map((each) => each?.saved.map(({ name }) => name))
  }
  expect(await namesFor(owner.userId)).toEqual([[`${phone} of 1`], [`${phone} of 1`]])
  expect(await namesFor(agent.userId)).toEqual([[`${phone} of 2`], [`${phone} of 2`]])
  expect(await namesFor(stranger.userId)).toEqual([[], []])
  expect((await store.cards.ofPurchase('p', stranger.userId))?.viewer).toBe(null)
})

test('a draft’s card has the name of its number, and a redacted draft’s card has no name', async () => {
  const store = await newShop()
  await draft(store, { id: 'p' })
  await store.purchases.insertDraft({
    ...orderer,
    id: 'q',
    cause: 'q',
    lines: [],
    createdAt: now,
    expiresAt: now,
  })
  const shown = await store.cards.ofPurchase('p', owner.userId)
  expect(shown?.order).toBe(null)
  expect(shown?.saved.map(({ name }) => name)).toEqual([`${phone} of 1`])
  expect((await store.cards.ofPurchase('q', owner.userId))?.saved).toEqual([])
})

test('a purchase’s card shows its first order with that order’s recipients, and no order of a list', async () => {
  const store = await newShop()
  await draft(store, { id: 'p' })
  await order(store, 'listed', phones, true)
  expect((await store.cards.ofPurchase('p', 1))?.order).toBe(null)
  await order(store, 'second', phones.slice(1), false, 2)
  await order(store, 'first', [phone], false, 1)
  const shown = await store.cards.ofPurchase('p', 1)
  expect(shown?.order).toEqual(await store.orders.byId('first'))
  expect(shown?.saved).toHaveLength(1)
})

test('the next repeat of an order is numbered one above the highest of its repeats', async () => {
  const store = await newShop()
  await draft(store, { id: 'p' })
  await order(store, 'o', [phone])
  await store.orders.go({ id: 'o' }, 'cancelled', {}, now)
  const next = async () => (await store.cards.ofPurchase('p', 1))?.nextRepeat
  expect(await next()).toBe(0)
  for (const nonce of ['o:0', 'o:10', 'o:9', 'o2:30', 'o:x'])
    await draft(store, { id: nonce, cause: `again:${nonce}` })
  expect(await next()).toBe(11)
  expect(await next()).toBe(await store.purchases.nextNonce('again:o:'))
})

test('an order’s card has the number of its next repeat until its buttons are removed, and the news of the order’s end always has it', async () => {
  const store = await newShop()
  await draft(store, { id: 'p' })
  await order(store, 'o', [phone])
  await draft(store, { id: 'q', cause: 'again:o:0' })
  await store.orders.go({ id: 'o' }, 'sending', {}, now)
  await store.orders.go({ id: 'o' }, 'placed', { reference: 'R', status: 'delivered' }, now)
  expect((await store.cards.ofPurchase('p', 1))?.nextRepeat).toBe(1)
  await store.purchases.bare('p')
  expect((await store.cards.ofPurchase('p', 1))?.nextRepeat).toBe(0)
  expect((await store.cards.ofOrder('o', 1))?.nextRepeat).toBe(1)
})

test('an order or a purchase that does not exist has no card', async () => {
  const store = await newShop()
  expect(await store.cards.ofPurchase('p', 1)).toBe(null)
  expect(await store.cards.ofOrder('o', 1)).toBe(null)
})
