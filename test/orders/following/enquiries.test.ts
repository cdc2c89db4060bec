import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { createEnquiries, type Enquiries } from '../../../src/orders/following/enquiries.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Store } from '../../../src/store/store.ts'
import { newStore } from '../../support/database.ts'

const hourMs = 60 * 60_000
const [owner, agent, otherOwner, contact] = [11, 22, 33, 44]

let now: Date
let store: Store
let enquiries: Enquiries

const addMember = (userId: number, role: 'owner' | 'agent', accountId = 'a') =>
  store.accounts.attach({ userId, chatId: userId, accountId, role }, now)

/** An order by the agent, which is reported to the other owner. */
const addOrder = async (): Promise<Order> => {
  const [id, purchaseId] = [newId(), newId()]
  const person = { accountId: 'a', userId: agent, chatId: agent }
  const later = new Date(now.getTime() + hourMs)
  const draft = { id: purchaseId, ...person, cause: purchaseId, lines: [], createdAt: now, expiresAt: later }
  await store.purchases.insertDraft(draft)
  const bundle = {
    bundleId: 2,
    network: 'MTN',
    volume: '2GB',
    offerSlug: null,
    unitPricePesewas: pesewas(960),
  }
  const recipients = [{ phone: '0241234567' as Phone, position: 0 }]
  const rest = { kind: 'single' as const, ownerChatId: otherOwner, recipients, createdAt: now }
  await store.orders.insertQueued([{ id, purchaseId, ...person, ...bundle, ...rest }], newId)
  const order = await store.orders.byId(id)
  if (!order) throw new Error('The order was not stored.')
  return order
}

const ask = (order: Order, cause: string = newId()) =>
  enquiries.ask(order, { chatId: contact, cause, text: 'When?' })

const owedTo = async (chatId: number) =>
  (await store.notices.ofChat(chatId)).map(({ content }) => content.kind)

const answerAll = async (order: Order): Promise<void> => {
  const person = { userId: owner, chatId: owner, accountId: 'a', role: 'owner' as const }
  for (const { content } of await store.notices.ofChat(agent)) {
    if (content.kind !== 'enquiry') continue
    expect(await enquiries.answer(content.enquiryId, person, { cause: newId(), text: 'Soon' })).not.toBeNull()
  }
  expect(await enquiries.refusal(order, contact)).not.toEqual({ kind: 'unanswered' })
}

beforeEach(async () => {
  now = new Date('2026-11-21T10:30:00Z')
  store = await newStore()
  enquiries = createEnquiries({ store, now: () => now, newId, onNotice: () => {} })
  const account = { id: 'a', keyHash: 'k', sealedKey: 'k', sealedSecret: 's', accountType: null, now }
  await store.accounts.insert(account)
  await addMember(owner, 'owner')
  now = new Date(now.getTime() + hourMs)
  await addMember(otherOwner, 'owner')
  await addMember(agent, 'agent')
})

describe('a customer’s question goes', () => {
  test('to the person who ordered', async () => {
    expect(await ask(await addOrder())).toBeNull()
    expect(await owedTo(agent)).toEqual(['enquiry'])
    expect([...(await owedTo(owner)), ...(await owedTo(otherOwner))]).toEqual([])
  })

  test('to the owner responsible for an agent who ordered and left, or else to the oldest owner, or else to nobody', async () => {
    const order = await addOrder()
    await store.accounts.detach(agent)
    expect(await ask(order)).toBeNull()
    expect(await owedTo(otherOwner)).toEqual(['enquiry'])
    await store.accounts.detach(otherOwner)
    const other = await addOrder()
    expect(await ask(other)).toBeNull()
    expect(await owedTo(owner)).toEqual(['enquiry'])
    await store.accounts.detach(owner)
    expect(await ask(await addOrder())).toEqual({ kind: 'nobody' })
  })

  test('to an owner if the person who ordered has moved to another account', async () => {
    const order = await addOrder()
    const account = { id: 'b', keyHash: 'l', sealedKey: 'k', sealedSecret: 's', accountType: null, now }
    await store.accounts.insert(account)
    await addMember(agent, 'owner', 'b')
    expect(await ask(order)).toBeNull()
    expect(await owedTo(agent)).toEqual([])
    expect(await owedTo(otherOwner)).toEqual(['enquiry'])
  })

  test('to its recipient immediately, even in quiet hours', async () => {
    await store.preferences.change(agent, { quietFrom: 11 * 60, quietTo: 13 * 60 })
    await ask(await addOrder())
    const [notice] = await store.notices.ofChat(agent)
    expect(notice?.content.kind).toBe('enquiry')
    expect(notice?.quietUntil).toBeNull()
  })
})

test('one message to a shop is one question, even if it is handled several times at the same moment', async () => {
  const order = await addOrder()
  expect(await Promise.all([ask(order, 'm'), ask(order, 'm'), ask(order, 'm')])).toEqual([null, null, null])
  expect(await owedTo(agent)).toEqual(['enquiry'])
  expect(await enquiries.takenAs('m')).toBe('question')
  expect(await enquiries.takenAs('n')).toBeNull()
})

test('a customer may ask again if a question had no answer for a day', async () => {
  const order = await addOrder()
  await ask(order)
  expect(await ask(order)).toEqual({ kind: 'unanswered' })
  now = new Date(now.getTime() + 24 * hourMs + 1)
  expect(await ask(order)).toBeNull()
})

test('a customer may ask five questions an hour, and learns when the next one is allowed', async () => {
  const order = await addOrder()
  for (let count = 0; count < 5; count += 1) {
    expect(await ask(order)).toBeNull()
    await answerAll(order)
    now = new Date(now.getTime() + 60_000)
  }
  expect(await ask(order)).toEqual({ kind: 'too_often', waitMs: 55 * 60_000 })
  now = new Date(now.getTime() + 55 * 60_000)
  expect(await ask(order)).toBeNull()
})

test('an account’s block of a customer lasts until one of its owners lifts it, and outsiders cannot change it', async () => {
  const order = await addOrder()
  await ask(order)
  const [notice] = await store.notices.ofChat(agent)
  const id = notice?.content.kind === 'enquiry' ? notice.content.enquiryId : ''
  const asAgent = { userId: agent, chatId: agent, accountId: 'a', role: 'agent' as const }
  expect(await enquiries.block(id, { ...asAgent, userId: 99 }, true)).toBeNull()
  expect(await enquiries.block(id, { ...asAgent, accountId: 'b', role: 'owner' }, true)).toBeNull()
  expect(await enquiries.block(id, asAgent, true)).toMatchObject({ isBlocked: true })
  expect(await ask(await addOrder())).toEqual({ kind: 'blocked' })
  const asOwner = { userId: owner, chatId: owner, accountId: 'a', role: 'owner' as const }
  expect(await enquiries.block(id, asOwner, false)).toMatchObject({ isBlocked: false })
  expect(await ask(await addOrder())).toBeNull()
})
