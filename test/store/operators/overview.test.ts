import { describe, expect, test } from 'vitest'
import { blockedNotice, cardOf, ordersAgain } from '../../../src/domain/notice.ts'
import { draftMs } from '../../../src/domain/times/draft-lifetime.ts'
import { beginMaintenance, endMaintenance, maintenanceOf } from '../../../src/orders/permission/switches.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { enqueueForMaintenanceEnd, releaseMaintenanceNotices } from '../../../src/settings/orders-again.ts'
import type { Store } from '../../../src/store/store.ts'
import { newStore } from '../../support/database.ts'

const noon = new Date('2026-11-21T12:00:00Z')
const later = (minutes: number): Date => new Date(noon.getTime() + minutes * 60_000)
const account = { keyHash: 'k', sealedKey: 'k', sealedSecret: 's', accountType: null, now: noon }

/** An account with one order that has these columns. */
const withOrder = async (store: Store, id: string, patch: Record<string, unknown>): Promise<void> => {
  if (!(await store.accounts.byId('a'))) await store.accounts.insert({ id: 'a', ...account })
  const { bundleId, network, volume } = { bundleId: 2, network: 'MTN', volume: '2GB' }
  const person = { accountId: 'a', userId: 1, chatId: 1 }
  await store.purchases.insertDraft({
    id: `p${id}`,
    ...person,
    cause: `c${id}`,
    lines: [],
    createdAt: noon,
    expiresAt: later(60),
  })
  await store.orders.insertQueued(
    [
      {
        id,
        purchaseId: `p${id}`,
        ...person,
        kind: 'single',
        bundleId,
        network,
        volume,
        offerSlug: null,
        unitPricePesewas: 960 as never,
        recipients: [{ phone: '0241234567' as Phone, position: 0 }],
        createdAt: noon,
      },
    ],
    () => `r${id}`,
  )
  await store.orders.go({ id }, 'sending', { leaseToken: 't', leaseUntil: later(0) }, noon)
  await store.orders.go({ id, leaseToken: 't' }, 'unconfirmed', { sentAt: noon, ...patch }, noon)
}

const callback = (id: string, reference: string, at: Date) => ({
  orderId: id,
  source: 'callback' as const,
  reference,
  status: 'delivered',
  phone: null,
  happenedAt: null,
  receivedAt: at,
  digest: `${id} ${reference}`,
  body: '{}',
})

describe('the operators’ list of stuck work', () => {
  test('has orders in doubt for a quarter of an hour, or waiting for their person’s decision', async () => {
    const store = await newStore()
    await withOrder(store, 'lost', {})
    expect(await store.operations.stuckCounts(later(10))).toMatchObject({ orders: 0 })
    expect(await store.operations.stuckCounts(later(20))).toMatchObject({ orders: 1 })
    await store.orders.go({ id: 'lost' }, 'review', { reason: 'ambiguous' }, noon)
    expect(await store.operations.stuckCounts(later(1))).toMatchObject({ orders: 1 })
    expect(await store.operations.stuckOrders(later(1), 0, 6)).toMatchObject([
      { id: 'lost', accountId: 'a', placement: 'review', since: noon },
    ])
    await store.orders.patch('lost', { reason: 'charged_by_person' }, noon)
    expect(await store.operations.stuckCounts(later(1))).toMatchObject({ orders: 0 })
  })

  test('has callbacks about the wrong order until they are dismissed, and callbacks that wait too long', async () => {
    const store = await newStore()
    await withOrder(store, 'o', {})
    await store.statusReports.insert([
      callback('o', 'BUD-API-1', noon),
      callback('erased', 'BUD-API-2', noon),
      callback('o', 'BUD-API-3', noon),
    ])
    const [first, second, third] = await store.statusReports.unapplied(0, 9)
    await store.statusReports.setDisposition([first?.id ?? 0, second?.id ?? 0], 'foreign', noon)
    const references = async (at: Date) =>
      (await store.operations.strangeCallbacks(at, 0, 9)).map(({ reference }) => reference)
    expect(await references(noon)).toEqual(['BUD-API-1'])
    expect(await references(later(2))).toEqual(['BUD-API-3', 'BUD-API-1'])
    expect(await store.operations.stuckCounts(later(2))).toMatchObject({ callbacks: 2 })
    expect(await store.operations.dismiss(third?.id ?? 0, later(2))).toBe(true)
    expect(await store.operations.dismissForeign(third?.id ?? 0)).toBe(2)
    expect(await references(later(2))).toEqual([])
    expect(await store.operations.dismiss(third?.id ?? 0, later(2))).toBe(false)
    expect(await store.statusReports.unapplied(0, 9)).toEqual([])
    // The reference is this order's after all, so its dismissed callbacks are processed again.
    await store.statusReports.reopen('o', 'BUD-API-1')
    expect((await store.statusReports.unapplied(0, 9)).map(({ reference }) => reference)).toEqual([
      'BUD-API-1',
    ])
  })

  test('has each notice that was set aside until an operator has it sent again', async () => {
    const store = await newStore()
    const id = await store.notices.enqueueDirectly(1, cardOf('p'), noon)
    await store.notices.putOff([id], later(5), true)
    await store.notices.setAside([id], noon)
    expect(await store.operations.setAside(0, 6)).toMatchObject([
      { id, chatId: 1, kind: 'card', attempts: 1 },
    ])
    expect(await store.notices.dueChats(noon, 9)).toEqual([])
    expect(await store.operations.tryAgain(id)).toBe(true)
    expect(await store.operations.tryAgain(id)).toBe(false)
    expect(await store.operations.drop(id)).toBe(false)
    expect(await store.notices.dueChats(noon, 9)).toEqual([1])
  })

  test('never shows phones, names or the body of a callback', async () => {
    const store = await newStore()
    await withOrder(store, 'o', {})
    await store.statusReports.insert([
      { ...callback('o', 'BUD-API-1', noon), phone: '0241234567', body: 'secret' },
    ])
    const shown = JSON.stringify([
      await store.operations.stuckOrders(later(60), 0, 9),
      await store.operations.strangeCallbacks(later(60), 0, 9),
    ])
    expect(shown).toContain('BUD-API-1')
    expect(shown).not.toMatch(/0241234567|secret|keyHash/)
  })
})

describe('the operators’ figures', () => {
  test('count the day’s orders by state, and people by role', async () => {
    const store = await newStore()
    await withOrder(store, 'one', {})
    await withOrder(store, 'two', {})
    await store.orders.prove('two', { reference: 'BUD-API-2', status: 'failed', nextPollAt: later(1) }, noon)
    expect(await store.operations.ordersSince(noon)).toEqual([
      { state: 'failed', count: 1 },
      { state: 'unconfirmed', count: 1 },
    ])
    expect(await store.operations.ordersSince(later(1))).toEqual([])
    expect(await store.operations.followed()).toBe(1)
    await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, noon)
    await store.chats.follow('one', 7, noon)
    await store.chats.follow('two', 7, noon)
    await store.chats.mute(8, noon)
    await store.operations.block(9, noon)
    expect(await store.operations.people()).toEqual({
      owners: 1,
      agents: 0,
      following: 1,
      muted: 1,
      blocked: 1,
    })
    expect(await store.operations.databaseVersion()).toMatch(/^(SQLite|PostgreSQL) [\w.]+$/)
  })
})

describe('an operator’s block', () => {
  test('applies to a chat and to its person in every chat, and does not change whether a chat is muted', async () => {
    const store = await newStore()
    expect(await store.operations.block(5, noon)).toBe(true)
    expect(await store.operations.block(5, noon)).toBe(false)
    expect(await store.chatSnapshots.of({ chatId: 5, userId: 5 })).toMatchObject({
      isMuted: false,
      isBlocked: true,
    })
    expect(await store.chatSnapshots.of({ chatId: -77, userId: 5 })).toMatchObject({
      isMuted: false,
      isBlocked: true,
    })
    expect(await store.chatSnapshots.of({ chatId: -77, userId: 6 })).toMatchObject({
      isMuted: false,
      isBlocked: false,
    })
    await store.chats.mute(5, noon)
    expect(await store.chatSnapshots.of({ chatId: -77, userId: 5 })).toMatchObject({
      isMuted: false,
      isBlocked: true,
    })
    expect(await store.operations.unblock(5)).toBe(true)
    expect(await store.operations.unblock(5)).toBe(false)
    expect(await store.chatSnapshots.of({ chatId: 5, userId: 5 })).toMatchObject({
      isMuted: true,
      isBlocked: false,
    })
  })

  test('outlasts the deletion of the person’s data, and leaves no row after it is lifted', async () => {
    const store = await newStore()
    for (const id of [5, 6]) {
      await store.menus.remember(id, 'long', noon)
      if (id === 5) await store.operations.block(id, noon)
      await store.personalData.forgetPerson(id)
      await store.menus.remember(id, null, noon)
    }
    expect(await store.operations.blockedChats(0, 9)).toEqual([{ chatId: 5, since: noon }])
    expect(await store.chatSnapshots.of({ chatId: 6, userId: 6 })).toMatchObject({
      isMuted: false,
      isBlocked: false,
    })
    await store.operations.unblock(5)
    expect(await store.operations.people()).toMatchObject({ blocked: 0 })
    expect(await store.operations.isOwed(5, blockedNotice)).toBe(false)
  })
})

describe('a person who was refused while orders were paused', () => {
  test('gets one notice when orders are accepted again, and none before', async () => {
    const store = await newStore()
    await store.transaction((tx) => beginMaintenance(tx, { until: later(30) }, noon))
    await enqueueForMaintenanceEnd(store, 1, noon)
    await enqueueForMaintenanceEnd(store, 1, noon)
    // A change of quiet hours does not release the notice.
    await store.notices.setQuietUntil(1, later(1))
    expect(await releaseMaintenanceNotices(store, () => later(5))).toBe(0)
    expect(await store.notices.dueChats(later(60 * 24 * 365), 9)).toEqual([])
    expect(await store.transaction(endMaintenance)).toBe(true)
    expect(await releaseMaintenanceNotices(store, () => later(10))).toBe(1)
    expect(await releaseMaintenanceNotices(store, () => later(10))).toBe(0)
    expect((await store.notices.ofChat(1)).map(({ content }) => content)).toEqual([ordersAgain])
    expect(await store.notices.dueChats(later(10), 9)).toEqual([1])
  })

  test('gets the newest draft’s card immediately, and the notice after quiet hours', async () => {
    const store = await newStore()
    await store.accounts.insert({ id: 'a', ...account })
    await store.preferences.change(1, { quietFrom: 11 * 60, quietTo: 13 * 60 })
    const { id } = await store.purchases.insertDraft({
      id: 'p',
      userId: 1,
      chatId: 1,
      accountId: 'a',
      cause: 'c',
      lines: [],
      createdAt: noon,
      expiresAt: new Date(noon.getTime() + draftMs),
    })
    await store.transaction((tx) => beginMaintenance(tx, {}, noon))
    await enqueueForMaintenanceEnd(store, 1, noon)
    await store.transaction(endMaintenance)
    await releaseMaintenanceNotices(store, () => noon)
    expect((await store.notices.forTurn(1, 9, noon)).map(({ content }) => content)).toEqual([cardOf(id)])
    expect((await store.notices.forTurn(1, 9, later(61))).map(({ content }) => content)).toContainEqual(
      ordersAgain,
    )
  })
})

test('each setting of a maintenance pause stays while another setting changes', async () => {
  const store = await newStore()
  await store.transaction((tx) => beginMaintenance(tx, { reason: 'Why' }, noon))
  await store.transaction((tx) => beginMaintenance(tx, { until: later(60) }, later(5)))
  expect(await maintenanceOf(store)).toEqual({ since: noon, until: later(60), reason: 'Why' })
  await store.transaction(endMaintenance)
  expect(await maintenanceOf(store)).toBeNull()
  expect(await store.transaction(endMaintenance)).toBe(false)
})
