import { expect, test } from 'vitest'
import { pesewas } from '../../src/provider/money.ts'
import { isNewer, noteBalance, noteCharge, settleLevel } from '../../src/wallets/low-balance.ts'
import { newStore } from '../support/database.ts'

const start = new Date('2026-11-21T10:32:00Z').getTime()
const second = (seconds: number) => new Date(start + seconds * 1_000)
const accountId = 'a'

const setUp = async (...levels: (number | null)[]) => {
  const store = await newStore()
  await store.accounts.insert({
    id: accountId,
    keyHash: 'k',
    sealedKey: 'k',
    sealedSecret: 's',
    accountType: null,
    now: second(0),
  })
  for (const [index, level] of levels.entries()) {
    const userId = index + 1
    await store.accounts.attach({ userId, chatId: userId, accountId, role: 'owner' }, second(0))
    if (level !== null) await store.preferences.change(userId, { lowBalancePesewas: pesewas(level) })
  }
  return {
    store,
    hear: (balance: number, at: number, askedAt = at) =>
      store.transaction((tx) =>
        noteBalance(tx, accountId, {
          balancePesewas: pesewas(balance),
          askedAt: second(askedAt),
          at: second(at),
        }),
      ),
    told: async (userId = 1) =>
      (await store.notices.ofChat(userId)).map(({ content }) =>
        content.kind === 'low_balance' ? content.balancePesewas : content.kind,
      ),
    balance: async () => (await store.accounts.byId(accountId))?.balancePesewas,
  }
}

test('an owner gets one notice below their low-balance level, and the next only after the balance recovered', async () => {
  const { hear, told } = await setUp(5_000)
  for (const [at, balance] of [10_000, 5_000, 4_999, 3_000, 100, 5_000, 4_000].entries())
    await hear(balance, at)
  expect(await told()).toEqual([4_999, 4_000])
})

test('a charge that is taken back raises the balance, so that the next fall causes a low-balance notice', async () => {
  const { store, hear, told, balance } = await setUp(5_000)
  await hear(7_000, 1)
  const charge = (amount: number, at: number) =>
    store.transaction((tx) => noteCharge(tx, accountId, pesewas(amount), second(at)))
  await charge(2_450, 2)
  expect(await balance()).toBe(4_550)
  await charge(-2_450, 3)
  expect(await balance()).toBe(7_000)
  await charge(2_000, 4)
  await charge(500, 5)
  expect(await told()).toEqual([4_550, 4_500])
})

test('each owner has their own low-balance level, and an agent gets no notice', async () => {
  const { store, hear, told } = await setUp(5_000, 2_000, null)
  await store.accounts.attach({ userId: 9, chatId: 9, accountId, role: 'agent' }, second(0))
  await store.preferences.change(9, { lowBalancePesewas: pesewas(5_000) })
  await hear(3_000, 1)
  await hear(1_000, 2)
  expect([await told(1), await told(2), await told(3), await told(9)]).toEqual([[3_000], [1_000], [], []])
})

test('of many balances that are read at once, the lowest is stored, and one low-balance notice is sent', async () => {
  const { hear, told, balance } = await setUp(5_000)
  await hear(10_000, 0)
  await Promise.all([9_000, 4_000, 3_000, 2_000, 6_000].map((amount) => hear(amount, 5, 1)))
  expect(await told()).toHaveLength(1)
  expect(await balance()).toBe(2_000)
})

test('a balance requested before the stored one neither raises it nor causes a second notice', async () => {
  const { hear, told, balance } = await setUp(5_000)
  await hear(10_000, 0)
  await hear(4_000, 5, 4)
  expect(await hear(6_000, 6, 3)).toBe(false)
  await hear(3_000, 8, 7)
  expect(await told()).toEqual([4_000])
  expect(await balance()).toBe(3_000)
})

test.each([
  ['the first one', 100, 1, { balancePesewas: null, balanceAt: null }, true],
  [
    'one asked for after the stored one',
    900,
    2,
    { balancePesewas: pesewas(500), balanceAt: second(1) },
    true,
  ],
  [
    'a higher one asked for before the stored one',
    900,
    0,
    { balancePesewas: pesewas(500), balanceAt: second(1) },
    false,
  ],
  [
    'a lower one asked for before the stored one',
    100,
    0,
    { balancePesewas: pesewas(500), balanceAt: second(1) },
    true,
  ],
])(
  'a balance is stored only if it is newer or lower than the stored one: %s',
  (_, balance, askedAt, known, taken) => {
    expect(isNewer({ balancePesewas: pesewas(balance), askedAt: second(askedAt) }, known)).toBe(taken)
  },
)

test('setting a low-balance level above the balance answers with the balance and causes no notice, and a lower level causes one later', async () => {
  const { store, hear, told } = await setUp(null)
  const setLevel = (level: number | null) =>
    store.transaction((tx) =>
      settleLevel(tx, { accountId, userId: 1 }, level === null ? null : pesewas(level), second(1)),
    )
  await hear(3_000, 1)
  expect(await setLevel(5_000)).toBe(3_000)
  await hear(2_900, 2)
  expect(await told()).toEqual([])
  expect(await setLevel(2_000)).toBeNull()
  await hear(1_900, 3)
  expect(await told()).toEqual([1_900])
  expect(await setLevel(null)).toBeNull()
  await hear(100, 4)
  expect(await told()).toHaveLength(1)
})

test('a balance that is too large for the database changes nothing', async () => {
  const { hear, balance } = await setUp(5_000)
  await hear(6_000, 0)
  expect(await hear(3_000_000_000, 1)).toBe(false)
  expect(await balance()).toBe(6_000)
})
