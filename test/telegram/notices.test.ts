import { expect, test } from 'vitest'
import type { Lists } from '../../src/orders/lists.ts'
import { cardOf } from '../../src/relay/notice.ts'
import type { Store } from '../../src/store/store.ts'
import { createDeliver } from '../../src/telegram/notices.ts'
import type { Sender } from '../../src/telegram/sender.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

test('a card that was sent is as good as sent, also where the database cannot take where it stands', async () => {
  const now = new Date('2026-11-21T10:32:00Z')
  const store = await newStore()
  await addAccount(store, 'a', now)
  await addOrder(store, { id: '1', accountId: 'a', now })
  const showOn: Store['purchases']['showOn'] = () => Promise.reject(new Error('the database is full'))
  const full = { ...store, purchases: { ...store.purchases, showOn } }
  const sender = { send: async () => ({ kind: 'sent', messageId: 7 }) } as unknown as Sender
  const deliver = createDeliver(
    full,
    {} as Lists,
    sender,
    () => now,
    async () => {},
  )
  const times = { notBefore: null, quietUntil: null, createdAt: now }
  const notice = { id: 1, chatId: 1, content: cardOf('p1'), attempts: 0, ...times }
  expect(await deliver(notice)).toEqual({ kind: 'sent' })
})
