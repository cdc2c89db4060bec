import { expect, test } from 'vitest'
import { comeBack, digestOf, mostNamed } from '../../src/relay/digest.ts'
import { type Announcement, announcementOf, cardOf, type NoticeContent } from '../../src/relay/notice.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-03-01T10:00:00Z')
const status = (word: string, contradicts = false): Announcement => ({
  about: 'status',
  status: word,
  reported: false,
  contradicts,
})
const told = (orderId: string, what: Announcement) => announcementOf(orderId, what)
const names = (contents: NoticeContent[]) => digestOf(contents).named.map(({ orderId }) => orderId)

test('a digest names each order once, those about money first, with all that was said of it', () => {
  const { named, counted } = digestOf([
    told('good', status('delivered')),
    told('late', { about: 'placement' }),
    told('bad', status('failed')),
    told('late', { about: 'proof' }),
    told('late', status('delivered')),
    told('bad', { about: 'refund' }),
  ])
  expect(named.map(({ orderId, about }) => [orderId, about])).toEqual([
    ['late', ['placement', 'proof', 'status']],
    ['bad', ['status', 'refund']],
    ['good', ['status']],
  ])
  expect(counted).toEqual([])
})

test('what it does not name it counts: every order is in it', () => {
  const delivered = Array.from({ length: 30 }, (_, index) => told(`good${index}`, status('delivered')))
  const { named, counted } = digestOf([...delivered, told('bad', status('failed'))])
  expect(named).toHaveLength(mostNamed)
  expect(named[0]?.orderId).toBe('bad')
  expect(counted).toEqual([['delivered', 31 - mostNamed]])
})

test('a delivery that contradicts what was said is about money, that of a followed order is not', () => {
  const follow = { kind: 'follow_announce', subject: 's', reported: false } as const
  expect(
    names([
      { ...follow, orderId: 'customer', status: 'failed' },
      told('good', status('delivered')),
      told('corrected', status('delivered', true)),
    ]),
  ).toEqual(['corrected', 'customer', 'good'])
})

test('a digest that could not be sent is part of the next one', () => {
  const many = Array.from({ length: 30 }, (_, index) => told(`good${index}`, status('delivered')))
  const first = digestOf(many)
  const second = digestOf([first, told('bad', status('failed')), told('good0', status('refunded'))])
  expect(second.named.slice(0, 2).map(({ orderId }) => orderId)).toEqual(['good0', 'bad'])
  const total = second.named.length + second.counted.reduce((sum, [, count]) => sum + count, 0)
  expect(total).toBe(31)
})

test('a chat that comes back is owed one digest, its cards, and all that is no news of orders', async () => {
  const store = await newStore()
  const owe = (content: NoticeContent) => store.notices.owe(7, content, now, now)
  await owe(cardOf('p'))
  await owe(told('a', status('delivered')))
  await owe({ kind: 'delete', subject: 'message:1', messageId: 1 })
  await owe(told('b', status('failed')))
  await owe(told('b', { about: 'doubt', debits: [], more: 0 }))
  expect(await comeBack(store, 7, now)).toBeNull()
  await store.chats.mute(7, now)
  expect(await comeBack(store, 7, now)).toBe(2)
  expect(await comeBack(store, 7, now)).toBeNull()
  const owed = await store.notices.ofChat(7)
  expect(owed.map(({ content }) => content.kind)).toEqual(['card', 'delete', 'announce', 'digest'])
  expect(await store.notices.dueChats(now, 1)).toEqual([7])
})

test('a message on its way while its chat comes back takes nothing of the digest along', async () => {
  const store = await newStore()
  const sending = await store.notices.owe(7, told('a', status('delivered')), now)
  await store.notices.owe(7, told('b', status('failed')), now)
  await store.chats.mute(7, now)
  expect(await comeBack(store, 7, now)).toBe(2)
  await store.notices.done([sending])
  const owed = await store.notices.ofChat(7)
  expect(owed.map(({ content }) => content)).toMatchObject([
    { kind: 'digest', named: [{ orderId: 'b' }, { orderId: 'a' }] },
  ])
})

test('one message that was missed is told as it would have been', async () => {
  const store = await newStore()
  await store.notices.owe(7, told('a', status('delivered')), now)
  await store.chats.mute(7, now)
  expect(await comeBack(store, 7, now)).toBe(1)
  expect((await store.notices.ofChat(7)).map(({ content }) => content.kind)).toEqual(['announce'])
})
