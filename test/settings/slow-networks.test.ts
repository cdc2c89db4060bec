import { expect, test } from 'vitest'
import { enqueueSlowNetworks } from '../../src/settings/slow-networks.ts'
import type { Store } from '../../src/store/store.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-03-02T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const dayMinutes = 24 * 60

/** An owner who wants news of slow networks, with 30 deliveries of the last week that took five minutes each. */
const newShop = async (settled: object = {}): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', ago(20 * dayMinutes))
  await store.accounts.attach({ userId: 7, chatId: 7, accountId: 'a', role: 'owner' }, now)
  await store.preferences.change(7, { tellsSlow: true, ...settled })
  await order(store, 'old', 30, { at: ago(7 * dayMinutes), deliveredAfter: 5 })
  return store
}

/** Adds orders for MTN. @param deliveredAfter minutes; null: they are still on their way. */
const order = async (
  store: Store,
  name: string,
  count: number,
  { at, deliveredAfter }: { at: Date; deliveredAfter: number | null },
): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    const { id } = await addOrder(store, { id: `${name}${index}`, accountId: 'a', now: at }, [
      ['sending', {}],
      ['placed', { reference: `BUD-API-${name}${index}`, placedAt: at, status: 'processing' }],
    ])
    if (deliveredAfter !== null)
      await store.orders.patch(id, { status: 'delivered', deliverySeconds: deliveredAfter * 60 }, at)
  }
}

const silent = { error: () => {} }

const news = async (store: Store) =>
  (await store.notices.ofChat(7)).map(({ content }) =>
    content.kind === 'network_pace' ? [content.network, content.isSlow] : content.kind,
  )

test('an owner is told once that a network became slow, and once that it is no longer slow', async () => {
  const store = await newShop()
  await order(store, 'slow', 8, { at: ago(90), deliveredAfter: null })
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(1)
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(0)
  await order(store, 'fast', 20, { at: ago(30), deliveredAfter: 4 })
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(1)
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(0)
  expect(await news(store)).toEqual([
    ['MTN', true],
    ['MTN', false],
  ])
})

test('a network stays slow while there are too few orders to know better', async () => {
  const store = await newShop({ slowNetworks: ['MTN', 'Telecel'] })
  await order(store, 'fast', 7, { at: ago(30), deliveredAfter: 4 })
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(0)
  expect((await store.preferences.of(7)).slowNetworks).toEqual(['MTN', 'Telecel'])
})

test('the news of a slow network waits for the end of quiet hours', async () => {
  const store = await newShop({ quietFrom: 11 * 60, quietTo: 13 * 60 })
  await order(store, 'slow', 8, { at: ago(90), deliveredAfter: null })
  await enqueueSlowNetworks(store, () => now, silent)
  expect((await store.notices.ofChat(7))[0]?.quietUntil).toEqual(ago(-60))
})

test('agents, former owners and owners who do not want such news are not told of a slow network', async () => {
  const store = await newShop()
  await order(store, 'slow', 8, { at: ago(90), deliveredAfter: null })
  await store.preferences.change(7, { tellsSlow: false })
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(0)
  await store.preferences.change(7, { tellsSlow: true })
  await store.accounts.detach(7)
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(0)
  await store.accounts.attach({ userId: 7, chatId: 7, accountId: 'a', role: 'agent' }, now)
  expect(await enqueueSlowNetworks(store, () => now, silent)).toBe(0)
})
