import { expect, test } from 'vitest'
import { createAgency } from '../../src/accounts/agency.ts'
import { createKeyring } from '../../src/wallets/keyring.ts'
import { addAccount } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const hourMs = 60 * 60_000

test('an invitation is good for an hour, to the millisecond', async () => {
  const store = await newStore()
  const clock = { ms: Date.parse('2026-11-21T10:32:00Z') }
  const now = () => new Date(clock.ms)
  await addAccount(store, 'a', now())
  const owner = { userId: 1, chatId: 1, accountId: 'a' }
  await store.accounts.attach({ ...owner, name: null, role: 'owner', invitedBy: null }, now())
  const keyring = createKeyring([Buffer.alloc(32, 7)])
  const agency = createAgency({ store, keyring, now, onNotice: () => {} })
  const [early, late] = [await agency.invite(owner), await agency.invite(owner)]
  if (!early || !late) throw new Error('There is no invitation.')
  expect(early.expiresAt.getTime()).toBe(clock.ms + hourMs)

  clock.ms += hourMs - 1
  const guest = (userId: number) => ({ userId, chatId: userId, name: null })
  expect(await agency.accept(guest(2), early.secret, true)).toEqual({ kind: 'accepted' })
  clock.ms += 1
  expect(await agency.accept(guest(3), late.secret, true)).toEqual({ kind: 'expired' })
})
