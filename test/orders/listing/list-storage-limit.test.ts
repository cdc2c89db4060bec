import { expect, test } from 'vitest'
import { nothingShown } from '../../../src/domain/list-draft.ts'
import { maxUnconfirmedBytes } from '../../../src/orders/listing/list-storage-limit.ts'
import { insertListDraft } from '../../../src/orders/listing/new-list.ts'
import { newStore } from '../../support/database.ts'
import { addAccount } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:00:00Z')
const size = 5_000_000

const shop = async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const drafted = (id: string, { userId = 1, text = 'x'.repeat(size) } = {}) => {
    const person = { accountId: 'a', userId, chatId: userId }
    const list = { id, cause: id, text, fixedBundleId: null, remark: null, shown: nothingShown }
    return store.transaction((tx) => insertListDraft(tx, person, list, { newId: () => id, at: now }))
  }
  const lengthOf = async (id: string) => (await store.lists.byPurchase(id))?.text.length
  const stateOf = async (id: string) => {
    const purchase = await store.purchases.byId(id)
    return [purchase?.state, purchase?.remark]
  }
  return { store, drafted, lengthOf, stateOf }
}

test('two large unconfirmed lists of a person are kept, and an older one expires to make room for the newest', async () => {
  const { store, drafted, lengthOf, stateOf } = await shop()
  for (const id of ['first', 'second', 'third']) await drafted(id)
  await drafted('of another person', { userId: 2 })
  expect([await lengthOf('first'), await stateOf('first')]).toEqual([0, ['expired', 'crowded_out']])
  for (const id of ['second', 'third', 'of another person'])
    expect([await lengthOf(id), await stateOf(id)]).toEqual([size, ['draft', null]])
  const owed = await store.notices.forTurn(1, 10, now)
  expect(owed.map(({ content }) => content)).toMatchObject([{ kind: 'card', purchaseId: 'first' }])
})

test('expired lists of a person are emptied first, and twenty more large lists take no more space', {
  tags: 'exhaustive',
}, async () => {
  const { store, drafted, lengthOf, stateOf } = await shop()
  await drafted('first')
  await drafted('ended')
  await store.purchases.expire('ended')
  await drafted('third')
  expect([await lengthOf('first'), await stateOf('first')]).toEqual([size, ['draft', null]])
  expect([await lengthOf('ended'), await stateOf('ended')]).toEqual([0, ['expired', null]])
  for (let sent = 0; sent < 20; sent += 1) await drafted(`more ${sent}`)
  const kept = await store.lists.unconfirmed('a', 1, new Date(0))
  expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(maxUnconfirmedBytes + 23 * 200)
})

test('thirty unconfirmed lists of the usual size are kept for a person', async () => {
  const { store, drafted } = await shop()
  for (let sent = 0; sent < 30; sent += 1)
    await drafted(`list ${sent}`, { text: '0241234567 5GB\n'.repeat(200) })
  expect((await store.lists.unconfirmed('a', 1, new Date(0))).every(({ isDraft }) => isDraft)).toBe(true)
})

test('a repeat of an order makes a new draft even if an earlier repeat’s draft was erased', async () => {
  const { store } = await shop()
  const person = { accountId: 'a', userId: 1, chatId: 1 }
  for (const nonce of [0, 1, 2]) {
    const cause = `again:o:${nonce}`
    await store.purchases.insertDraft({
      id: cause,
      ...person,
      cause,
      lines: [],
      createdAt: now,
      expiresAt: now,
    })
  }
  await store.personalData.erasePurchases(['again:o:1'])
  expect(await store.purchases.nextNonce('again:o:')).toBe(3)
  expect(await store.purchases.nextNonce('again:other:')).toBe(0)
})
