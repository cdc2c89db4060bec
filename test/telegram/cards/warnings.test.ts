import { describe, expect, test } from 'vitest'
import { type Announcement, announcementOf, type Notice } from '../../../src/domain/notice.ts'
import { enqueueNews } from '../../../src/orders/following/order-news.ts'
import type { Lists } from '../../../src/orders/listing/list-orders.ts'
import { takeReferenceBack } from '../../../src/orders/reconciling/proof.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { PatchTo } from '../../../src/store/orders/order-placing.ts'
import type { Store } from '../../../src/store/store.ts'
import { createDeliver } from '../../../src/telegram/cards/notices.ts'
import { announceMistaken } from '../../../src/telegram/cards/words/announcement.ts'
import { warningOver, warningOverForOthers } from '../../../src/telegram/cards/words/warning.ts'
import type { Screen } from '../../../src/telegram/chat/screen.ts'
import type { Sender, Sent } from '../../../src/telegram/chat/sender.ts'
import { addAccount, addOrder, orderOf } from '../../orders/placed-orders.ts'
import { newStore } from '../../support/database.ts'
import { orderWith } from '../words/any-order.ts'

const now = new Date('2026-11-21T10:32:00Z')

const lost = [
  ['sending', { sentAt: now }],
  ['unconfirmed', { reason: 'timeout' }],
] as const

/** An order whose answer was lost, in chat 1. */
const newShop = async (): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await addOrder(store, { id: '1', accountId: 'a', now }, lost)
  return store
}

const reconcile = async (
  store: Store,
  to: 'placed' | 'not_placed' | 'review',
  patch: object = {},
): Promise<void> => {
  await store.transaction(async (tx) => {
    const order = await orderOf(tx, '1')
    if (!(await tx.orders.go({ id: '1' }, to, patch as PatchTo<typeof to>, now)))
      throw new Error(`The order cannot go to ${to}.`)
    await enqueueNews(tx, order, now)
  })
}

const placed = { reference: 'BUD-API-1', status: 'processing' }
const closedAs = (placement: 'placed' | 'not_placed') =>
  warningOver(orderWith({ placement, ...(placement === 'not_placed' && { reason: 'no_debit' }) }))

/** Makes functions that deliver notices to simulated chats, and lists the messages there by id. */
const chatsOf = (
  store: Store,
  {
    onSend = async () => {},
    refusal = null,
  }: { onSend?: () => Promise<unknown>; refusal?: Sent | null } = {},
) => {
  const messages = new Map<number, Screen>()
  const sender = {
    send: async (_: number, screen: Screen) => {
      const messageId = 100 + messages.size
      messages.set(messageId, screen)
      await onSend()
      return { kind: 'sent', messageId }
    },
    amend: async (_: number, messageId: number, screen: Screen) => {
      if (refusal) return refusal
      messages.set(messageId, screen)
      return { kind: 'sent', messageId }
    },
  } as unknown as Sender
  const deliver = createDeliver({
    store,
    lists: {} as Lists,
    now: () => now,
    senders: { member: sender, notice: sender },
    readBalance: async () => {},
    freshenBalance: async () => false,
  })
  const say = (what: Announcement, chatId = 1) =>
    deliver({ ...empty, chatId, content: announcementOf('1', what) })
  /** Delivers the waiting edits of warnings. @returns how many there were */
  const edit = async (chatId = 1): Promise<number> => {
    const owed = (await store.notices.ofChat(chatId)).filter(({ content }) => content.kind === 'warning')
    for (const notice of owed) {
      expect(await deliver(notice)).toEqual({ kind: 'sent' })
      await store.notices.done([notice.id])
    }
    return owed.length
  }
  return { messages, texts: () => [...messages.values()].map(({ text }) => text), deliver, say, edit }
}

const empty: Omit<Notice, 'chatId' | 'content'> = {
  id: 1,
  attempts: 0,
  notBefore: null,
  quietUntil: null,
  createdAt: now,
}

test('a warning about an order becomes one line without buttons as soon as the order’s outcome is known', async () => {
  const store = await newShop()
  const { say, edit, messages } = chatsOf(store)
  await say({ about: 'placement' })
  await reconcile(store, 'placed', placed)
  expect(await edit()).toBe(1)
  expect([...messages.values()]).toEqual([{ text: closedAs('placed') }])
  expect(await store.warnings.at(1, 100)).toBeNull()
})

test('a warning whose order’s outcome becomes known while it is being sent is closed as well', async () => {
  const store = await newShop()
  const { say, edit, texts } = chatsOf(store, {
    onSend: () => reconcile(store, 'not_placed', { reason: 'no_debit' }),
  })
  await say({ about: 'placement' })
  await edit()
  expect(texts()).toEqual([closedAs('not_placed')])
})

describe('late news of an order is sent only if it still matters', () => {
  const unconfirmed = { about: 'placement', while: 'unconfirmed' } as const
  const review = { about: 'placement', while: 'review' } as const
  const lastWord = { about: 'placement' } as const

  test.each([
    ['placed', 'unconfirmed', 'not sent', unconfirmed, ['placed'], 0],
    ['not placed', 'unconfirmed', 'not sent', unconfirmed, ['not_placed'], 0],
    ['in review', 'unconfirmed', 'not sent', unconfirmed, ['review'], 0],
    ['placed', 'in review', 'not sent', review, ['review', 'placed'], 0],
    ['still in review', 'in review', 'sent', review, ['review'], 1],
    ['judged by somebody else', 'in review', 'sent', review, ['review', 'not_placed'], 1],
    ['placed', 'placed', 'sent', lastWord, ['placed'], 1],
  ] as const)(
    'if the order is now %s and the news says “%s”, the news is %s',
    async (_, __, ___, what, way, count) => {
      const store = await newShop()
      const patches = { placed, not_placed: { reason: 'by_person' }, review: { reason: 'ambiguous' } }
      for (const to of way) await reconcile(store, to, patches[to])
      const { say, messages } = chatsOf(store)
      expect(await say(what)).toEqual({ kind: 'sent' })
      expect(messages.size).toBe(count)
    },
  )
})

test('a warning whose message the database cannot store at once is stored later', async () => {
  const store = await newShop()
  let isFull = true
  const transaction: Store['transaction'] = (work, options) =>
    isFull ? Promise.reject(new Error('the database is full')) : store.transaction(work, options)
  const { say, edit, texts } = chatsOf({ ...store, transaction })
  await say({ about: 'placement' })
  isFull = false
  await reconcile(store, 'placed', placed)
  await say({ about: 'proof' })
  await edit()
  expect(texts()[0]).toBe(closedAs('placed'))
})

test('a warning is edited again if the database could not store that it was edited', async () => {
  const store = await newShop()
  let isBroken = false
  const transaction: Store['transaction'] = (work, options) =>
    isBroken ? Promise.reject(new Error('The database takes nothing.')) : store.transaction(work, options)
  const chats = chatsOf({ ...store, transaction })
  await chats.say({ about: 'placement' })
  await reconcile(store, 'placed', placed)
  isBroken = true
  await expect(chats.edit()).rejects.toThrow('The database takes nothing.')
  expect(chats.texts()).toEqual([closedAs('placed')])
  isBroken = false
  expect(await chats.edit()).toBe(1)
  expect(chats.texts()).toEqual([closedAs('placed')])
  expect(await store.warnings.at(1, 100)).toBeNull()
})

test('a warning that was deleted from the chat is forgotten, and not sent again', async () => {
  const store = await newShop()
  const refusal = { kind: 'failed', refusal: { kind: 'nothing_to_edit' } } as const
  const { say, edit, messages } = chatsOf(store, { refusal })
  await say({ about: 'placement' })
  await reconcile(store, 'placed', placed)
  await edit()
  expect(messages.size).toBe(1)
  expect(await store.warnings.at(1, 100)).toBeNull()
})

test('each warning about an order is closed once, and a warning about debits still names the debits', async () => {
  const store = await newShop()
  const { say, edit, texts } = chatsOf(store)
  await say({ about: 'placement' })
  await reconcile(store, 'review', { reason: 'ambiguous' })
  await say({ about: 'placement' })
  const debits = [{ reference: 'BUD-API-1', amountPesewas: pesewas(2350), atMs: null }]
  await say({ about: 'doubt', debits, more: 0 })
  expect(await edit()).toBe(0)
  await reconcile(store, 'placed', placed)
  await store.transaction(async (tx) => enqueueNews(tx, await orderOf(tx, '1'), now))
  expect(await edit()).toBe(2)
  const line = closedAs('placed')
  expect(texts()).toEqual([line, line, expect.stringContaining('BUD-API-1')])
})

test('a warning stays until the person answers its question, and then shows the answer', async () => {
  const store = await newShop()
  const { say, edit, texts } = chatsOf(store)
  await reconcile(store, 'review', { reason: 'ambiguous' })
  await say({ about: 'placement' })
  await store.transaction(async (tx) => {
    await tx.orders.patch('1', { reason: 'charged_by_person' }, now)
    await enqueueNews(tx, await orderOf(tx, '1'), now)
  })
  await edit()
  expect(texts()).toEqual([warningOver(orderWith({ placement: 'review', reason: 'charged_by_person' }))])
})

test('a warning that applies again before its message is edited stays, and is closed later', async () => {
  const store = await newShop()
  const { say, edit, texts } = chatsOf(store)
  await say({ about: 'placement' })
  const [before] = texts()
  await reconcile(store, 'placed', { ...placed, inferred: true })
  await store.transaction(async (tx) => takeReferenceBack(tx, await orderOf(tx, '1'), placed.reference, now))
  await edit()
  expect(texts()).toEqual([before])
  await reconcile(store, 'not_placed', { reason: 'no_debit' })
  await edit()
  expect(texts()).toEqual([closedAs('not_placed')])
})

test('a warning that corrects earlier news keeps its first line and says how the order ended', async () => {
  const store = await newShop()
  const { say, edit, texts } = chatsOf(store)
  await say({ about: 'mistaken', reference: 'BUD-API-9' })
  await reconcile(store, 'placed', placed)
  await edit()
  expect(texts()).toEqual([
    announceMistaken(orderWith({ placement: 'placed', status: 'processing' }), 'BUD-API-9'),
  ])
})

test('an owner who was warned of an order is told its outcome, and a former owner is not', async () => {
  const store = await newShop()
  const [stays, leaves] = [8, 9]
  for (const userId of [stays, leaves])
    await store.accounts.attach({ userId, chatId: userId, accountId: 'a', role: 'owner' }, now)
  const { say, edit, texts } = chatsOf(store)
  await say({ about: 'placement' }, stays)
  await say({ about: 'placement' }, leaves)
  await store.accounts.detach(leaves)
  await reconcile(store, 'placed', placed)
  // Real chats number their messages separately. Here all messages have different numbers.
  expect(await edit(stays)).toBe(1)
  expect(await edit(leaves)).toBe(1)
  expect(texts()).toEqual([closedAs('placed'), warningOverForOthers])
})

test('a warning in a group that moved to another id is not edited, because its messages have new ids', async () => {
  const store = await newShop()
  const { say, edit, texts } = chatsOf(store)
  await say({ about: 'placement' })
  const before = texts()
  await reconcile(store, 'placed', placed)
  await store.chats.migrate(1, 2)
  expect(await edit(2)).toBe(1)
  expect(texts()).toEqual(before)
})

test('warnings are erased with their order, and a warning that is sent afterwards is not stored', async () => {
  const store = await newShop()
  const { say } = chatsOf(store, { onSend: () => store.personalData.erasePurchases(['p1']) })
  await say({ about: 'placement' })
  expect(await store.warnings.standing('p1')).toEqual([])

  const other = await newShop()
  await chatsOf(other).say({ about: 'placement' })
  expect(await other.warnings.standing('p1')).toHaveLength(1)
  await other.personalData.erasePurchases(['p1'])
  expect(await other.warnings.standing('p1')).toEqual([])
})
