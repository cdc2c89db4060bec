import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { draftMs } from '../../../src/domain/times/draft-lifetime.ts'
import { createPurchases, mayRead } from '../../../src/orders/buying/purchases.ts'
import { beginMaintenance } from '../../../src/orders/permission/switches.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { newStore } from '../../support/database.ts'
import { addAccount } from '../placed-orders.ts'

const order = { accountId: 'a', userId: 1 }

test.each([
  [true, 'the owner who ordered it', { accountId: 'a', userId: 1, role: 'owner' }],
  [true, 'another owner of the account', { accountId: 'a', userId: 2, role: 'owner' }],
  [true, 'the agent who ordered it', { accountId: 'a', userId: 1, role: 'agent' }],
  [false, 'another agent of the account', { accountId: 'a', userId: 2, role: 'agent' }],
  [false, 'an owner of another account', { accountId: 'b', userId: 2, role: 'owner' }],
  [
    false,
    'the person who ordered it and has since moved to another account',
    { accountId: 'b', userId: 1, role: 'owner' },
  ],
] as const)('it is %s that an order may be read by %s', (may, _, person) => {
  expect(mayRead({ ...person, chatId: person.userId }, order)).toBe(may)
})

test('every draft lasts for at least half an hour more while orders are paused', async () => {
  const minute = 60_000
  const now = new Date('2026-11-21T10:32:00Z')
  const inMinutes = (count: number): Date => new Date(now.getTime() + count * minute)
  const store = await newStore()
  await addAccount(store, 'a', now)
  const draft = { accountId: 'a', userId: 1, chatId: 1, lines: [], createdAt: now }
  await store.purchases.insertDraft({ ...draft, id: 'short', cause: '1', expiresAt: inMinutes(29) })
  await store.purchases.insertDraft({ ...draft, id: 'long', cause: '2', expiresAt: inMinutes(31) })
  await beginMaintenance(store, { until: null, reason: null }, now)
  const told = { onQueued: () => {}, onNotice: () => {} }
  await createPurchases({ store, now: () => now, newId: () => 'new', ...told }).expireDrafts()
  const expiryOf = async (id: string) => (await store.purchases.byId(id))?.expiresAt
  expect(await expiryOf('short')).toEqual(new Date(now.getTime() + draftMs))
  expect(await expiryOf('long')).toEqual(inMinutes(31))
})

describe('a draft of a purchase', () => {
  const now = new Date('2026-11-21T10:32:00Z')
  const owner = { accountId: 'a', userId: 1, chatId: 1, role: 'owner' } as const
  const line = {
    phone: '0241234567' as Phone,
    bundleId: 5,
    network: 'MTN',
    volume: "5GB? 'big' \\",
    offerSlug: null,
    pricePesewas: pesewas(2350),
  }

  const stage = async () => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const told = { onQueued: () => {}, onNotice: () => {} }
    const purchases = createPurchases({ store, now: () => now, newId, ...told })
    return { store, purchases }
  }

  test('is made once by a message, however often the message is handled', async () => {
    const { store, purchases } = await stage()
    const all = await Promise.all([1, 2, 3].map(() => purchases.draft(owner, 'message', [line])))
    const [first] = all
    expect(all).toEqual([first, first, first])
    expect(await store.purchases.byId(first?.id ?? '')).toEqual(first)
  })

  test('replaces an older draft for the same number and bundle, and no other', async () => {
    const { store, purchases } = await stage()
    const other = await purchases.draft(owner, '1', [{ ...line, bundleId: 6 }])
    const older = await purchases.draft(owner, '2', [line])
    const newer = await purchases.draft(owner, '3', [line])
    const states = await Promise.all([other, older, newer].map(({ id }) => store.purchases.byId(id)))
    expect(states.map((each) => [each?.state, each?.successorId])).toEqual([
      ['draft', null],
      ['superseded', newer.id],
      ['draft', null],
    ])
  })
})
