import { expect, test } from 'vitest'
import { type Announcement, announcementOf, cardOf, type NoticeContent } from '../../src/domain/notice.ts'
import { digestOf, endMute, maxNamed, maxSentSingly, wakeUp } from '../../src/messaging/digest.ts'
import { pesewas } from '../../src/provider/money.ts'
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

test('a digest names each order once with all its news, and news about money first', () => {
  const { named, counted } = digestOf([
    told('good', status('delivered')),
    told('late', { about: 'placement' }),
    told('bad', status('failed')),
    told('late', { about: 'proof' }),
    told('late', status('delivered')),
    told('bad', { about: 'refund', refundedPesewas: pesewas(0) }),
  ])
  expect(named.map(({ orderId, about }) => [orderId, about])).toEqual([
    ['late', ['placement', 'proof', 'status']],
    ['bad', ['status', 'refund']],
    ['good', ['status']],
  ])
  expect(counted).toEqual([])
})

test('a digest names or counts every order', () => {
  const delivered = Array.from({ length: 30 }, (_, index) => told(`good${index}`, status('delivered')))
  const { named, counted } = digestOf([...delivered, told('bad', status('failed'))])
  expect(named).toHaveLength(maxNamed)
  expect(named[0]?.orderId).toBe('bad')
  expect(counted).toEqual([['delivered', 31 - maxNamed]])
})

test('a digest begins with a delivery that corrects earlier news, followed by a followed order’s failure', () => {
  const follow = { kind: 'follow_announce', subject: 's', reported: false } as const
  expect(
    names([
      { ...follow, orderId: 'contact', status: 'failed' },
      told('good', status('delivered')),
      told('corrected', status('delivered', true)),
    ]),
  ).toEqual(['corrected', 'contact', 'good'])
})

test('a digest that could not be sent becomes part of the next one', () => {
  const many = Array.from({ length: 30 }, (_, index) => told(`good${index}`, status('delivered')))
  const first = digestOf(many)
  const second = digestOf([first, told('bad', status('failed')), told('good0', status('refunded'))])
  expect(second.named.slice(0, 2).map(({ orderId }) => orderId)).toEqual(['good0', 'bad'])
  const total = second.named.length + second.counted.reduce((sum, [, count]) => sum + count, 0)
  expect(total).toBe(31)
})

test('a chat that is unmuted gets its cards, its other notices, and one digest of the news about orders', async () => {
  const store = await newStore()
  const enqueue = (content: NoticeContent) => store.notices.enqueue(7, content, now, now)
  await enqueue(cardOf('p'))
  await enqueue(told('a', status('delivered')))
  await enqueue({ kind: 'delete', subject: 'message:1', messageId: 1 })
  await enqueue(told('b', status('failed')))
  await enqueue(told('b', { about: 'doubt', debits: [], more: 0 }))
  expect(await endMute(store, 7, now)).toBeNull()
  await store.chats.mute(7, now)
  expect(await endMute(store, 7, now)).toBe(2)
  expect(await endMute(store, 7, now)).toBeNull()
  const owed = await store.notices.ofChat(7)
  expect(owed.map(({ content }) => content.kind)).toEqual(['card', 'delete', 'announce', 'digest'])
  expect(await store.notices.dueChats(now, 1)).toEqual([7])
})

test('a digest after an unmute includes the order of a notice that is being sent at that moment', async () => {
  const store = await newStore()
  const sending = await store.notices.enqueueDirectly(7, told('a', status('delivered')), now)
  await store.notices.enqueue(7, told('b', status('failed')), now)
  await store.chats.mute(7, now)
  expect(await endMute(store, 7, now)).toBe(2)
  await store.notices.done([sending])
  const owed = await store.notices.ofChat(7)
  expect(owed.map(({ content }) => content)).toMatchObject([
    { kind: 'digest', named: [{ orderId: 'b' }, { orderId: 'a' }] },
  ])
})

test('a single notice that a muted chat missed is sent as usual after the unmute', async () => {
  const store = await newStore()
  await store.notices.enqueue(7, told('a', status('delivered')), now)
  await store.chats.mute(7, now)
  expect(await endMute(store, 7, now)).toBe(1)
  expect((await store.notices.ofChat(7)).map(({ content }) => content.kind)).toEqual(['announce'])
})

const night = new Date('2026-03-01T06:00:00Z')
const morning = new Date('2026-03-01T08:00:00Z')

test('a notice that waits for the end of quiet hours does not delay a later urgent one', async () => {
  const store = await newStore()
  await store.notices.enqueue(7, told('a', status('delivered')), night, null, morning)
  expect(await store.notices.dueChats(night, 9)).toEqual([])
  await store.notices.enqueue(7, told('b', status('failed')), night)
  expect(await store.notices.dueChats(night, 9)).toEqual([7])
  const due = await store.notices.forTurn(7, 50, night)
  expect(due.map(({ content }) => content)).toMatchObject([{ orderId: 'b' }])
  await store.notices.done(due.map(({ id }) => id))
  expect(await store.notices.dueChats(night, 9)).toEqual([])
  expect(await store.notices.dueChats(morning, 9)).toEqual([7])
})

test('more than five notices that waited for the end of quiet hours become one digest, and fewer do not', async () => {
  const store = await newStore()
  const hold = (chatId: number, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        store.notices.enqueue(chatId, told(`o${index}`, status('delivered')), night, null, morning),
      ),
    )
  await hold(7, maxSentSingly)
  await hold(8, maxSentSingly + 1)
  await store.notices.enqueue(8, told('bad', status('failed')), morning)
  expect(await wakeUp(store, 8, night)).toBe(false)
  expect(await wakeUp(store, 7, morning)).toBe(false)
  expect(await store.notices.ofChat(7)).toHaveLength(maxSentSingly)
  expect(await wakeUp(store, 8, morning)).toBe(true)
  const left = await store.notices.ofChat(8)
  expect(left.map(({ content }) => content.kind)).toEqual(['announce', 'digest'])
  const [, digest] = left
  const told8 = digest?.content.kind === 'digest' ? digest.content.named.map(({ orderId }) => orderId) : []
  expect(told8).toHaveLength(maxSentSingly + 1)
  expect(told8).not.toContain('bad')
})

test('a muted chat keeps the notices that waited for the end of quiet hours until somebody writes there', async () => {
  const store = await newStore()
  for (let index = 0; index <= maxSentSingly; index += 1)
    await store.notices.enqueue(7, told(`o${index}`, status('delivered')), night, null, morning)
  await store.chats.mute(7, night)
  expect(await wakeUp(store, 7, morning)).toBe(false)
  expect(await store.notices.ofChat(7)).toHaveLength(maxSentSingly + 1)
  expect(await endMute(store, 7, morning)).toBe(maxSentSingly + 1)
  expect((await store.notices.ofChat(7)).map(({ content }) => content.kind)).toEqual(['digest'])
})

test('a chat that is unmuted in its quiet hours gets one digest, with the notices that waited for the end of the quiet hours', async () => {
  const store = await newStore()
  await store.notices.enqueue(7, told('a', status('delivered')), night, null, morning)
  await store.notices.enqueue(7, told('b', status('failed')), night)
  await store.chats.mute(7, night)
  expect(await endMute(store, 7, night)).toBe(2)
  expect((await store.notices.forTurn(7, 50, night)).map(({ content }) => content.kind)).toEqual(['digest'])
})
