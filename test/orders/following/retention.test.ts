import { describe, expect, test } from 'vitest'
import { noAnswers, nothingShown } from '../../../src/domain/list-draft.ts'
import { announcementOf } from '../../../src/domain/notice.ts'
import { isRedacted, type Order } from '../../../src/domain/order/order.ts'
import type { Placement } from '../../../src/domain/order/placement.ts'
import { isRemoved } from '../../../src/domain/order/removed-phone.ts'
import { applyCallbacks } from '../../../src/orders/following/callbacks.ts'
import { isFinished, redactOld } from '../../../src/orders/following/retention.ts'
import { adoptReference } from '../../../src/orders/reconciling/proof.ts'
import type { OrderStatus } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Store } from '../../../src/store/store.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, orderOf } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 24 * 60 * 60_000)
const old = daysAgo(400)
const phone = '0241234567'

const nothingAsked = { nextPollAt: null, reconcileAt: null, refundAt: null, reason: null, status: null }

describe('an order', () => {
  test.each([
    ['delivered', true, 'placed', { status: 'delivered' }],
    ['refunded', true, 'placed', { status: 'refunded' }],
    ['failed', true, 'placed', { status: 'failed' }],
    ['failed and may be refunded', false, 'placed', { status: 'failed', refundAt: now }],
    ['delivered and still polled', false, 'placed', { status: 'delivered', nextPollAt: now }],
    ['stale', false, 'placed', { status: 'processing', reason: 'stale' }],
    ['placed without a status', false, 'placed', { status: null }],
    ['rejected', true, 'rejected', {}],
    ['cancelled', true, 'cancelled', {}],
    ['superseded', true, 'superseded', {}],
    ['not placed', true, 'not_placed', {}],
    ['not placed but still checked', false, 'not_placed', { reconcileAt: now }],
    ['unconfirmed', false, 'unconfirmed', {}],
    ['in review', false, 'review', {}],
    ['in review and judged by its person', true, 'review', { reason: 'charged_by_person' }],
    ['queued', false, 'queued', {}],
    ['being sent', false, 'sending', {}],
  ] as const)('that is %s counts as finished: %s', (_, finished, placement, more) => {
    expect(isFinished({ ...nothingAsked, placement, ...more })).toBe(finished)
  })
})

const signal = new AbortController().signal
const giveWay = async () => {}
const reduce = (store: Store, retentionDays = 365): Promise<void> =>
  redactOld({ store, retentionDays, now: () => now, giveWay, signal })

type Arrow = readonly [Placement, object]
const delivered: readonly Arrow[] = [
  ['sending', { sentAt: old }],
  [
    'placed',
    { reference: 'BUD-API-A-1', status: 'delivered', placedAt: old, chargedPesewas: 2350, inferred: true },
  ],
]

const shopWith = async (arrows: readonly Arrow[] = delivered, at = old): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', old)
  await addOrder(store, { id: '1', accountId: 'a', now: at }, arrows)
  return store
}

const callback = (
  orderId: string,
  status: string,
  more: { reference?: string; phone?: string | null; digest?: string } = {},
) => ({
  orderId,
  source: 'callback' as const,
  digest: `${orderId} ${status}`,
  reference: 'BUD-API-A-1',
  status,
  phone,
  happenedAt: null,
  receivedAt: old,
  body: JSON.stringify({ phone, status }),
  ...more,
})

const applyAll = async (store: Store): Promise<void> => {
  const events = await store.statusReports.unapplied(0, 100)
  await store.transaction((tx) => applyCallbacks(tx, events, now))
}

/** The purchases in the file with a person's data, as JSON. */
const keptOf = async (store: Store): Promise<string> =>
  JSON.stringify(await store.personalData.purchases('a', null, null, 100))

describe('an old finished order', () => {
  test('loses its phone number and keeps everything that accounting needs', async () => {
    const store = await shopWith()
    const before = await orderOf(store, '1')
    await reduce(store)
    const order = await orderOf(store, '1')
    expect(isRedacted(order)).toBe(true)
    const { recipients, providerMessage: _, inferred: __, ...facts } = before
    expect(order).toMatchObject({ ...facts, redactedAt: now })
    expect(order.recipients).toEqual([{ ...recipients[0], phone: 'removed:r1-1' }])
    expect(await keptOf(store)).not.toContain(phone)
  })

  test('is redacted only after it is older than the retention period', async () => {
    const store = await shopWith()
    await reduce(store, 401)
    expect(isRedacted(await orderOf(store, '1'))).toBe(false)
  })

  test('is redacted only if it was not changed recently', async () => {
    const store = await shopWith()
    await store.orders.patch('1', { sellUnitPesewas: 2600 }, daysAgo(2))
    await reduce(store)
    expect(isRedacted(await orderOf(store, '1'))).toBe(false)
  })

  test('is not redacted while a notice about it waits', async () => {
    const store = await shopWith()
    const id = await store.notices.enqueueDirectly(
      1,
      announcementOf('1', { about: 'refund', refundedPesewas: pesewas(0) }),
      old,
    )
    await reduce(store)
    expect(isRedacted(await orderOf(store, '1'))).toBe(false)
    await store.notices.done([id])
    await reduce(store)
    expect(isRedacted(await orderOf(store, '1'))).toBe(true)
  })

  test('is not redacted while it has a recent question from its customer', async () => {
    const store = await shopWith()
    const asked = {
      id: 'q',
      orderId: '1',
      accountId: 'a',
      customerChatId: 9,
      cause: 'c',
      text: 'Where is it?',
    }
    await store.enquiries.insert({ ...asked, createdAt: daysAgo(1) })
    await reduce(store)
    expect(isRedacted(await orderOf(store, '1'))).toBe(false)
  })

  test('is not redacted while a complaint about it is open, and loses the complaint with its numbers', async () => {
    const store = await shopWith()
    const times = { createdAt: daysAgo(1), deadlineAt: null, expiresAt: now, remindAt: null }
    const said = { kind: 'nothing' as const, position: null, photoId: 'photo', raisedBy: 9 }
    await store.complaints.insert({ id: 'c', orderId: '1', accountId: 'a', ...said, ...times })
    await reduce(store)
    expect(isRedacted(await orderOf(store, '1'))).toBe(false)
    await store.complaints.end('c', 'solved', now)
    await reduce(store)
    expect(isRedacted(await orderOf(store, '1'))).toBe(true)
    expect(await store.complaints.byId('c')).toBeNull()
  })

  test('is found by its reference and no longer by its phone number', async () => {
    const store = await shopWith()
    await reduce(store)
    const query = {
      accountId: 'a',
      userId: null,
      state: 'all',
      since: null,
      until: null,
      network: null,
    } as const
    const found = (search: Parameters<Store['history']['page']>[0]['search']) =>
      store.history.page({ ...query, search }, 0, 10)
    expect(await found({ by: 'phone', phone: phone as Phone })).toEqual([])
    expect(await found({ by: 'reference', part: 'API-A' })).toHaveLength(1)
    expect(
      await store.contacts.ordersFor({ accountId: 'a', userId: null, phone: phone as Phone }, 10),
    ).toEqual([])
    expect(await store.contacts.recentRecipients({ accountId: 'a', userId: null }, 10)).toEqual([])
  })

  test('counts in the same sums as before', async () => {
    const store = await shopWith()
    const sums = () =>
      store.tallies.sums({ accountId: 'a', userId: null, prices: 'cost' }, { from: daysAgo(500), to: now })
    const before = await sums()
    await reduce(store)
    expect(await sums()).toEqual(before)
    expect(before.singles).toMatchObject([{ count: 1, chargedPesewas: 2350 }])
  })

  test('loses its followers and questions, but a customer whom the shop blocked stays blocked', async () => {
    const store = await shopWith()
    await store.chats.follow('1', 9, old)
    const asked = { orderId: '1', accountId: 'a', text: `Is ${phone} done?`, createdAt: old }
    await store.enquiries.insert({ ...asked, id: 'q', customerChatId: 8, cause: 'c' })
    await store.enquiries.insert({ ...asked, id: 'b', customerChatId: 9, cause: 'd' })
    await store.enquiries.block('b', old)
    await reduce(store)
    expect(await store.chats.followOf('1', 9)).toBeNull()
    expect(await store.enquiries.byId('q')).toBeNull()
    expect(await store.enquiries.byId('b')).toMatchObject({ text: '', customerChatId: 9 })
    expect(await store.enquiries.isBlocked({ accountId: 'a', customerChatId: 9 })).toBe(true)
  })

  test('loses the phone number also in its draft’s cause, its lines and its status reports', async () => {
    const store = await newStore()
    await addAccount(store, 'a', old)
    const line = { bundleId: 5, network: 'MTN', volume: '5GB', offerSlug: null, pricePesewas: pesewas(2350) }
    const cause = `press:1:7:5:${phone}`
    const times = { createdAt: old, expiresAt: old }
    const lines = [{ ...line, phone: phone as Phone }]
    await store.purchases.insertDraft({
      id: 'p',
      accountId: 'a',
      userId: 1,
      chatId: 1,
      cause,
      lines,
      ...times,
    })
    await store.purchases.leaveDraft({ id: 'p', userId: 1, now: daysAgo(500) }, 'confirmed')
    const { pricePesewas: unitPricePesewas, ...bundle } = line
    const order = { id: '1', purchaseId: 'p', accountId: 'a', userId: 1, chatId: 1, kind: 'single' as const }
    const recipients = [{ phone: phone as Phone, position: 0 }]
    await store.orders.insertQueued(
      [{ ...order, ...bundle, unitPricePesewas, recipients, createdAt: old }],
      () => 'r',
    )
    for (const [to, patch] of delivered) await store.orders.go({ id: '1' }, to, patch, old)
    await store.statusReports.insert([callback('1', 'delivered')])
    const [event] = await store.statusReports.unapplied(0, 1)
    await store.statusReports.setDisposition([event?.id ?? 0], 'applied', old)
    await reduce(store)
    expect(await store.purchases.byCause(cause)).toBeNull()
    expect((await store.purchases.byId('p'))?.lines).toEqual([])
    const [told] = await store.history.statusReports(await orderOf(store, '1'), 10)
    expect(told).toMatchObject({ status: 'delivered', receivedAt: old })
    expect(isRemoved(told?.phone ?? '')).toBe(true)
  })

  test('loses the provider’s message, which may contain a phone number', async () => {
    const words = { reason: 'pending', providerMessage: `An order for ${phone} is pending.` }
    const store = await shopWith([
      ['sending', { sentAt: old }],
      ['rejected', words],
    ])
    await reduce(store)
    expect(await orderOf(store, '1')).toMatchObject({
      placement: 'rejected',
      reason: 'pending',
      providerMessage: null,
    })
  })
})

describe('an old order whose outcome is unknown', () => {
  test.each<[string, readonly Arrow[]]>([
    [
      'unconfirmed',
      [
        ['sending', {}],
        ['unconfirmed', {}],
      ],
    ],
    [
      'review',
      [
        ['sending', {}],
        ['unconfirmed', {}],
        ['review', {}],
      ],
    ],
    [
      'stale',
      [
        ['sending', {}],
        ['placed', { reference: 'R', status: 'processing', reason: 'stale' }],
      ],
    ],
  ])('is not redacted if it is %s', async (_, arrows) => {
    const store = await shopWith(arrows)
    await reduce(store, 1)
    expect(isRedacted(await orderOf(store, '1'))).toBe(false)
  })
})

describe('a late callback about a redacted order', () => {
  test('is applied without storing its phone number or body', async () => {
    const store = await shopWith()
    await reduce(store)
    await store.statusReports.insert([callback('1', 'refunded')])
    await applyAll(store)
    expect(await orderOf(store, '1')).toMatchObject({ status: 'refunded', statusReported: true })
    const [event] = await store.statusReports.ofOrder('1', 'applied')
    expect(event?.phone).toBeNull()
    expect(await keptOf(store)).not.toContain(phone)
  })

  test('is not applied to a whole bulk order if it names one recipient', async () => {
    const store = await newBulk(['0241234567', '0241234568'])
    await reduce(store)
    await store.statusReports.insert([callback('b', 'failed', { reference: 'BUD-BULK-A-1' })])
    await applyAll(store)
    expect(await orderOf(store, 'b')).toMatchObject({ status: 'delivered' })
    const [event] = await store.statusReports.ofOrder('b', 'foreign')
    expect(event?.phone).toBeNull()
  })
})

/** A delivered bulk order of a list, with the list's text. */
const newBulk = async (phones: string[], id = 'b', store?: Store): Promise<Store> => {
  const into = store ?? (await newStore())
  if (!store) await addAccount(into, 'a', old)
  const person = { accountId: 'a', userId: 1, chatId: 1 }
  const draft = { ...person, cause: id, kind: 'list' as const, lines: [], createdAt: old, expiresAt: old }
  await into.purchases.insertDraft({ id: `p${id}`, ...draft })
  await into.purchases.leaveDraft({ id: `p${id}`, userId: 1, now: daysAgo(500) }, 'confirmed')
  const list = { text: phones.join('\n'), answers: noAnswers, fixedBundleId: null, shown: nothingShown }
  await into.lists.insert({ purchaseId: `p${id}`, ...list })
  const bundle = {
    bundleId: 5,
    network: 'MTN',
    volume: '5GB',
    offerSlug: null,
    kind: 'bulk' as const,
    listed: true,
  }
  const recipients = phones.map((each, position) => ({ phone: each as Phone, position }))
  let count = 0
  await into.orders.insertQueued(
    [
      {
        id,
        purchaseId: `p${id}`,
        ...person,
        ...bundle,
        recipients,
        unitPricePesewas: pesewas(2350),
        createdAt: old,
      },
    ],
    () => `${id}${++count}`,
  )
  await into.orders.go({ id }, 'sending', { sentAt: old }, old)
  const placed = { reference: `BUD-BULK-A-${id === 'b' ? 1 : id}`, status: 'delivered', placedAt: old }
  await into.orders.go({ id }, 'placed', placed, old)
  await into.orders.patchRecipients(id, phones.slice(0, 1), 'delivered', old)
  return into
}

describe('an old list', () => {
  test('keeps the status of each recipient, but neither phone numbers nor text, when it is redacted', async () => {
    const store = await newBulk(['0241234567', '0241234568', '0241234569'])
    const standing = ({ recipients }: Order) =>
      recipients.map(({ status, position }) => ({ status, position }))
    const before = standing(await orderOf(store, 'b'))
    await reduce(store)
    const order = await orderOf(store, 'b')
    expect(standing(order)).toEqual(before)
    expect(new Set(order.recipients.map((each) => each.phone)).size).toBe(3)
    expect(await store.lists.byPurchase('pb')).toBeNull()
    expect(await keptOf(store)).not.toContain('024123456')
  })

  test('is redacted as soon as all its orders are finished', async () => {
    const store = await newBulk(['0241234567'])
    const person = { accountId: 'a', userId: 1, chatId: 1 }
    const bundle = {
      bundleId: 5,
      network: 'MTN',
      volume: '5GB',
      offerSlug: null,
      kind: 'single' as const,
      listed: true,
    }
    const recipients = [{ phone: '0241234570' as Phone, position: 1 }]
    const open = { id: 'o', purchaseId: 'pb', ...person, ...bundle, recipients, createdAt: old }
    await store.orders.insertQueued([{ ...open, unitPricePesewas: pesewas(2350) }], () => 'ro')
    await store.orders.go({ id: 'o' }, 'sending', { sentAt: old }, old)
    await store.orders.go({ id: 'o' }, 'unconfirmed', {}, old)
    await reduce(store)
    expect(isRedacted(await orderOf(store, 'b'))).toBe(false)
    await store.orders.go({ id: 'o' }, 'not_placed', {}, old)
    await reduce(store)
    expect(isRedacted(await orderOf(store, 'b'))).toBe(true)
    expect(isRedacted(await orderOf(store, 'o'))).toBe(true)
  })
})

describe('the redaction of very many orders', () => {
  const phonesOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `02${40_000_000 + from + index}`)

  test('runs in small commits, and continues after an interruption', async () => {
    const store = await newBulk(phonesOf(0, 90), 'b0')
    for (let index = 1; index < 7; index += 1) await newBulk(phonesOf(index * 90, 90), `b${index}`, store)
    const redacted = async () => {
      const orders = await store.orders.byIds(Array.from({ length: 7 }, (_, index) => `b${index}`))
      return orders.filter(isRedacted).length
    }
    const seen: number[] = []
    const ended = new AbortController()
    const cutOff = async () => {
      seen.push(await redacted())
      if (seen.length === 2) ended.abort()
    }
    const options = { store, retentionDays: 365, now: () => now }
    await redactOld({ ...options, giveWay: cutOff, signal: ended.signal })
    expect(seen).toEqual([2, 4])
    await reduce(store)
    expect(await redacted()).toBe(7)
  })
})

test('unconfirmed drafts are deleted after a day, and questions and failed notices after the retention period', async () => {
  const store = await shopWith()
  const person = { accountId: 'a', userId: 1, chatId: 1 }
  const times = { createdAt: old, expiresAt: old }
  for (const id of ['expired', 'draft']) {
    await store.purchases.insertDraft({ id, ...person, cause: id, lines: [], ...times })
  }
  await store.purchases.expire('expired')
  const late = { createdAt: daysAgo(2), expiresAt: daysAgo(2) }
  await store.purchases.insertDraft({ id: 'late', ...person, cause: 'late', lines: [], ...late })
  await store.purchases.expire('late')
  const today = { createdAt: daysAgo(0.9), expiresAt: daysAgo(0.9) }
  await store.purchases.insertDraft({ id: 'today', ...person, cause: 'today', lines: [], ...today })
  await store.purchases.expire('today')
  const id = await store.notices.enqueueDirectly(
    5,
    announcementOf('x', { about: 'refund', refundedPesewas: pesewas(0) }),
    old,
  )
  await store.notices.setAside([id], old)
  await reduce(store)
  expect(await store.purchases.byId('expired')).toBeNull()
  expect(await store.purchases.byId('draft')).not.toBeNull()
  expect(await store.purchases.byId('late')).toBeNull()
  expect(await store.purchases.byId('today')).not.toBeNull()
  expect(await store.notices.isOwed(id)).toBe(false)
  expect(await store.purchases.byId('p1')).not.toBeNull()
})

test('a redacted order that was “not placed” is still proven by a callback to its own address', async () => {
  const store = await shopWith([
    ['sending', { sentAt: old, clockOffsetMs: 0 }],
    ['unconfirmed', {}],
    ['not_placed', {}],
  ])
  await reduce(store)
  const order = await orderOf(store, '1')
  const record = { ...recordOf(phone as Phone), reference: 'BUD-API-A-1' }
  const take = (by: 'proof' | 'inference') =>
    store.transaction((tx) => adoptReference(tx, order, record, { by, chargedPesewas: null }, now))
  expect(await take('inference')).toBe(false)
  expect(await take('proof')).toBe(true)
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reference: 'BUD-API-A-1' })
  expect(isRedacted(await orderOf(store, '1'))).toBe(true)
})

const recordOf = (phone: Phone): OrderStatus => ({
  reference: '',
  type: 'single',
  network: 'MTN',
  volume: '5GB',
  phone,
  pricePesewas: pesewas(2350),
  totalPricePesewas: null,
  totalQuantity: null,
  status: 'processing',
  placedAt: old,
  deliveredAt: null,
  recipients: null,
  unreadableRecipients: 0,
  meta: { httpStatus: 200, sentAt: now, receivedAt: now, serverDate: null },
})
