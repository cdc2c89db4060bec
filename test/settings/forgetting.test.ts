import { describe, expect, test } from 'vitest'
import {
  announcementOf,
  cardOf,
  digestSubject,
  listNotice,
  type NoticeContent,
} from '../../src/domain/notice.ts'
import type { PriceRule } from '../../src/domain/selling/price-rule.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { eraseForgotten, forgetPerson } from '../../src/settings/forgetting.ts'
import type { Store } from '../../src/store/store.ts'
import { aShop } from '../domain/a-shop.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const member = (userId: number, role: 'owner' | 'agent') => ({ userId, chatId: userId, accountId: 'a', role })

const newShop = async (...members: ReturnType<typeof member>[]): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  for (const each of members) {
    await store.accounts.attach(each, now)
    await store.preferences.change(each.userId, { notify: 'each' })
  }
  const placed = { reference: 'BUD-API-A-1', status: 'processing', placedAt: now, nextPollAt: now }
  await addOrder(store, { id: '1', accountId: 'a', now }, [
    ['sending', { sentAt: now }],
    ['placed', placed],
  ])
  await store.shops.name('a', 'Ama Data')
  return store
}

const settled = async (store: Store, userId: number) => (await store.preferences.of(userId)).notify

describe('a member who is not the last owner and deletes their data', () => {
  test.each(['owner', 'agent'] as const)('loses only their own data if they are an %s', async (role) => {
    const store = await newShop(member(1, 'owner'), member(2, role))
    const outcome = await forgetPerson(store, { userId: 2, accountId: 'a' }, 'confirmed', now)
    const departure = { kind: role === 'owner' ? 'left' : 'resigned' }
    expect(outcome).toMatchObject({ kind: 'forgotten', departure })
    await eraseForgotten(store, () => now)
    expect(await store.accounts.member(2)).toBeNull()
    expect(await settled(store, 2)).toBe('final')
    expect(await settled(store, 1)).toBe('each')
    expect(await store.orders.byId('1')).not.toBeNull()
    expect((await store.shops.of('a')).name).toBe('Ama Data')
  })
})

describe('an account’s last owner', () => {
  test('who deletes their data is asked when to leave if an order is open', async () => {
    const store = await newShop(member(1, 'owner'))
    expect(await forgetPerson(store, { userId: 1, accountId: 'a' }, 'confirmed', now)).toEqual({
      kind: 'open',
    })
    expect(await settled(store, 1)).toBe('each')
    expect((await store.accounts.byId('a'))?.forgetAt).toBeNull()
  })

  test('who deletes their data but then keeps the account loses nothing more', async () => {
    const store = await newShop(member(1, 'owner'))
    const outcome = await forgetPerson(store, { userId: 1, accountId: 'a' }, 'done', now)
    expect(outcome).toMatchObject({ kind: 'forgotten', departure: { kind: 'closing' } })
    await eraseForgotten(store, () => now)
    expect(await store.orders.byId('1')).not.toBeNull()
    await store.accounts.keep('a')
    await store.orders.patch('1', { nextPollAt: null }, now)
    await eraseForgotten(store, () => now)
    expect(await store.orders.byId('1')).not.toBeNull()
  })

  test('changes nothing by a press to delete that is about another account', async () => {
    const store = await newShop(member(1, 'owner'))
    for (const accountId of ['b', null]) {
      const outcome = await forgetPerson(store, { userId: 1, accountId }, 'now', now)
      expect(outcome).toEqual({ kind: 'other_account' })
    }
    expect(await store.accounts.member(1)).not.toBeNull()
  })

  test('is told twice that all is deleted if the press arrives twice', async () => {
    const store = await newShop(member(1, 'owner'))
    const forget = () => forgetPerson(store, { userId: 1, accountId: 'a' }, 'now', now)
    expect(await forget()).toMatchObject({ kind: 'forgotten', departure: { kind: 'erased' } })
    expect(await forget()).toEqual({ kind: 'forgotten', departure: null })
  })

  test('who deletes their data leaves nothing of the shop, its prices or its hidden bundles', async () => {
    const store = await newShop(member(1, 'owner'))
    const rule: PriceRule = { kind: 'plus', pesewas: pesewas(200), roundPesewas: pesewas(1) }
    await store.shops.phone('a', '0241234567' as Phone)
    await store.shops.accent('a', 'green')
    await store.shops.letter('a', 'D')
    await store.shops.rule('a', rule)
    await store.shops.tier('a', { network: 'MTN', fromMegabytes: 10_000 }, rule)
    await store.shops.price('a', 5, pesewas(2600))
    await store.shops.hide('a', 8, true)
    expect(await store.shops.of('a')).toMatchObject({ phone: '0241234567', accent: 'green', letter: 'D' })
    await forgetPerson(store, { userId: 1, accountId: 'a' }, 'now', now)
    await eraseForgotten(store, () => now)
    expect(await store.shops.of('a')).toEqual(aShop)
    expect(await store.shops.hidden('a')).toEqual(new Set())
  })

  test('who deletes their data leaves nothing of an account that they had already left', async () => {
    const store = await newShop(member(1, 'owner'))
    await store.accounts.erase('a')
    await store.accounts.detach(1)
    await store.orders.patch('1', { nextPollAt: null }, now)
    const outcome = await forgetPerson(store, { userId: 1, accountId: null }, 'confirmed', now)
    expect(outcome).toEqual({ kind: 'forgotten', departure: null })
    await eraseForgotten(store, () => now)
    expect(await store.orders.byId('1')).toBeNull()
    expect(await store.accounts.byId('a')).toBeNull()
  })
})

test('thousands of orders of an account are deleted in small steps, except those still needed', {
  tags: 'exhaustive',
}, async () => {
  const store = await newShop(member(1, 'owner'))
  for (let count = 2; count <= 400; count += 1) {
    await addOrder(store, { id: String(count), accountId: 'a', now }, [['cancelled', {}]])
  }
  await forgetPerson(store, { userId: 1, accountId: 'a' }, 'done', now)
  await eraseForgotten(store, () => now)
  const left = await store.personalData.purchases('a', null, null, 500)
  expect(left.map(({ purchase }) => purchase.id)).toEqual(['p1'])
})

describe('an order that somebody must still hear about', () => {
  const hour = 60 * 60_000
  const delivered = announcementOf('1', {
    about: 'status',
    status: 'delivered',
    reported: false,
    contradicts: false,
  })
  const missed = { orderId: '1', status: 'delivered', about: [], isMoney: false, followed: false }
  const messages: [string, NoticeContent][] = [
    ['the final status of the order', delivered],
    ['its card', cardOf('p1')],
    ['the end of its list', listNotice('p1', 'done')],
    ['a digest that names it', { kind: 'digest', subject: digestSubject, named: [missed], counted: [] }],
    ['the end of following it', { kind: 'unfollowed', subject: 'account', orderIds: ['1'] }],
    ['its outcome for a follower', { kind: 'follow_ended', subject: 'follow:1', orderId: '1' }],
  ]

  test.each(messages)('is not deleted before a chat gets %s', async (_, message) => {
    for (const when of ['done', 'now'] as const) {
      const store = await newShop(member(1, 'owner'), member(2, 'agent'))
      // Another order keeps the account open until both have ended.
      await addOrder(store, { id: '2', accountId: 'a', now }, [['sending', { sentAt: now }]])
      await forgetPerson(store, { userId: 1, accountId: 'a' }, when, now)
      await store.notices.done((await store.notices.ofChat(1)).map(({ id }) => id))
      await store.orders.patch('1', { nextPollAt: null }, now)
      const held = new Date(now.getTime() + 8 * hour)
      await store.notices.enqueue(2, message, now, null, held)
      await eraseForgotten(store, () => now)
      expect(await store.orders.byId('1')).not.toBeNull()
      await store.notices.done((await store.notices.ofChat(2)).map(({ id }) => id))
      await eraseForgotten(store, () => now)
      expect(await store.orders.byId('1')).toBeNull()
    }
  })

  test('is deleted two days later even if the notice could not be sent', async () => {
    const store = await newShop(member(1, 'owner'))
    await forgetPerson(store, { userId: 1, accountId: 'a' }, 'now', now)
    await store.notices.enqueue(1, delivered, now)
    await eraseForgotten(store, () => new Date(now.getTime() + 47 * hour))
    expect(await store.orders.byId('1')).not.toBeNull()
    await eraseForgotten(store, () => new Date(now.getTime() + 48 * hour))
    expect(await store.orders.byId('1')).toBeNull()
    expect(await store.accounts.byId('a')).toBeNull()
  })
})
