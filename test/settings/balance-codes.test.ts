import { expect, test } from 'vitest'
import { balanceCodes, readBalanceCode, setBalanceCode } from '../../src/settings/balance-codes.ts'
import { newStore } from '../support/database.ts'

test.each([
  ['MTN *124#', { network: 'MTN', code: '*124#' }],
  [' telecel  *110*2# ', { network: 'Telecel', code: '*110*2#' }],
  ['MTN none', { network: 'MTN', code: null }],
])('the text “%s” is read as the balance code %j', (text, read) => {
  expect(readBalanceCode(text)).toEqual(read)
})

test.each(['MTN', 'MTN 124', 'MTN *124', 'Vodafone *124#', 'MTN *124# please', 'MTN <b>*1#'])(
  'the text “%s” is not read as a balance code',
  (text) => {
    expect(readBalanceCode(text)).toBeNull()
  },
)

test('a balance code is kept for its network until it is removed', async () => {
  const store = await newStore()
  expect(await balanceCodes(store)).toEqual({})
  await store.transaction((tx) => setBalanceCode(tx, 'MTN', '*124#'))
  await store.transaction((tx) => setBalanceCode(tx, 'Telecel', '*110#'))
  await store.transaction((tx) => setBalanceCode(tx, 'MTN', null))
  expect(await balanceCodes(store)).toEqual({ Telecel: '*110#' })
})
