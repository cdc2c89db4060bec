import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { cardOf } from '../../../src/domain/notice.ts'
import { maxAheadMs } from '../../../src/domain/times/ahead.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { addAccount, addOrder } from '../../orders/placed-orders.ts'
import { newDatabaseUrl } from '../../support/database.ts'

const noon = new Date('2026-01-05T12:00:00Z')
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000)
const card = cardOf('p')
/** More rows than a search reads in the order of their times. */
const veryMany = 300
const daySeconds = 24 * 60 * 60

const open = async () => {
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  return { client: database.client, store: createStore(database) }
}

type Kind = 'placing' | 'polling' | 'reconciling' | 'refunding'
const kinds: Kind[] = ['placing', 'polling', 'reconciling', 'refunding']

/** The columns of an order on which this kind of work is due at that time. */
const waiting = (kind: Kind, at: Date) =>
  ({
    placing: { placement: 'queued', notBefore: at },
    polling: { placement: 'placed', nextPollAt: at },
    reconciling: { placement: 'unconfirmed', reconcileAt: at },
    refunding: { placement: 'placed', refundAt: at },
  })[kind]

/** The accounts on whose orders this kind of work is due. */
const dueAccounts = async (
  { orders }: Store,
  kind: Kind,
  ...asked: [now: Date, limit: number, except?: string[]]
): Promise<string[]> => {
  if (kind === 'reconciling' || kind === 'refunding') return orders.dueToReconcile(...asked)
  const found = await (kind === 'placing' ? orders.dueToSend(...asked) : orders.dueToPoll(...asked))
  return [...new Set(found.map(({ accountId }) => accountId))]
}

describe.each(kinds)('the search for due work of the kind “%s”', (kind) => {
  const withOrders = async (counts: Record<string, number>) => {
    const { client, store } = await open()
    for (const [index, [account, count]] of Object.entries(counts).entries()) {
      await addAccount(store, account, noon)
      const {
        purchaseId,
        recipients: _,
        ...order
      } = await addOrder(store, { id: account, accountId: account, now: noon })
      const row = { ...order, purchaseId, userId: 1n, chatId: 1n, ownerChatId: null, updatedAt: noon }
      const columns = { ...waiting(kind, later(index)), createdAt: later(index) }
      await client.order.updateMany({ where: { id: account }, data: columns })
      const data = Array.from({ length: count - 1 }, (_, number) => ({
        ...row,
        ...columns,
        id: `${account}-${number}`,
      }))
      await client.order.createMany({ data })
    }
    return store
  }

  test('finds the account that has waited longest first, and skips given accounts', async () => {
    const store = await withOrders({ a: 1, b: 2, c: 1 })
    expect(await dueAccounts(store, kind, later(9), 2)).toEqual(['a', 'b'])
    expect(await dueAccounts(store, kind, later(9), 2, ['a', 'b'])).toEqual(['c'])
    expect(await dueAccounts(store, kind, later(1), 9)).toEqual(['a', 'b'])
    expect(await dueAccounts(store, kind, later(-1), 9)).toEqual([])
  })

  test('finds other accounts’ work behind very many orders', async () => {
    const store = await withOrders({ busy: veryMany, a: 1, b: 1 })
    expect(await dueAccounts(store, kind, later(9), 9)).toEqual(['busy', 'a', 'b'])
    expect(await dueAccounts(store, kind, later(9), 2)).toEqual(['busy', 'a'])
    expect(await dueAccounts(store, kind, later(9), 1, ['busy'])).toEqual(['a'])
  })

  test('finds other accounts’ work behind a rate-limited account', async () => {
    const store = await withOrders({ frozen: veryMany, a: 1 })
    await store.accounts.freeze('frozen', later(60))
    expect(await dueAccounts(store, kind, later(9), 9)).toEqual(['a'])
    expect(await dueAccounts(store, kind, later(60), 9)).toEqual(['frozen', 'a'])
  })

  test.runIf(kind !== 'placing')(
    'finds other accounts’ work behind an account with refused credentials',
    async () => {
      const store = await withOrders({ refused: veryMany, a: 1 })
      await store.accounts.suspect('refused', noon)
      expect(await dueAccounts(store, kind, later(9), 9)).toEqual(['a'])
      await store.accounts.markAuthorized('refused', later(1), later(1))
      expect(await dueAccounts(store, kind, later(9), 9)).toEqual(['refused', 'a'])
    },
  )

  test('finds work with a time too far ahead, as after the clock was set back', async () => {
    const store = await withOrders({ a: 1 })
    await store.accounts.freeze('a', later(60))
    expect(await dueAccounts(store, kind, later(-3_000), 9)).toEqual([])
    const isRead = kind === 'reconciling' || kind === 'refunding'
    const ruleSeconds = isRead ? maxAheadMs.readAt / 1000 : daySeconds
    expect(await dueAccounts(store, kind, later(-ruleSeconds + 60), 9)).toEqual([])
    expect(await dueAccounts(store, kind, later(-ruleSeconds - 60), 9)).toEqual(['a'])
  })
})

test('a queued order is due as soon as its turn has come and no order of its list is in doubt', async () => {
  const { client, store } = await open()
  await addAccount(store, 'a', noon)
  for (const id of ['1', '2', '3']) await addOrder(store, { id, accountId: 'a', now: noon })
  await client.order.update({ where: { id: '2' }, data: { afterId: '1' } })
  await client.purchase.update({ where: { id: 'p3' }, data: { heldById: '1' } })
  const due = async () => (await store.orders.dueToSend(noon, 9)).map(({ id }) => id)
  expect(await due()).toEqual(['1'])
  await store.orders.passTurn('1')
  expect(await due()).toEqual(['1', '2'])
  await client.purchase.update({ where: { id: 'p3' }, data: { heldById: null } })
  expect(await due()).toEqual(['1', '2', '3'])
})

describe('the search for chats with due notices', () => {
  test('finds the chats behind given ones that it skips', async () => {
    const { store } = await open()
    for (const chatId of [1, 2, 3]) await store.notices.enqueue(chatId, card, later(chatId))
    expect(await store.notices.dueChats(later(9), 2)).toEqual([1, 2])
    expect(await store.notices.dueChats(later(9), 2, [1, 2])).toEqual([3])
  })

  test('skips a chat whose first notice is not due, unless that notice waits for the end of quiet hours', async () => {
    const { store } = await open()
    await store.notices.enqueue(1, card, noon, later(60))
    await store.notices.enqueue(1, card, noon)
    await store.notices.enqueue(2, card, noon, null, later(60))
    expect(await store.notices.dueChats(noon, 9)).toEqual([])
    await store.notices.enqueue(2, card, noon)
    expect(await store.notices.dueChats(noon, 9)).toEqual([2])
    expect(await store.notices.dueChats(later(60), 9)).toEqual([1, 2])
  })

  test('finds every chat behind one with very many notices, due or not', async () => {
    const { client, store } = await open()
    const row = { chatId: 1n, subject: 's', kind: 'reconnect', data: '{}', createdAt: noon }
    await store.notices.enqueue(1, card, noon, later(60))
    await client.notice.createMany({ data: Array.from({ length: veryMany }, () => row) })
    await store.notices.enqueue(2, card, later(1))
    expect(await store.notices.dueChats(later(9), 9)).toEqual([2])
    expect(await store.notices.dueChats(later(60), 9)).toEqual([1, 2])
    expect(await store.notices.dueChats(later(60), 9, [1])).toEqual([2])
  })

  test('skips a muted chat until it is unmuted', async () => {
    const { store } = await open()
    await store.notices.enqueue(1, card, noon)
    await store.chats.mute(1, noon)
    expect(await store.notices.dueChats(noon, 9)).toEqual([])
    await store.notices.enqueue(1, card, noon)
    await store.chats.muteAgain(1, noon)
    expect(await store.notices.dueChats(noon, 9)).toEqual([])
    expect(await store.chats.unmute(1)).toBe(true)
    expect(await store.notices.dueChats(noon, 9)).toEqual([1])
  })

  test.each([
    ['a delay', later(60), null],
    ['quiet hours', null, later(60)],
  ])(
    'ignores %s of more than 25 hours, as after the clock was set back',
    async (_what, notBefore, quietUntil) => {
      const { store } = await open()
      await store.notices.enqueue(1, card, noon, notBefore, quietUntil)
      expect(await store.notices.dueChats(later(-daySeconds + 120), 9)).toEqual([])
      expect(await store.notices.dueChats(later(-daySeconds - 3_600), 9)).toEqual([1])
    },
  )
})
