import { expect, test } from 'vitest'
import { newStore } from '../../support/database.ts'

test('a typed key is never tried on an account whose credentials were erased', async () => {
  const { accounts, credentials } = await newStore()
  const insert = (id: string, keyHash = id) =>
    accounts.insert({ id, keyHash, sealedKey: 'k', sealedSecret: 's', accountType: null, now: new Date() })
  await insert('gone')
  await accounts.erase('gone')
  expect(await credentials.count()).toBe(0)
  expect(await credentials.page('', 9)).toEqual([])
  await insert('here')
  expect(await credentials.page('', 9)).toMatchObject([{ id: 'here' }])
})

test('of two accounts with one API key, the one stored with the newer credentials key is found', async () => {
  const { accounts } = await newStore()
  for (const id of ['older', 'newer']) {
    await accounts.insert({
      id,
      keyHash: id,
      sealedKey: 'k',
      sealedSecret: 's',
      accountType: null,
      now: new Date(),
    })
  }
  expect(await accounts.byKeyHash(['newer', 'older'])).toMatchObject({ id: 'newer' })
  expect(await accounts.byKeyHash(['older', 'newer'])).toMatchObject({ id: 'older' })
})
