import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import type { PlacementStep } from '../../../src/domain/order/placement.ts'
import { createTracker } from '../../../src/orders/following/tracker.ts'
import type { PlacerOptions } from '../../../src/orders/placing/placer-options.ts'
import { commitAnswer } from '../../../src/orders/placing/send-outcome.ts'
import { adoptReference } from '../../../src/orders/reconciling/proof.ts'
import { learnRefunds } from '../../../src/orders/reconciling/refunds.ts'
import type { OrderStatus, Provider } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const [phone, otherPhone] = ['0241234567', '0241234568'] as [Phone, Phone]
const bulkReference = 'BUD-BULK-AB12CD-1'
const singleReference = 'BUD-API-AB12CD-1'

/** A store with one account and orders without an answer, each from a different chat. */
const withOrders = async (...orders: [id: string, phones: Phone[]][]): Promise<Store> => {
  const store = await newStore()
  const sealed = { keyHash: 'k', sealedKey: 'k', sealedSecret: 's', accountType: null }
  await store.accounts.insert({ id: 'a', ...sealed, now })
  for (const [index, [id, phones]] of orders.entries()) {
    const person = { accountId: 'a', userId: index + 1, chatId: index + 1 }
    const times = { createdAt: now, expiresAt: now }
    await store.purchases.insertDraft({ id: `p${id}`, ...person, cause: id, lines: [], ...times })
    const bundle = { bundleId: 5, network: 'MTN', volume: '5GB', offerSlug: null }
    const kind = phones.length === 1 ? ('single' as const) : ('bulk' as const)
    const recipients = phones.map((each, position) => ({ phone: each, position }))
    const order = { id, purchaseId: `p${id}`, ...person, ...bundle, kind, recipients, createdAt: now }
    let count = 0
    const newId = () => `${id}${++count}`
    await store.orders.insertQueued([{ ...order, unitPricePesewas: pesewas(2350) }], newId)
    const lease = { leaseToken: id, sentAt: now, clockOffsetMs: 0 }
    await store.orders.go({ id }, 'sending', lease, now)
    await store.orders.go({ id, leaseToken: id }, 'unconfirmed', { reconcileAt: now }, now)
  }
  return store
}

const record = (reference: string): OrderStatus => ({
  reference,
  type: 'single',
  network: 'MTN',
  volume: '5GB',
  phone: reference === singleReference ? phone : null,
  pricePesewas: pesewas(2350),
  totalPricePesewas: null,
  totalQuantity: null,
  status: 'processing',
  placedAt: now,
  deliveredAt: null,
  recipients: null,
  unreadableRecipients: 0,
  meta: { httpStatus: 200, sentAt: now, receivedAt: now, serverDate: null },
})

/** The tracker of a provider that has the records above. */
const trackerOf = (store: Store, named: Phone[] | null = null, pricePesewas = pesewas(2350)) => {
  const asked: string[] = []
  const provider = {
    orderStatus: async (reference: string) => {
      asked.push(reference)
      const recipients = named?.map((each) => ({ phone: each, status: 'failed', deliveredAt: null })) ?? null
      return { ...record(reference), pricePesewas, recipients }
    },
  } as Provider
  const wallets = { ask: (_account, _purpose, question) => question(provider) } as Wallets
  const nothing = () => {}
  const told = { onNotice: nothing, onEnded: nothing, onPlaced: nothing, onPollDue: nothing }
  const mayWork = () => true
  return {
    tracker: createTracker({
      store,
      wallets,
      mayWork,
      now: () => now,
      log: createLog('silent', []),
      ...told,
    }),
    asked,
  }
}

/** Makes the answer to the order's own POST arrive after the lease of the order has ended. */
const answerLate = async (
  store: Store,
  id: string,
  answer: Partial<Extract<PlacementStep, { to: 'placed' }>>,
): Promise<void> => {
  const nothing = () => {}
  const options = { store, now: () => now, log: createLog('silent', []), onNotice: nothing }
  const told = { onPlaced: nothing, onEnded: nothing, prices: { forget: nothing } }
  const unknown = { chargedPesewas: null, acceptedQuantity: null, balancePesewas: null, placedAt: now }
  const step = {
    to: 'placed',
    reference: bulkReference,
    status: 'processing',
    ...unknown,
    ...answer,
  } as const
  const lease = { token: id, endsAtMs: now.getTime(), endsMonotonicMs: 0 }
  const outside = { ...options, ...told } as unknown as PlacerOptions
  await commitAnswer(outside, await orderOf(store, id), lease, step, new AbortController().signal)
}

const callBack = async (
  store: Store,
  orderId: string,
  reference: string,
  status = 'processing',
  digest = `${orderId}${reference}`,
): Promise<void> => {
  const event = { orderId, source: 'callback' as const, digest, reference, phone }
  const times = { happenedAt: null, receivedAt: now }
  await store.statusReports.insert([{ ...event, ...times, status, body: null }])
}

const orderOf = async (store: Pick<Store, 'orders'>, id: string) => {
  const order = await store.orders.byId(id)
  if (!order) throw new Error(`There is no order ${id}.`)
  return order
}

/** The new messages about orders that are enqueued for a chat. */
const announcedTo = async (store: Store, chatId: number): Promise<string[]> =>
  (await store.notices.ofChat(chatId)).flatMap(({ content }) =>
    content.kind === 'announce' ? [content.what.about] : [],
  )

test('a person is told the price of an order that a callback proved, if it is not the confirmed price', async () => {
  const store = await withOrders(['o', [phone]])
  const { tracker } = trackerOf(store, null, pesewas(2400))
  await callBack(store, 'o', singleReference)
  await tracker.applyCallbacks()
  await tracker.poll()
  expect(await orderOf(store, 'o')).toMatchObject({ placement: 'placed', chargedPesewas: 2400 })
  expect(await announcedTo(store, 1)).toEqual(['proof', 'other_price'])
})

describe('a bulk order without an answer', () => {
  test('is not proven by a callback that names a single order’s reference', async () => {
    const store = await withOrders(['o', [phone, otherPhone]])
    const { tracker, asked } = trackerOf(store)
    await callBack(store, 'o', singleReference)
    await tracker.applyCallbacks()
    await tracker.poll()
    expect(asked).toEqual([])
    expect(await orderOf(store, 'o')).toMatchObject({ placement: 'unconfirmed', reference: null })
  })

  test('is proven by a callback that names a bulk order’s reference, even if another came later', async () => {
    const store = await withOrders(['o', [phone, otherPhone]])
    const { tracker } = trackerOf(store)
    await callBack(store, 'o', bulkReference)
    await callBack(store, 'o', singleReference)
    await tracker.applyCallbacks()
    await tracker.poll()
    const proven = { placement: 'placed', reference: bulkReference, inferred: false }
    expect(await orderOf(store, 'o')).toMatchObject(proven)
  })

  test('does not count as accepted in part although its record shows the price of one number', async () => {
    const store = await withOrders(['o', [phone, otherPhone]])
    const { tracker } = trackerOf(store)
    await callBack(store, 'o', bulkReference)
    await tracker.applyCallbacks()
    await tracker.poll()
    expect(await orderOf(store, 'o')).toMatchObject({ chargedPesewas: null, acceptedQuantity: 2 })
    expect(await announcedTo(store, 1)).toEqual(['proof'])
  })

  test('that was inferred from a debit is proven by a callback with the same reference', async () => {
    const store = await withOrders(['o', [phone, otherPhone]])
    const { tracker } = trackerOf(store)
    await infer(store, 'o', bulkReference)
    expect((await orderOf(store, 'o')).inferred).toBe(true)
    await callBack(store, 'o', bulkReference)
    await tracker.applyCallbacks()
    expect((await orderOf(store, 'o')).inferred).toBe(false)
  })
})

test('a bulk order paired with a debit loses its inferred reference, and the person is told, if the reference’s record has other phones', async () => {
  const store = await withOrders(['o', [phone, otherPhone]])
  const { tracker } = trackerOf(store, [phone, '0551234567' as Phone])
  await infer(store, 'o', bulkReference)
  await tracker.poll()
  const order = await orderOf(store, 'o')
  expect(order).toMatchObject({ placement: 'unconfirmed', reference: null, reason: 'mistaken' })
  expect(order.recipients.map(({ status }) => status)).toEqual([null, null])
  const owed = (await store.notices.ofChat(1)).map(({ content }) => content)
  expect(owed).toContainEqual(
    expect.objectContaining({ what: { about: 'mistaken', reference: bulkReference } }),
  )
})

const infer = (store: Store, id: string, reference: string): Promise<boolean> =>
  store.transaction(async (tx) => {
    const order = await orderOf(tx, id)
    return adoptReference(
      tx,
      order,
      record(reference),
      { by: 'inference', chargedPesewas: pesewas(2350) },
      now,
    )
  })

test('if an order loses its reference to another, both orders’ people and its followers are told', async () => {
  const store = await withOrders(['owner', [phone]], ['other', [phone]])
  const { tracker } = trackerOf(store)
  await infer(store, 'other', singleReference)
  await store.chats.follow('other', 77, now)
  await callBack(store, 'owner', singleReference)
  await tracker.applyCallbacks()
  // A round polls one order of each account.
  for (const _ of ['owner', 'other']) await tracker.poll()

  expect(await orderOf(store, 'owner')).toMatchObject({ placement: 'placed', reference: singleReference })
  const loser = {
    placement: 'unconfirmed',
    reference: null,
    status: null,
    chargedPesewas: null,
    reconcileAt: now,
  }
  expect(await orderOf(store, 'other')).toMatchObject(loser)
  const owed = await Promise.all([1, 2, 77].map((chatId) => store.notices.ofChat(chatId)))
  const kinds = owed.map((notices) =>
    notices.map(({ content }) => (content.kind === 'announce' ? content.what.about : content.kind)),
  )
  expect(kinds[0]).toContain('card')
  expect(kinds[1]).toContain('mistaken')
  expect(kinds[2]).toEqual(['follow_card', 'follow_mistaken'])
})

test('an unconfirmed order is not paired with a reference that another order has', async () => {
  const store = await withOrders(['first', [phone]], ['second', [phone]])
  expect(await infer(store, 'first', singleReference)).toBe(true)
  expect(await infer(store, 'second', singleReference)).toBe(false)
  expect(await orderOf(store, 'second')).toMatchObject({ placement: 'unconfirmed', reference: null })
})

describe('the late answer to an order that was found in the wallet', () => {
  /** The order's debit was found, and shows that two of its three numbers were accepted. */
  const inferred = { reference: bulkReference, inferred: true, status: 'processing', placedAt: now }
  const foundInPart = async (): Promise<Store> => {
    const store = await withOrders(['o', [phone, otherPhone, '0241234569' as Phone]])
    const part = { chargedPesewas: pesewas(4700), acceptedQuantity: 2 }
    await store.orders.prove('o', { ...inferred, ...part, reconcileAt: null }, now)
    return store
  }

  test.each([
    [
      'sets the accepted quantity that it names',
      { acceptedQuantity: 1, chargedPesewas: pesewas(2350) },
      1,
      true,
    ],
    ['sets the accepted quantity by its charge', { chargedPesewas: pesewas(2350) }, 1, true],
    ['sets the full quantity if it was charged in full', { chargedPesewas: pesewas(7050) }, 3, true],
    ['leaves the accepted quantity if it does not name one', {}, 2, false],
    [
      'leaves the accepted quantity if its charge is not a multiple of the price',
      { chargedPesewas: pesewas(5000) },
      2,
      false,
    ],
  ])(
    '%s, and the person is told only if the quantity changes',
    async (_case, answer, acceptedQuantity, isTold) => {
      const store = await foundInPart()
      await answerLate(store, 'o', answer)
      expect(await orderOf(store, 'o')).toMatchObject({ inferred: false, acceptedQuantity })
      expect((await announcedTo(store, 1)).includes('accepted_in_part')).toBe(isTold)
    },
  )

  test('gives the order no second reference that is proven to be another order’s', async () => {
    const store = await withOrders(['o', [phone]], ['p', [otherPhone]])
    const proven = { ...inferred, inferred: false, reconcileAt: null }
    await store.orders.prove('o', { ...proven, reference: singleReference }, now)
    await store.orders.prove('p', { ...proven, reference: 'BUD-API-AB12CD-2' }, now)
    await answerLate(store, 'o', { reference: 'BUD-API-AB12CD-2' })
    expect(await orderOf(store, 'o')).toMatchObject({ reference: singleReference, otherReference: null })
    expect(await announcedTo(store, 1)).toEqual([])
    // `/admin` shows the answer's reference as another order's.
    expect(await store.statusReports.ofOrder('o', 'foreign')).toMatchObject([
      { reference: 'BUD-API-AB12CD-2' },
    ])
  })
})

test('a status and a refund under an order’s second reference are reported once, and change nothing else', async () => {
  const store = await withOrders(['o', [phone]])
  const second = 'BUD-API-AB12CD-2'
  const proven = { reference: singleReference, inferred: false, status: 'processing', placedAt: now }
  await store.orders.prove('o', { ...proven, otherReference: second, reconcileAt: null }, now)
  const { tracker } = trackerOf(store)
  for (const each of ['processing', 'failed', 'failed'].entries())
    await callBack(store, 'o', second, each[1], `${each[0]}`)
  await tracker.applyCallbacks()
  await callBack(store, 'o', second, 'failed', 'again')
  await tracker.applyCallbacks()
  expect(await announcedTo(store, 1)).toEqual(['second_status'])

  const services = { store, now: () => now, onNotice: () => {} }
  for (const amount of [2350, 2350, 0])
    await learnRefunds(services, 'a', new Map([[second, pesewas(amount)]]))
  expect(await announcedTo(store, 1)).toEqual(['second_status', 'second_refund'])
  expect(await orderOf(store, 'o')).toMatchObject({ status: 'processing', refundedPesewas: null })
})
