import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Lists } from '../../../src/orders/lists.ts'
import type { Order, Purchase } from '../../../src/orders/order.ts'
import { placements } from '../../../src/orders/placement.ts'
import { orderStatuses } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { maskPhone, type Phone } from '../../../src/provider/phone.ts'
import { mostNamed } from '../../../src/relay/digest.ts'
import { parseHtml } from '../../../src/sandbox/telegram/html.ts'
import type { WholeStore } from '../../../src/store/store.ts'
import { orderCard, purchaseCard } from '../../../src/telegram/cards.ts'
import type { Screen } from '../../../src/telegram/screen.ts'
import * as texts from '../../../src/telegram/texts/texts.ts'
import { newStore } from '../../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const phone = '0241234567' as Phone

/** A store that holds one account, and an order as it comes out of it. */
const stored = async (
  fields: Partial<Order> = {},
): Promise<{ store: WholeStore; order: Order; purchase: Purchase }> => {
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
  const order = await store.orders.byId(id)
  if (!order) throw new Error('The order was not stored.')
  return { store, purchase, order: { ...order, ...fields } }
}

/** The cards of single orders ask nothing of lists. */
const noLists = {} as Lists

const untold = { position: 0, status: null, statusAt: null, reported: false, retryId: null }

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** Values from outside by name, so that a counterexample can be read. */
const outside = {
  usual: 'MTN',
  empty: '',
  blank: ' ',
  tag: '<b>',
  'end of a tag': '</code>',
  ampersand: '&',
  escaped: '&lt;i&gt;',
  link: '<a href="https://evil.example">x</a>',
  'two lines': 'two\nlines',
  prototype: '__proto__',
  constructor: 'constructor',
  'half a character': '\ud83d',
  'long tags': '<'.repeat(10_000),
  'long ampersands': '&'.repeat(10_000),
  'long emoji': `x${'😀'.repeat(5_000)}`,
}
const hostile = fc.constantFrom(...(Object.keys(outside) as (keyof typeof outside)[]))

const reasons = [
  ...['stale', 'waits', 'rate_limited', 'unreachable', 'interrupted', 'bundle_gone', 'by_person', 'timeout'],
  ...['not_made', 'mistaken', 'late_doubt'],
  ...['history_unreadable', 'charged_by_person', 'disconnected', 'constructor'],
  ...['invalid', 'unauthorized', 'balance', 'not_found', 'pending', 'unprocessable'],
]
const amount = fc.nat(10 ** 9).map(pesewas)
const anyTime = fc.option(fc.constant(now))

const orderSeed = fc.record({
  foreign: fc.record({ network: hostile, volume: hostile }),
  optional: fc.record({
    offerSlug: fc.option(hostile),
    providerMessage: fc.option(hostile),
    reference: fc.option(hostile),
    status: fc.option(hostile),
  }),
  known: fc.record(
    {
      status: fc.constantFrom(...orderStatuses),
      placement: fc.constantFrom(...placements),
      reason: fc.constantFrom(null, ...reasons),
      statusReported: fc.boolean(),
      chargedPesewas: fc.option(amount),
      balancePesewas: fc.option(amount),
      placedAt: anyTime,
      deliveredAt: anyTime,
      notBefore: anyTime,
      settleAt: anyTime,
      quantity: fc.integer({ min: 1, max: 100 }),
    },
    { requiredKeys: ['placement', 'quantity'] },
  ),
})
type OrderSeed = typeof orderSeed extends fc.Arbitrary<infer Seed> ? Seed : never

const orderOf = (base: Order, { foreign, optional, known }: OrderSeed): Order => {
  const named = (name: keyof typeof outside | null) => name && outside[name]
  return {
    ...base,
    network: outside[foreign.network],
    volume: outside[foreign.volume],
    offerSlug: named(optional.offerSlug),
    providerMessage: named(optional.providerMessage),
    reference: named(optional.reference),
    status: named(optional.status),
    ...known,
    recipients: times(known.quantity, { phone, ...untold }),
  }
}

const seed = fc.record({
  name: hostile,
  order: orderSeed,
  other: fc.option(orderSeed),
  count: fc.nat(200),
  flag: fc.boolean(),
  money: fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map(pesewas),
})
type Seed = typeof seed extends fc.Arbitrary<infer Each> ? Each : never

const valuesOf = (base: Order, { name, order, other, ...rest }: Seed) => ({
  ...rest,
  text: outside[name],
  order: orderOf(base, order),
  other: other && orderOf(base, other),
})
type Values = ReturnType<typeof valuesOf>

type Catalogue = typeof texts
type Wording = {
  [Name in keyof Catalogue as Catalogue[Name] extends (...args: never[]) => string ? Name : never]: (
    values: Values,
  ) => string
}

const contextOf = ({ other, money, flag, text }: Values) => ({
  now,
  other,
  balance: money,
  frozenUntil: flag ? now : null,
  refused: flag,
  connected: !flag,
  viewer: flag ? ('owner' as const) : ('agent' as const),
  names: new Map([[phone, text]]),
})
const bundlesOf = ({ text, count, money }: Values) =>
  times(count, null).map(() => ({
    name: text,
    pricePesewas: money,
    sellPesewas: money,
  }))
const failures = [
  'unauthorized',
  'rate_limited',
  'no_wallet',
  'timeout',
  'unreachable',
  'connection_lost',
  'bad_answer',
]
const failureOf = ({ count }: Values) => ({
  code: failures[count % failures.length] ?? '',
  retryAfterMs: count % 2 ? count * 1000 : null,
})

const leftOf = (count: number, erased: boolean) =>
  count === 0 ? null : { cancelled: count % 3, open: count, eraseByMs: erased ? null : now.getTime() }
const closingOf = ({ count, flag }: Values) => ({ open: count, eraseBy: now, isOwner: flag, now })

/** Every text that has values in it; the compiler misses the one that is not here. */
const html: Omit<Wording, 'keepOn' | 'switchTo' | 'bundleLabel' | 'forwardText'> = {
  welcome: ({ flag }) => texts.welcome(flag),
  home: ({ text, money, flag }) =>
    texts.home({
      accountType: text,
      balance: flag ? money : null,
      balanceAt: now,
      refused: flag,
      eraseBy: flag ? null : now,
      now,
    }),
  followedToast: ({ flag }) => texts.followedToast(flag),
  notUnderstood: ({ flag }) => texts.notUnderstood(flag),
  askKey: ({ flag }) => texts.askKey(flag),
  askSecret: ({ flag }) => texts.askSecret(flag),
  notACredential: ({ flag }) => texts.notACredential(flag ? 'key' : 'secret'),
  credentialsAsText: ({ flag }) => texts.credentialsAsText(flag),
  credentialsUnchecked: (values) => texts.credentialsUnchecked(failureOf(values)),
  askSwitch: ({ text, money, count, flag }) =>
    texts.askSwitch({
      accountType: text,
      balance: money,
      shared: flag,
      waiting: count % 3,
      open: count % 4,
      untilMs: now.getTime(),
    }),
  connected: ({ text, money, count, flag }) => texts.connected(text, money, leftOf(count, flag), now),
  askDisconnect: ({ count }) => texts.askDisconnect(count % 3, count % 4),
  askDisconnectOpen: ({ count }) => texts.askDisconnectOpen(count % 3, count),
  closing: (values) => texts.closing(closingOf(values)),
  nothingNew: (values) => texts.nothingNew(closingOf(values)),
  disconnected: ({ count }) =>
    texts.disconnected({ cancelled: count % 3, sending: count % 4, unfollowed: count % 2 }),
  departed: ({ flag, count }) => texts.departed(flag, count % 2 === 0),
  unfollowed: ({ order, count }) => texts.unfollowed(times(1 + (count % 15), order), now),
  cannotRead: (values) => texts.cannotRead('the balance', failureOf(values)),
  audit: ({ text, money, count, flag }) =>
    texts.audit(
      {
        sinceMs: now.getTime(),
        debits: times(Math.min(count, 12), {
          atMs: flag ? now.getTime() : null,
          amountPesewas: money,
          description: flag ? text : null,
          reference: flag ? text : null,
        }),
        more: count,
      },
      now,
    ),
  chooseNetworkFor: () => texts.chooseNetworkFor(phone),
  chooseBundle: ({ text, flag }) => texts.chooseBundle(text, flag ? phone : null),
  noBundles: ({ text }) => texts.noBundles(text),
  askPhone: ({ text }) => texts.askPhone(texts.bundleName(text, text)),
  bundleName: ({ text }) => `${texts.bundleName(text, text)} of a bundle`,
  notAPhone: ({ text }) => texts.notAPhone(text),
  damagedOrder: ({ text }) => texts.damagedOrder(text),
  noSuchSize: ({ text }) => texts.noSuchSize(text, text),
  whichOffer: ({ text }) => texts.whichOffer(text, text, phone, text),
  whichNetwork: ({ text }) => texts.whichNetwork(text, phone, text),
  otherNetwork: ({ text }) => texts.otherNetwork(phone, texts.bundleName(text, text), text),
  price: ({ money }) => texts.price(money),
  noSuchNetwork: ({ text }) => texts.noSuchNetwork(text),
  priceHead: ({ flag, count }) => texts.priceHead(flag, count % 2 === 0),
  priceBlock: (values) => texts.priceBlock(values.text, bundlesOf(values)),
  draft: ({ text, money, flag, count }) =>
    texts.draft({
      network: text,
      volume: text,
      offer: text,
      phone,
      name: text,
      price: money,
      sell: flag ? money : null,
      balance: flag ? pesewas(0) : null,
      allowance: flag ? null : { limitPesewas: money, leftPesewas: pesewas(0) },
      remark:
        ([null, 'price_changed', 'prices_unreadable', 'unauthorized', 'waited_long'] as const)[count % 5] ??
        null,
    }),
  draftOutdated: ({ text }) => texts.draftOutdated(texts.bundleName(text, text), phone, text),
  draftEnded: ({ text, count }) =>
    texts.draftEnded(
      (['cancelled', 'expired', 'superseded'] as const)[count % 3] ?? 'expired',
      texts.bundleName(text, text),
      phone,
      text,
    ),
  placementWord: ({ order }) => texts.placementWord(order.placement),
  statusWord: ({ order }) => `Status: ${texts.statusWord(order)}`,
  markOf: ({ order }) => texts.markOf(order),
  orderCard: (values) => texts.orderCard(values.order, contextOf(values)),
  announceStatus: ({ order, text, flag }) =>
    texts.announceStatus(order, text, flag, !flag, flag ? text : null),
  announceOtherPrice: ({ order }) => texts.announceOtherPrice(order),
  announceProof: ({ order }) => texts.announceProof(order),
  announceMistaken: ({ order, text }) => texts.announceMistaken(order, text),
  announceOtherReference: ({ order, text }) => texts.announceOtherReference(order, text),
  followMistaken: ({ order }) => texts.followMistaken(order, maskPhone(phone)),
  announceRefund: ({ order }) => texts.announceRefund(order),
  announceDoubtToAgent: ({ order }) => texts.announceDoubtToAgent(order),
  howMany: ({ count }) => texts.howMany(count),
  followEnded: ({ order }) => texts.followEnded(order, maskPhone(phone)),
  notAReference: ({ text }) => texts.notAReference(text),
  noSuchOrder: ({ text }) => texts.noSuchOrder(text),
  tooManyLookups: ({ count }) => texts.tooManyLookups(count * 1000),
  lookedUpElsewhere: ({ text, money, flag }) =>
    texts.lookedUpElsewhere({
      reference: text,
      network: flag ? text : null,
      volume: flag ? text : null,
      phone: flag ? phone : null,
      price: flag ? money : null,
      status: text,
      placedAt: now,
      deliveredAt: flag ? now : null,
      now,
    }),
  announceDoubt: ({ order, money, text, count }) =>
    texts.announceDoubt(
      order,
      times(1 + (count % 10), { reference: text, amountPesewas: money, atMs: null }),
      3,
      now,
    ),
  shareText: ({ order }) => texts.shareText('https://t.me/bot?start=s1&x="', order),
  digest: ({ order, text, count }) =>
    texts.digest(
      times(Math.min(count, mostNamed), texts.digestLine(order, ['proof', 'other_price', 'refund'])),
      times(count, [text, count]),
    ),
  digestLine: ({ order }) => texts.digestLine(order, []),
  followedDigestLine: ({ order }) => texts.followedDigestLine(order, maskPhone(phone)),
  admin: ({ text, count }) => texts.admin(times(placements.length, { placement: text, count }), count),
  invitation: () => texts.invitation('https://t.me/bot?start=i1'),
}

/** What Telegram takes: its HTML, of our own tags alone, 4,096 characters at most, and no hole left by a value. */
const readAsTelegram = (text: string, name = 'text'): string => {
  const read = parseHtml(text)
  const ours = new Set(['bold', 'code', 'pre'])
  expect(read.entities.map(({ type }) => type).filter((type) => !ours.has(type))).toEqual([])
  expect(read.text.length, name).toBeLessThanOrEqual(4096)
  expect(read.text.trim(), name).not.toBe('')
  expect(text.isWellFormed(), name).toBe(true)
  expect(text, name).not.toMatch(/undefined|\bnull\b|NaN|\[object/)
  return read.text
}

test('every text is one that Telegram takes, whatever the values in it', async () => {
  const { order } = await stored()
  for (const [name, wording] of Object.entries(html)) {
    fc.assert(
      fc.property(seed, (each) => {
        readAsTelegram(wording(valuesOf(order, each)), name)
      }),
      { numRuns: name === 'orderCard' ? 1500 : 200 },
    )
  }
})

test('every text without values is one that Telegram takes', () => {
  for (const text of Object.values(texts)) if (typeof text === 'string') readAsTelegram(text)
})

test('a label of a button is one short line of plain text', () => {
  fc.assert(
    fc.property(hostile, (name) => {
      const text = outside[name]
      const labels = [
        texts.keepOn(text),
        texts.switchTo(text, null, null),
        texts.switchTo(text, text, pesewas(2350)),
        texts.bundleLabel(text, pesewas(2350)),
      ]
      for (const label of labels) {
        expect([...label].length).toBeLessThan(120)
        expect(label).not.toMatch(/\n|&amp;/)
        expect(label.isWellFormed()).toBe(true)
      }
    }),
  )
  expect(texts.bundleLabel('5GB', pesewas(2350))).toBe('5GB · GHS 23.50')
  expect(Object.values(texts.labels).every((label) => label.length > 0 && label.length < 40)).toBe(true)
})

test.each([
  [{ placement: 'queued' }, 'waiting'],
  [{ placement: 'sending' }, 'waiting'],
  [{ placement: 'unconfirmed' }, 'unconfirmed'],
  [{ placement: 'unconfirmed' }, 'o not order again'],
  [{ placement: 'not_placed' }, 'not placed'],
  [{ placement: 'not_placed' }, 'nothing was charged'],
  [{ placement: 'rejected', reason: 'unprocessable' }, 'rejected'],
  [{ placement: 'review' }, 'to review'],
  [{ placement: 'expired' }, 'expired'],
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
] as [Partial<Order>, string][])('the card of %j says: %s', async (fields, words) => {
  const { store, order } = await stored({ ...fields, reference: 'BUD-API-A-1' })
  const text = readAsTelegram((await orderCard(store, order, now)).text)
  for (const word of ['MTN', '5GB', phone, 'GHS 23.50', 'BUD-API-A-1', words]) expect(text).toContain(word)
})

test('a refusal names what is needed to act on it', async () => {
  const { order } = await stored({ placement: 'rejected' })
  const context = {
    now,
    other: null,
    balance: pesewas(2000),
    frozenUntil: null,
    connected: true,
    refused: false,
    viewer: 'owner' as const,
  }
  const card = (fields: Partial<Order>, other: Order | null = null) =>
    readAsTelegram(texts.orderCard({ ...order, ...fields }, { ...context, other }))
  const short = card({ reason: 'balance' })
  for (const amount of ['GHS 23.50', 'GHS 20.00', 'GHS 3.50']) expect(short).toContain(amount)
  expect(card({ reason: 'pending' }, { ...order, reference: 'BUD-API-OURS-1' })).toContain('BUD-API-OURS-1')
  expect(card({ reason: 'pending' })).toContain('made elsewhere')
  expect(card({ reason: 'unauthorized' })).toContain('/connect')
  const until = new Date(now.getTime() + 90_000)
  expect(card({ placement: 'queued', reason: 'rate_limited', notBefore: until })).toContain('10:33')
  expect(card({ reason: 'invalid', providerMessage: 'No <such> & such' })).toContain('“No <such> & such”')
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
] as [Partial<Order>, boolean][])('the card of %j offers Order again: %s', async (fields, offered) => {
  const { store, order } = await stored(fields)
  const labels = labelsOf(await orderCard(store, order, now))
  expect(labels.some((label) => label.includes('Order again'))).toBe(offered)
})

test('a placed order can be refreshed, repeated and shared', async () => {
  const { store, order } = await stored({ placement: 'placed', status: 'processing' })
  expect(labelsOf(await orderCard(store, order, now)).join()).toMatch(/Refresh.*Repeat.*Share/)
})

test('a draft is confirmed or cancelled, and shows what the balance will be and what is short', async () => {
  const { store, purchase } = await stored()
  const balance = { balancePesewas: pesewas(2000), balanceAt: now, accountType: null }
  await store.accounts.rememberBalance('a', balance, null)
  const card = await purchaseCard(store, noLists, { ...purchase, id: 'q'.repeat(22) }, now)
  for (const word of ['MTN', '5GB', phone, 'GHS 23.50', 'GHS 20.00', 'GHS 3.50'])
    expect(card.text).toContain(word)
  expect(labelsOf(card)).toEqual([expect.stringContaining('Confirm'), expect.stringContaining('Cancel')])
})
