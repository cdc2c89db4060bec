import { describe, expect, test } from 'vitest'
import type { Lists } from '../../src/orders/lists.ts'
import { queueOrders } from '../../src/orders/queueing.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import {
  announcementOf,
  cardOf,
  digestSubject,
  type Missed,
  type Notice,
  type NoticeContent,
} from '../../src/relay/notice.ts'
import type { WholeStore } from '../../src/store/store.ts'
import { createDeliver } from '../../src/telegram/notices.ts'
import type { Screen } from '../../src/telegram/screen.ts'
import type { Sender } from '../../src/telegram/sender.ts'
import { addAccount, addOrder, orderOf } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')

const newShop = async (): Promise<WholeStore> => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await addOrder(store, { id: '1', accountId: 'a', now })
  return store
}

/** Brings notices out, into a list of what was sent. */
const deliveryOf = (store: WholeStore) => {
  const texts: string[] = []
  const sender = {
    send: async (_: number, { text }: Screen) => {
      texts.push(text)
      return { kind: 'sent', messageId: 7 }
    },
  } as unknown as Sender
  const deliver = createDeliver(
    store,
    {} as Lists,
    sender,
    () => now,
    async () => {},
    async () => {},
  )
  return { deliver, texts }
}

const noticeOf = (chatId: number, content: NoticeContent): Notice => ({
  id: 1,
  chatId,
  content,
  attempts: 0,
  notBefore: null,
  quietUntil: null,
  createdAt: now,
})

test('a card that was sent is as good as sent, also where the database cannot take where it stands', async () => {
  const store = await newShop()
  const showOn: WholeStore['purchases']['showOn'] = () => Promise.reject(new Error('the database is full'))
  const full = { ...store, purchases: { ...store.purchases, showOn } }
  const { deliver } = deliveryOf(full)
  expect(await deliver(noticeOf(1, cardOf('p1')))).toEqual({ kind: 'sent' })
})

describe('a digest of what quiet hours held back', () => {
  const missed: Missed = { orderId: '1', status: 'delivered', about: [], isMoney: false, followed: false }
  const digest = (named: Missed[]): NoticeContent => ({
    kind: 'digest',
    subject: digestSubject,
    named,
    counted: [],
    quiet: true,
  })

  test('names an agent’s orders to the owner of the account, and not to who owns it no more', async () => {
    const store = await newShop()
    const { deliver, texts } = deliveryOf(store)
    await store.accounts.attach({ userId: 9, chatId: 9, accountId: 'a', role: 'owner' }, now)
    await deliver(noticeOf(9, digest([missed])))
    expect(texts.splice(0)).toEqual([expect.stringContaining('0241234567')])
    await store.accounts.detach(9)
    expect(await deliver(noticeOf(9, digest([missed])))).toEqual({ kind: 'sent' })
    expect(texts).toEqual([])
  })

  test('tells who ordered whatever became of their place, and who stopped following nothing', async () => {
    const store = await newShop()
    const { deliver, texts } = deliveryOf(store)
    await deliver(noticeOf(1, digest([missed])))
    expect(texts.splice(0)).toEqual([expect.stringContaining('0241234567')])
    await deliver(noticeOf(5, digest([{ ...missed, followed: true }])))
    expect(texts).toEqual([])
  })
})

describe('news of a debit that may be an order’s', () => {
  const doubt: NoticeContent = announcementOf('1', {
    about: 'doubt',
    debits: [{ reference: 'BUD-API-OTHERS-1', amountPesewas: pesewas(2350), atMs: null }],
    more: 0,
  })
  const told = async (store: WholeStore): Promise<string> => {
    const { deliver, texts } = deliveryOf(store)
    await deliver(noticeOf(1, doubt))
    return texts.join()
  }

  test('names the debit to an owner, and to nobody who is or was an agent', async () => {
    const store = await newShop()
    await store.accounts.attach({ userId: 9, chatId: 9, accountId: 'a', role: 'owner' }, now)
    await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, now)
    expect(await told(store)).toContain('BUD-API-OTHERS-1')
    await store.accounts.detach(1)
    expect(await told(store)).not.toContain('BUD-API-OTHERS-1')

    await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'agent', name: 'Ama' }, now)
    await addOrder(store, { id: '2', accountId: 'a', now })
    const ofAgent = await orderOf(store, '2')
    await queueOrders(
      store,
      [{ ...ofAgent, id: '3', recipients: [{ phone: '0241234568' as Phone, position: 0 }] }],
      () => 'r3',
    )
    const about = { ...doubt, orderId: '3' } as NoticeContent
    const ofOrder = async () => {
      const { deliver, texts } = deliveryOf(store)
      await deliver(noticeOf(1, about))
      return texts.join()
    }
    expect(await ofOrder()).toContain('I cannot tell yet whether the wallet was charged')
    await store.accounts.detach(1)
    expect(await ofOrder()).toContain('I cannot tell yet whether the wallet was charged')
    expect(await ofOrder()).not.toContain('BUD-API-OTHERS-1')
  })

  test('names the debit to the last owner of an account that is left', async () => {
    expect(await told(await newShop())).toContain('BUD-API-OTHERS-1')
  })
})
