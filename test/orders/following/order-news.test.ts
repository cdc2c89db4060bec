import { describe, expect, test } from 'vitest'
import { enqueueListNews } from '../../../src/orders/following/list-news.ts'
import {
  closeIfDone,
  enqueueListChange,
  enqueueNews,
  enqueueStatusNews,
} from '../../../src/orders/following/order-news.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { PreferencesPatch } from '../../../src/store/chats/preferences.ts'
import type { Store } from '../../../src/store/store.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, orderOf } from '../placed-orders.ts'

const at = new Date('2026-03-01T22:00:00Z')
const morning = new Date('2026-03-02T06:00:00Z')
const quiet: PreferencesPatch = { quietFrom: 21 * 60, quietTo: 6 * 60 }
const [contact, reseller] = [9, 1]

/** A placed order of chat 1 that chat 9 follows. */
const newOrder = async (settled: PreferencesPatch, listed = false): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', at)
  const draft = { id: 'p1', cause: '1', accountId: 'a', userId: 1, chatId: 1, lines: [], createdAt: at }
  const kind = listed ? 'list' : 'single'
  await store.purchases.insertDraft({ ...draft, kind, expiresAt: new Date(at.getTime() + 1) })
  await addOrder(store, { id: '1', accountId: 'a', now: at }, [
    ['sending', { sentAt: at, listed }],
    ['placed', { reference: 'BUD-API-A-1', status: 'processing', placedAt: at }],
  ])
  await store.chats.follow('1', contact, at)
  for (const userId of [reseller, contact]) await store.preferences.change(userId, settled)
  return store
}

const follower = { chatId: contact }

const announce = async (store: Store, status: string, contradicts = false): Promise<void> => {
  const order = await orderOf(store, '1')
  await store.transaction((tx) =>
    enqueueStatusNews(tx, order, { status, reported: false, contradicts, followers: [follower] }, true, at),
  )
}

/** For each enqueued notice about an order in the chat, until when it is held back. */
const owed = async (store: Store, chatId: number): Promise<(Date | null)[]> =>
  (await store.notices.ofChat(chatId))
    .filter(({ content }) => /announce|list/.test(content.kind))
    .map(({ quietUntil }) => quietUntil)

describe.each([
  ['each', { shipped: 1, delivered: 1, failed: 1, cancelled: 1, refunded: 1 }],
  ['final', { shipped: 0, delivered: 1, failed: 1, cancelled: 1, refunded: 1 }],
  ['failures', { shipped: 0, delivered: 0, failed: 1, cancelled: 1, refunded: 1 }],
] as const)('a person who set notices to “%s”', (notify, messages) => {
  test.each(Object.entries(messages))(
    'gets, for the status %s, this number of notices: %i',
    async (status, count) => {
      const store = await newOrder({ notify })
      await announce(store, status)
      expect(await owed(store, reseller)).toHaveLength(count)
      expect(await owed(store, contact)).toHaveLength(count)
    },
  )

  test('still gets news about money and about contradicted statuses', async () => {
    const store = await newOrder({ notify, ...quiet })
    const order = await orderOf(store, '1')
    await store.transaction((tx) =>
      enqueueNews(
        tx,
        order,
        at,
        { about: 'placement' },
        { about: 'refund', refundedPesewas: pesewas(0) },
        { about: 'other_price' },
        { about: 'proof' },
      ),
    )
    await announce(store, 'processing', true)
    await announce(store, 'delivered', true)
    expect(await owed(store, reseller)).toEqual(Array(6).fill(null))
  })
})

describe('during quiet hours', () => {
  test('the person and the follower get good news in the morning and news of a failure immediately', async () => {
    const store = await newOrder(quiet)
    await announce(store, 'delivered')
    expect(await owed(store, reseller)).toEqual([morning])
    expect(await owed(store, contact)).toEqual([morning])
    const failing = await newOrder(quiet)
    await announce(failing, 'failed')
    expect(await owed(failing, reseller)).toEqual([null])
    expect(await owed(failing, contact)).toEqual([null])
  })

  test('urgent news about an order also sends the earlier news about it that waited', async () => {
    const store = await newOrder({ notify: 'each', ...quiet })
    await announce(store, 'shipped')
    expect(await owed(store, reseller)).toEqual([morning])
    await announce(store, 'failed')
    expect(await owed(store, reseller)).toEqual([null, null])
  })

  test.each([
    ['delivered', { quiet: [morning], failures: [] }],
    ['failed', { quiet: [null], failures: [null] }],
  ])(
    'the news that a list ended as “%s” obeys the person’s settings for notices',
    async (status, expected) => {
      for (const [name, settled] of [
        ['quiet', quiet],
        ['failures', { notify: 'failures' }],
      ] as const) {
        const store = await newOrder(settled, true)
        await store.orders.patch('1', { status, nextPollAt: null }, at)
        await store.orders.patchRecipients('1', null, status, at)
        const order = await orderOf(store, '1')
        await store.transaction((tx) => closeIfDone(tx, order, at))
        expect(await owed(store, reseller)).toEqual(expected[name])
      }
    },
  )
})

describe('a list in which an order has not ended', () => {
  const [first, second] = ['0241234567', '0241234568']
  const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000)

  /** A list of two numbers in one order, which was taken through these placements. */
  const newList = async (...arrows: Parameters<typeof addOrder>[2] & object): Promise<Store> => {
    const store = await newStore()
    await addAccount(store, 'a', at)
    const draft = { id: 'p1', cause: '1', accountId: 'a', userId: 1, chatId: 1, lines: [], createdAt: at }
    await store.purchases.insertDraft({ ...draft, kind: 'list', expiresAt: later(1) })
    const sent = ['sending', { sentAt: at, listed: true }] as const
    await addOrder(store, { id: '1', accountId: 'a', now: at }, [sent, ...arrows], first, second)
    return store
  }

  const underWay = ['placed', { reference: 'A', status: 'processing', placedAt: at, nextPollAt: at }] as const

  /** Sends the news of the list that is enqueued by then. */
  const newsAt = async (store: Store, when: Date): Promise<string[]> => {
    const order = await orderOf(store, '1')
    await store.transaction((tx) => closeIfDone(tx, order, when))
    const notices = await store.notices.ofChat(reseller)
    await store.notices.done(notices.map(({ id }) => id))
    return notices.flatMap(({ content }) => (content.kind === 'list' ? [content.what] : []))
  }

  const end = async (store: Store, phone: string, status: string): Promise<void> => {
    const order = await orderOf(store, '1')
    await store.orders.patchRecipients('1', [phone as Phone], status, at)
    const { recipients } = await orderOf(store, '1')
    await store.transaction((tx) => enqueueListChange(tx, order, recipients, at))
  }

  test('is reported after 20 minutes if a number has failed, and again when the order ends', async () => {
    const store = await newList(underWay)
    await end(store, first, 'failed')
    expect(await newsAt(store, later(19))).toEqual([])
    expect(await newsAt(store, later(20))).toEqual(['done'])
    await end(store, second, 'delivered')
    expect(await newsAt(store, later(21))).toEqual(['went_on'])
  })

  test('is reported once if the order ends before the person got the report', async () => {
    const store = await newList(underWay)
    await end(store, first, 'failed')
    const order = await orderOf(store, '1')
    await store.transaction((tx) => closeIfDone(tx, order, later(20)))
    await end(store, second, 'failed')
    expect(await newsAt(store, later(21))).toEqual(['done'])
  })

  test('is reported again only in the morning, however many of its good ends come in quiet hours', async () => {
    const store = await newList(underWay)
    await store.preferences.change(reseller, quiet)
    await end(store, first, 'failed')
    expect(await newsAt(store, later(20))).toEqual(['done'])
    for (let time = 0; time < 2; time += 1) {
      await store.transaction((tx) =>
        enqueueListNews(tx, reseller, { purchaseId: 'p1', what: 'went_on' }, later(21), {
          notBefore: null,
          quietUntil: morning,
        }),
      )
      expect(await owed(store, reseller)).toEqual([morning])
    }
  })

  test('is not reported again for a good end to a person who wants to hear of failures only', async () => {
    const store = await newList(underWay)
    await store.preferences.change(reseller, { notify: 'failures' })
    await end(store, first, 'failed')
    expect(await newsAt(store, later(20))).toEqual(['done'])
    await end(store, second, 'delivered')
    expect(await newsAt(store, later(21))).toEqual([])
  })

  test('is not reported while no number has failed', async () => {
    const store = await newList(underWay)
    await end(store, first, 'delivered')
    expect(await newsAt(store, later(60))).toEqual([])
  })

  test('is reported at once if only the person can end the order', async () => {
    const store = await newList(['unconfirmed', { reason: 'timeout' }], ['review', { reason: 'unexplained' }])
    expect(await newsAt(store, at)).toEqual(['done'])
  })
})
