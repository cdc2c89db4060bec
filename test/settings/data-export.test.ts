import { expect, test } from 'vitest'
import { addReminder } from '../../src/orders/reminding/reminders.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { exportOf } from '../../src/settings/data-export.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')

interface Kept {
  part: number
  person?: unknown
  purchases: { orders: { reference: string | null }[] }[]
}

const documents = async (limitBytes: number): Promise<Kept[]> => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await store.accounts.attach({ userId: 7, chatId: 7, accountId: 'a', role: 'owner' }, now)
  for (let count = 1; count <= 450; count += 1)
    await addOrder(store, { id: String(count), accountId: 'a', now })
  const read: Kept[] = []
  const person = { userId: 7, accountId: 'a', role: 'owner' as const }
  for await (const document of exportOf(store, person, now, limitBytes)) {
    let text = ''
    for await (const part of document) text += part
    read.push(JSON.parse(text))
  }
  return read
}

test('an export of a person’s data contains all settings of the shop', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await store.accounts.attach({ userId: 7, chatId: 7, accountId: 'a', role: 'owner' }, now)
  const tier = {
    network: null,
    fromMegabytes: 10_000,
    rule: { kind: 'percent', tenths: 50, roundPesewas: pesewas(10) },
  } as const
  await store.shops.name('a', 'Ama Data')
  await store.shops.phone('a', '0241234567' as Phone)
  await store.shops.tier('a', tier, tier.rule)
  await store.shops.hide('a', 8, true)
  let text = ''
  for await (const document of exportOf(store, { userId: 7, accountId: 'a', role: 'owner' }, now, 1_000_000))
    for await (const part of document) text += part
  expect(JSON.parse(text).account.shop).toEqual({
    name: 'Ama Data',
    phone: '0241234567',
    accent: 'dark',
    letter: null,
    rule: null,
    tiers: [tier],
    prices: [],
    hidden: [8],
  })
})

test('an export of a person’s data contains their reminders', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await store.accounts.attach({ userId: 7, chatId: 7, accountId: 'a', role: 'owner' }, now)
  const bundle = { bundleId: 5, network: 'MTN', volume: '5GB', offerSlug: null }
  const wanted = { ...bundle, phone: '0241234567' as Phone, name: 'Ama', weekday: 5, minutes: 18 * 60 }
  await store.transaction((tx) =>
    addReminder(tx, { userId: 7, accountId: 'a' }, wanted, { id: 'r', at: now }),
  )
  let text = ''
  for await (const document of exportOf(store, { userId: 7, accountId: 'a', role: 'owner' }, now, 1_000_000))
    for await (const part of document) text += part
  expect(JSON.parse(text).reminders).toMatchObject([
    { phone: '0241234567', name: 'Ama', volume: '5GB', weekday: 5, minutes: 1080 },
  ])
})

test('an export of a person’s data contains every order once, in as many files as needed', {
  tags: 'exhaustive',
}, async () => {
  const [one, ...none] = await documents(1_000_000_000)
  expect(none).toEqual([])
  expect(one?.purchases).toHaveLength(450)
  const parts = await documents(100_000)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, index) => index + 1))
  expect(parts.flatMap(({ purchases }) => purchases)).toHaveLength(450)
  expect(parts.filter(({ person }) => person)).toHaveLength(1)
})
