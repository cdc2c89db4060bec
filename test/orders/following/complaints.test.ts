import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { setComplaintRule } from '../../../src/orders/following/complaint-rules.ts'
import {
  advanceComplaints,
  type Complainer,
  type Complaints,
  createComplaints,
  maxComplaints,
} from '../../../src/orders/following/complaints.ts'
import { exportOf } from '../../../src/settings/data-export.ts'
import { forgetPerson } from '../../../src/settings/forgetting.ts'
import type { Complaint } from '../../../src/store/chats/complaints.ts'
import type { Store } from '../../../src/store/store.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, orderOf } from '../placed-orders.ts'

const [owner, agent, customer, stranger] = [11, 1, 44, 55]
const hourMs = 60 * 60_000

let now: Date
let store: Store
let complaints: Complaints

/** The agent's delivered order, which the customer follows. */
const addDelivered = async (id: string, ...phones: string[]): Promise<Order> => {
  const placed = { reference: `R${id}`, status: 'delivered', deliveredAt: now }
  await addOrder(
    store,
    { id, accountId: 'a', now },
    [
      ['sending', {}],
      ['placed', placed],
    ] as never,
    ...phones,
  )
  for (const phone of phones) await store.orders.patchRecipients(id, [phone as never], 'delivered', now)
  await store.chats.follow(id, customer, now)
  return orderOf(store, id)
}

const by = (chatId: number, role: 'owner' | 'agent' | null = null, accountId = 'a'): Complainer => ({
  chatId,
  person: role && { userId: chatId, chatId, accountId, role },
})

const said = { position: null, kind: 'nothing', photoId: null } as const

const raise = async (order: Order, complainer: Complainer): Promise<Complaint> => {
  const raised = await complaints.raise(order, complainer, said)
  if (!('id' in raised)) throw new Error(`It was refused: ${raised.kind}.`)
  return raised
}

const newsTo = async (chatId: number): Promise<string[]> =>
  (await store.notices.ofChat(chatId)).flatMap(({ content }) =>
    content.kind === 'complaint' ? [content.news] : [],
  )

const advanceBy = async (ms: number): Promise<number> => {
  now = new Date(now.getTime() + ms)
  return advanceComplaints(store, () => now, { error: () => {} })
}

beforeEach(async () => {
  now = new Date('2026-11-21T10:00:00Z')
  store = await newStore()
  complaints = createComplaints({ store, now: () => now, newId, onNotice: () => {} })
  await addAccount(store, 'a', now)
  await store.accounts.attach({ userId: owner, chatId: owner, accountId: 'a', role: 'owner' }, now)
  await store.accounts.attach({ userId: agent, chatId: agent, accountId: 'a', role: 'agent' }, now)
})

describe('a complaint', () => {
  test('of a customer goes to the owner and to the agent who ordered, and the news of its end to all three', async () => {
    const { id } = await raise(await addDelivered('1'), by(customer))
    expect([await newsTo(owner), await newsTo(agent), await newsTo(customer)]).toEqual([
      ['raised'],
      ['raised'],
      [],
    ])
    expect(await complaints.end(id, by(owner, 'owner'))).toMatchObject({ complaint: { end: 'solved' } })
    expect([await newsTo(owner), await newsTo(agent), await newsTo(customer)]).toEqual([
      ['raised'],
      ['raised', 'ended'],
      ['ended'],
    ])
  })

  test('of an agent goes to the owner alone', async () => {
    await raise(await addDelivered('1'), by(agent, 'agent'))
    expect([await newsTo(owner), await newsTo(agent)]).toEqual([['raised'], []])
  })

  test('is open only once for each number, whoever raises it and however often', async () => {
    const order = await addDelivered('1', '0241234501', '0241234502')
    const first = { ...said, position: 0 }
    const all = await Promise.all([1, 2, 3].map(() => complaints.raise(order, by(agent, 'agent'), first)))
    expect(all.filter((each) => 'id' in each)).toHaveLength(1)
    expect(await complaints.raise(order, by(owner, 'owner'), first)).toMatchObject({ kind: 'open' })
    expect(await complaints.raise(order, by(owner, 'owner'), { ...said, position: 1 })).toHaveProperty('id')
    expect(await newsTo(owner)).toEqual(['raised'])
  })

  test('changes nothing of the order', async () => {
    const order = await addDelivered('1')
    const { id } = await raise(order, by(customer))
    await complaints.end(id, by(customer))
    expect(await orderOf(store, '1')).toEqual(order)
  })

  test('brings one reminder to the shop, and one notice of its end to the shop and the customer', async () => {
    await store.transaction((tx) => setComplaintRule(tx, 'MTN', 'day'))
    const { deadlineAt } = await raise(await addDelivered('1'), by(customer))
    expect(deadlineAt).toEqual(new Date('2026-11-21T23:59:00Z'))
    expect(await advanceBy(10 * hourMs)).toBe(0)
    expect(await advanceBy(hourMs)).toBe(1)
    expect(await advanceBy(hourMs)).toBe(0)
    expect(await advanceBy(2 * hourMs)).toBe(1)
    expect(await advanceBy(hourMs)).toBe(0)
    expect(await newsTo(owner)).toEqual(['raised', 'remind', 'ended'])
    expect(await newsTo(customer)).toEqual(['ended'])
  })

  test('ends automatically if the order proves to have failed', async () => {
    const { id } = await raise(await addDelivered('1'), by(customer))
    await store.orders.patch('1', { status: 'failed' }, now)
    expect(await advanceBy(0)).toBe(1)
    expect(await store.complaints.byId(id)).toMatchObject({ end: 'taken_back', endedAt: now })
    expect(await complaints.raise(await orderOf(store, '1'), by(customer), said)).toEqual({
      kind: 'not_delivered',
    })
  })

  test('can be raised again after it has ended', async () => {
    const order = await addDelivered('1')
    const { id } = await raise(order, by(customer))
    expect(await complaints.end(id, by(customer))).toMatchObject({ complaint: { end: 'arrived' } })
    expect((await raise(order, by(customer))).id).not.toBe(id)
  })

  test('keeps the first end that it was given', async () => {
    const { id } = await raise(await addDelivered('1'), by(customer))
    await complaints.end(id, by(customer))
    expect(await complaints.end(id, by(owner, 'owner'))).toMatchObject({ complaint: { end: 'arrived' } })
    expect(await newsTo(owner)).toEqual(['raised', 'ended'])
  })
})

describe('a person outside an order can neither raise nor end a complaint about it', () => {
  test.each([
    ['a stranger', () => by(stranger)],
    ['the owner of another account', () => by(stranger, 'owner', 'b')],
    ['another agent', () => by(stranger, 'agent')],
  ])('even if the person is %s', async (_, who) => {
    const order = await addDelivered('1')
    expect(await complaints.raise(order, who(), said)).toEqual({ kind: 'not_theirs' })
    const { id } = await raise(order, by(customer))
    expect(await complaints.end(id, who())).toBeNull()
    expect(await store.complaints.byId(id)).toMatchObject({ end: null })
  })
})

describe('a customer’s complaint is refused', () => {
  test('if it is about only one of an order’s several numbers', async () => {
    const order = await addDelivered('1', '0241234501', '0241234502')
    expect(await complaints.refusal(order, 0, by(customer))).toEqual({ kind: 'not_theirs' })
    expect(await complaints.refusal(order, null, by(customer))).toBeNull()
  })

  test('if the shop blocked the customer or has no owner left', async () => {
    const order = await addDelivered('1')
    const asked = {
      id: 'q',
      orderId: '1',
      accountId: 'a',
      customerChatId: customer,
      cause: 'c',
      text: 'Where?',
    }
    await store.enquiries.insert({ ...asked, createdAt: now })
    await store.enquiries.block('q', now)
    expect(await complaints.refusal(order, null, by(customer))).toEqual({ kind: 'blocked' })
    await store.accounts.detach(owner)
    expect(await complaints.refusal(order, null, by(customer))).toEqual({ kind: 'nobody' })
  })

  test('after five complaints of the customer in a day', async () => {
    for (let count = 1; count <= maxComplaints; count += 1)
      await raise(await addDelivered(`${count}`), by(customer))
    const order = await addDelivered('9')
    expect(await complaints.refusal(order, null, by(customer))).toEqual({ kind: 'too_many' })
    expect(await complaints.refusal(order, null, by(agent, 'agent'))).toBeNull()
    now = new Date(now.getTime() + 25 * hourMs)
    expect(await complaints.refusal(order, null, by(customer))).toBeNull()
  })
})

test('a customer who has their data deleted is forgotten, and the complaint stays open for the shop', async () => {
  const order = await addDelivered('1')
  const raised = await complaints.raise(order, by(customer), { ...said, photoId: 'photo' })
  const id = 'id' in raised ? raised.id : ''
  await forgetPerson(store, { userId: customer, accountId: null }, 'now', now)
  expect(await store.complaints.byId(id)).toMatchObject({ raisedBy: null, photoId: null, end: null })
  await complaints.end(id, by(owner, 'owner'))
  expect([await newsTo(customer), await newsTo(0)]).toEqual([[], []])
})

test('the exports of a customer and of an owner contain the complaints, without naming the other', async () => {
  await raise(await addDelivered('1'), by(customer))
  const exportFor = async (userId: number, role: 'owner' | null) => {
    let text = ''
    const person = { userId, accountId: role && 'a', role }
    for await (const document of exportOf(store, person as never, now))
      for await (const part of document) text += part
    return JSON.parse(text)
  }
  const kept = { orderId: '1', kind: 'nothing', createdAt: now.toISOString(), end: null, endedAt: null }
  expect(await exportFor(customer, null)).toMatchObject({ complaints: [kept] })
  expect(await exportFor(owner, 'owner')).toMatchObject({ complaints: [], complaintsAboutOrders: [kept] })
})
