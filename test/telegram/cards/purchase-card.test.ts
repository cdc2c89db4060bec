import { expect, test } from 'vitest'
import type { Order, Purchase } from '../../../src/domain/order/order.ts'
import type { AgentPrices } from '../../../src/domain/selling/price-rule.ts'
import type { Lists } from '../../../src/orders/listing/list-orders.ts'
import { orderStatuses } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { exportOf } from '../../../src/settings/data-export.ts'
import type { ShownOrder } from '../../../src/store/orders/cards.ts'
import type { Store } from '../../../src/store/store.ts'
import { listResult } from '../../../src/telegram/cards/lists/list-result.ts'
import { orderCard, purchaseCard } from '../../../src/telegram/cards/purchase-card.ts'
import { draftLabels } from '../../../src/telegram/cards/words/draft.ts'
import type { Screen } from '../../../src/telegram/chat/screen.ts'
import { spaced } from '../../../src/telegram/words/numbers.ts'
import { newStore } from '../../support/database.ts'
import { now, phone } from '../words/any-order.ts'
import { readAsTelegram } from '../words/outside.ts'

/** A store with one account, and an order as read from it. */
const stored = async (
  fields: Partial<Order> = {},
): Promise<{ store: Store; purchase: Purchase; shown: ShownOrder }> => {
  const store = await newStore()
  const person = { accountId: 'a', userId: 1, chatId: 1 }
  const bundle = { bundleId: 5, network: 'MTN', volume: '5GB', offerSlug: null }
  await store.accounts.insert({
    id: 'a',
    keyHash: 'k',
    sealedKey: 'k',
    sealedSecret: 's',
    accountType: null,
    now,
  })
  await store.accounts.attach({ ...person, role: 'owner' }, now)
  const purchase = await store.purchases.insertDraft({
    id: 'p'.repeat(22),
    ...person,
    cause: 'c',
    lines: [{ ...bundle, phone, pricePesewas: pesewas(2350) }],
    createdAt: now,
    expiresAt: now,
  })
  const id = 'o'.repeat(22)
  const unitPricePesewas = pesewas(2350)
  const recipients = [{ phone, position: 0 }]
  await store.orders.insertQueued(
    [
      {
        id,
        purchaseId: purchase.id,
        ...person,
        kind: 'single',
        ...bundle,
        unitPricePesewas,
        recipients,
        createdAt: now,
      },
    ],
    () => 'r',
  )
  const shown = await store.cards.ofOrder(id, person.userId)
  if (!shown) throw new Error('The order was not stored.')
  return { store, purchase, shown: { ...shown, order: { ...shown.order, ...fields } } }
}

/** The cards of single orders do not use lists. */
const noLists = {} as Lists

test.each([
  [{ placement: 'queued' }, 'waiting'],
  [{ placement: 'sending' }, 'waiting'],
  [{ placement: 'unconfirmed' }, 'unconfirmed'],
  [{ placement: 'unconfirmed' }, 'on’t order again'],
  [{ placement: 'not_placed' }, 'not placed'],
  [{ placement: 'not_placed' }, 'nothing was charged'],
  [{ placement: 'rejected', reason: 'unprocessable' }, 'rejected'],
  [{ placement: 'review' }, 'to review'],
  [{ placement: 'cancelled' }, 'cancelled'],
  ...orderStatuses.map((status) => [{ placement: 'placed', status }, status] as const),
  [{ placement: 'placed', status: 'delivered', statusReported: true }, 'delivered (reported)'],
  [{ placement: 'placed', status: 'on its way' }, 'on its way'],
  [{ placement: 'placed', status: 'failed' }, 'refund not seen yet'],
  [{ placement: 'placed', status: 'failed', refundedPesewas: pesewas(2350) }, 'refunded GHS 23.50'],
  [
    { placement: 'placed', status: 'cancelled', refundedPesewas: pesewas(1000) },
    'refunded GHS 10.00 of GHS 23.50',
  ],
  [{ placement: 'placed', status: 'processing', reason: 'stale' }, 'stale'],
] as [Partial<Order>, string][])('the card of an order with %j contains “%s”', async (fields, words) => {
  const { store, shown } = await stored({ ...fields, reference: 'BUD-API-A-1' })
  const text = readAsTelegram((await orderCard(store, shown, now)).text)
  for (const word of ['MTN', '5GB', spaced(phone), 'GHS 23.50', 'BUD-API-A-1', words])
    expect(text).toContain(word)
})

test('the card of an order refused as pending shows a later charge that may be for it', async () => {
  const { store, shown } = await stored({ placement: 'rejected', reason: 'pending' })
  const text = async () => readAsTelegram((await orderCard(store, shown, now)).text)
  expect(await text()).toContain('Nothing was charged for this one')
  const seen = { reference: 'BUD-API-A-1', status: 'debit', happenedAt: null, receivedAt: now }
  await store.statusReports.record({ orderId: shown.order.id, source: 'poll', ...seen }, 'doubted')
  expect(await text()).toContain('A charge that may be for this one has appeared since')
  expect(await text()).not.toContain('Nothing was charged')
})

const labelsOf = ({ rows = [] }: Screen) => rows.flat().map(({ label }) => label)

test.each([
  [{ placement: 'not_placed' }, true],
  [{ placement: 'rejected' }, true],
  [{ placement: 'placed', status: 'failed' }, true],
  [{ placement: 'placed', status: 'cancelled' }, true],
  [{ placement: 'placed', status: 'refunded' }, true],
  [{ placement: 'placed', status: 'failed', statusReported: true }, false],
  [{ placement: 'placed', status: 'delivered' }, false],
  [{ placement: 'placed', status: 'processing' }, false],
  [{ placement: 'unconfirmed' }, false],
  [{ placement: 'review' }, false],
  [{ placement: 'queued' }, false],
  [{ placement: 'sending' }, false],
] as [Partial<Order>, boolean][])(
  'the card of an order with %j offers “Order again”: %s',
  async (fields, offered) => {
    const { store, shown } = await stored(fields)
    const labels = labelsOf(await orderCard(store, shown, now))
    expect(labels.some((label) => label.includes('Order again'))).toBe(offered)
  },
)

test('a placed order’s card offers to refresh, share and repeat the order', async () => {
  const { store, shown } = await stored({ placement: 'placed', status: 'processing' })
  expect(labelsOf(await orderCard(store, shown, now)).join()).toMatch(/^🔄 Refresh,📤 Share,🔁 Repeat/)
})

/** The card of the purchase as if it had not been ordered. */
const draftCard = async (store: Store, purchase: Purchase): Promise<Screen> => {
  const shown = await store.cards.ofPurchase(purchase.id, purchase.chatId)
  if (!shown) throw new Error('The purchase was not stored.')
  return purchaseCard(store, noLists, { ...shown, purchase, order: null }, now)
}

test('a draft’s card has Confirm and Cancel, the balance and how much is missing', async () => {
  const { store, purchase } = await stored()
  const balance = { balancePesewas: pesewas(2000), balanceAt: now, accountType: null }
  await store.accounts.rememberBalance('a', balance, null)
  const card = await draftCard(store, purchase)
  for (const word of ['MTN', '5GB', spaced(phone), 'GHS 23.50', 'GHS 20.00', 'GHS 3.50'])
    expect(card.text).toContain(word)
  expect(labelsOf(card)).toEqual([
    expect.stringContaining('Confirm'),
    expect.stringContaining('Cancel'),
    draftLabels.number,
    draftLabels.size,
  ])
})

test.each(['cancelled', 'expired'] as const)(
  'the card of a draft that is %s still shows the provider’s name of its offer',
  async (state) => {
    const { store, purchase } = await stored()
    const lines = purchase.lines.map((line) => ({ ...line, offerSlug: 'mtn_datashare' }))
    expect((await draftCard(store, { ...purchase, state, lines })).text).toContain('MTN 5GB Datashare')
  },
)

test.each<[AgentPrices, boolean]>([
  ['selling', true],
  ['none', false],
])(
  'an agent who sees prices of the kind %s reads selling prices on cards, in list files and in the export of the agent’s data: %s',
  async (sees, isRead) => {
    const { store } = await stored()
    const agent = { userId: 2, chatId: 2, accountId: 'a' }
    await store.accounts.attach({ ...agent, role: 'agent', name: 'Ama' }, now)
    await store.shops.agentPrices('a', sees)
    const draft = {
      ...agent,
      id: 'q',
      cause: 'd',
      lines: [],
      createdAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    }
    await store.purchases.insertDraft({ ...draft, kind: 'list' })
    await store.purchases.leaveDraft({ id: 'q', userId: 2, now }, 'confirmed')
    // The selling price was changed after Confirm, so it is not the price that the agent confirmed.
    const sold = { unitPricePesewas: pesewas(2350), sellUnitPesewas: pesewas(2777) }
    const order = {
      ...agent,
      ...sold,
      purchaseId: 'q',
      listed: true,
      kind: 'single' as const,
      createdAt: now,
    }
    const bundle = { bundleId: 5, network: 'MTN', volume: '5GB', offerSlug: null }
    const recipients = [{ phone, position: 0 }]
    await store.orders.insertQueued(
      [{ ...order, ...bundle, id: 'z', ownerChatId: 1, recipients }],
      () => 'r2',
    )
    const placed = { reference: 'BUD-API-A-2', status: 'delivered', placedAt: now }
    await store.orders.go({ id: 'z' }, 'sending', { sentAt: now }, now)
    await store.orders.go({ id: 'z' }, 'placed', placed, now)

    const [shown, own] = [await store.cards.ofPurchase('q', 2), await store.cards.ofOrder('z', 2)]
    if (!shown || !own) throw new Error('The list was not stored.')
    const { content } = await listResult(store, shown.purchase, 'csv', {
      userId: agent.userId,
      view: { role: 'agent', prices: sees },
    })
    let data = ''
    for await (const document of exportOf(store, { ...agent, role: 'agent' }, now))
      for await (const part of document) data += part
    const cards = [await orderCard(store, own, now, 2), await purchaseCard(store, noLists, shown, now, 2)]
    for (const text of [...cards.map(({ text }) => text), String(content), data])
      expect(/27\.77|2777/.test(text)).toBe(isRead)
  },
)
