import { expect, test } from 'vitest'
import type { Wallets } from '../../src/accounts/wallets.ts'
import { createLog } from '../../src/log.ts'
import { createTracker } from '../../src/orders/tracker.ts'
import { type OrderStatus, type Provider, ProviderError } from '../../src/provider/index.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const day = 86_400_000
const before = (ms: number): Date => new Date(now.getTime() - ms)

/** A store of accounts with one placed order each, due to be asked for in that order. */
const withPlaced = async (names: string[], placedAt = before(60_000)) => {
  const store = await newStore()
  for (const [index, name] of names.entries()) {
    const sealed = { keyHash: name, sealedKey: 'k', sealedSecret: 's', accountType: null }
    await store.accounts.insert({ id: name, ...sealed, now })
    const person = { accountId: name, userId: index + 1, chatId: index + 1 }
    const draft = { ...person, cause: name, lines: [], createdAt: now, expiresAt: now }
    await store.purchases.insertDraft({ id: `p${name}`, ...draft })
    const bundle = { bundleId: 5, network: 'MTN', volume: '5GB', offerSlug: null, kind: 'single' as const }
    const recipients = [{ phone: '0241234567' as Phone, position: 0 }]
    const order = { id: name, purchaseId: `p${name}`, ...person, ...bundle, recipients, createdAt: now }
    await store.orders.insertQueued([{ ...order, unitPricePesewas: pesewas(2350) }], () => `r${name}`)
    await store.orders.go({ id: name }, 'sending', { leaseToken: name, sentAt: placedAt }, now)
    const placed = { reference: name, status: 'processing', statusAt: placedAt, placedAt }
    const nextPollAt = before(names.length - index)
    await store.orders.go({ id: name, leaseToken: name }, 'placed', { ...placed, nextPollAt }, now)
  }
  return store
}

/** The tracker before a provider that answers so. */
const trackerOf = (store: Awaited<ReturnType<typeof newStore>>, status: (reference: string) => string) => {
  const provider = {
    orderStatus: async (reference: string) => ({ reference, status: status(reference), deliveredAt: null }),
  } as unknown as Provider
  const wallets = { ask: (_account, _purpose, question) => question(provider) } as Wallets
  const nothing = () => {}
  const told = { onNotice: nothing, onEnded: nothing, onPlaced: nothing, onPollDue: nothing }
  return createTracker({ store, wallets, now: () => now, log: createLog('silent', []), ...told })
}

const delivered = (): OrderStatus['status'] => 'delivered'

test('an order that cannot be asked for holds up nobody else, and is left alone for a while', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `a${index}`)
  const store = await withPlaced(names)
  const asked: string[] = []
  const tracker = trackerOf(store, (reference) => {
    asked.push(reference)
    if (reference === 'a0') throw new Error('nobody planned for this')
    return delivered()
  })
  await tracker.poll()
  await tracker.poll()
  const statuses = await Promise.all(names.map(async (name) => (await store.orders.byId(name))?.status))
  expect(statuses).toEqual(['processing', ...Array(19).fill('delivered')])
  expect(asked.filter((reference) => reference === 'a0')).toHaveLength(1)
})

test('an order that the provider does not answer for ends as stale, a day after the last regular look', async () => {
  const refuse = () => {
    throw new ProviderError('not_found', 'The provider knows no such order.')
  }
  const soon = await withPlaced(['a'], before(7.5 * day))
  await trackerOf(soon, refuse).poll()
  expect((await soon.orders.byId('a'))?.nextPollAt).not.toBeNull()
  const late = await withPlaced(['a'], before(8 * day))
  await trackerOf(late, refuse).poll()
  expect(await late.orders.byId('a')).toMatchObject({ nextPollAt: null, reason: 'stale' })
  const owed = (await late.notices.ofChat(1)).map(({ content }) => content)
  expect(owed).toContainEqual(expect.objectContaining({ kind: 'announce', what: { about: 'stale' } }))
})
