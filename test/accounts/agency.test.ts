import { expect, test } from 'vitest'
import { createAgency } from '../../src/accounts/agency.ts'
import { leave } from '../../src/accounts/departure.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { addAccount } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const hourMs = 60 * 60_000

test('an invitation is valid for one hour, to the millisecond', async () => {
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

test('an owner’s drafts expire when the owner comes back as an agent, because they name costs', async () => {
  const store = await newStore()
  const now = () => new Date('2026-11-21T10:32:00Z')
  await addAccount(store, 'a', now())
  const owner = { userId: 1, chatId: 1, accountId: 'a', name: null }
  const other = { ...owner, userId: 2, chatId: 2 }
  for (const each of [owner, other])
    await store.accounts.attach({ ...each, role: 'owner', invitedBy: null }, now())
  const draft = { accountId: 'a', cause: 'c', lines: [], createdAt: now(), expiresAt: new Date('2026-11-22') }
  await store.purchases.insertDraft({ id: 'mine', userId: 1, chatId: 1, ...draft })
  await store.purchases.insertDraft({ id: 'other', userId: 2, chatId: 2, ...draft, cause: 'd' })
  const agency = createAgency({
    store,
    keyring: createKeyring([Buffer.alloc(32, 7)]),
    now,
    onNotice: () => {},
  })
  await store.transaction(async (tx) => {
    const member = await tx.accounts.member(1)
    if (member) await leave(tx, member, 'confirmed', now())
  })
  const invitation = await agency.invite(other)
  await agency.accept({ userId: 1, chatId: 1, name: null }, invitation?.secret ?? '', true)
  const states = await Promise.all(['mine', 'other'].map((id) => store.purchases.byId(id)))
  expect(states.map((purchase) => purchase?.state)).toEqual(['expired', 'draft'])
})
