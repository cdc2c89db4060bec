import { expect, test } from 'vitest'
import { newStore } from '../support/database.ts'

test('an account whose credentials were erased is not the one that a key is tried on at the start', async () => {
  const { accounts } = await newStore()
  const insert = (id: string) =>
    accounts.insert({
      id,
      keyHash: id,
      sealedKey: 'k',
      sealedSecret: 's',
      accountType: null,
      now: new Date(),
    })
  await insert('gone')
  await accounts.erase('gone')
  expect(await accounts.anySealed()).toBeNull()
  await insert('here')
  expect(await accounts.anySealed()).toMatchObject({ id: 'here' })
})
