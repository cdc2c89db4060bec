import { expect, test } from 'vitest'
import { windows } from '../../src/accounts/budget.ts'
import { createKeyring } from '../../src/accounts/keyring.ts'
import { createMembership } from '../../src/accounts/membership.ts'
import type { Wallets } from '../../src/accounts/wallets.ts'
import { ProviderError } from '../../src/provider/index.ts'
import { addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'
import { connectAccount } from '../support/sealed-account.ts'

test('keys typed by anybody are counted for the account that they are of, and leave room for its orders', async () => {
  const now = new Date('2026-11-21T10:32:00Z')
  const store = await newStore()
  const keyring = createKeyring([Buffer.alloc(32, 7)])
  const [keyHash = ''] = keyring.lookupHashes('the-key')
  await store.accounts.insert({ id: 'a', keyHash, sealedKey: 'k', sealedSecret: 's', accountType: null, now })
  let probes = 0
  const provider = {
    balance: async () => {
      probes += 1
      throw new ProviderError('unauthorized', 'Wrong secret.')
    },
  }
  const wallets = { probe: () => provider } as unknown as Wallets
  const told = { newId: () => 'new', onNotice: () => {} }
  const membership = createMembership({ store, keyring, wallets, now: () => now, ...told })
  for (let tries = 0; tries < 60; tries += 1) {
    const check = await membership.take({ userId: 66, chatId: 66, name: null }, 'the-key', `guess-${tries}`)
    await check()
  }
  const [perMinute] = windows
  expect(probes).toBe(await store.requests.countSince('a', new Date(0)))
  expect(probes).toBeLessThan((perMinute?.limit ?? 0) - 10)
  const last = (await store.notices.ofChat(66)).at(-1)?.content
  expect(last).toMatchObject({ outcome: { kind: 'unchecked', code: 'rate_limited', retryAfterMs: 60_000 } })
})

test.each<['an agent' | 'an owner', 'agent' | 'owner']>([
  ['an agent', 'agent'],
  ['an owner', 'owner'],
])(
  'credentials of another wallet, typed by %s, replace none, although a look-up answers for any reference',
  async (_, role) => {
    const now = new Date('2026-11-21T10:32:00Z')
    const store = await newStore()
    const keyring = createKeyring([Buffer.alloc(32, 7)])
    await connectAccount(store, keyring, 'a')
    await addOrder(store, { id: 'o', accountId: 'a', now })
    const sentAt = new Date(now.getTime() - 3_600_000)
    const sending = { sentAt, leaseToken: 't', leaseUntil: now }
    await store.orders.go({ id: 'o' }, 'sending', sending, now)
    const placed = { reference: 'BUD-API-OURS-1', placedAt: sentAt, status: 'delivered' }
    await store.orders.go({ id: 'o' }, 'placed', placed, now)
    await store.accounts.attach({ userId: 5, chatId: 5, accountId: 'a', role }, now)
    const before = await store.accounts.byId('a')
    const meta = { httpStatus: 200, serverDate: null, sentAt: now, receivedAt: now }
    const provider = {
      balance: async () => ({
        balancePesewas: 0,
        currency: 'GHS',
        accountType: 'agent',
        timestamp: null,
        meta,
      }),
      orderStatus: async (reference: string) => ({ reference, status: 'delivered', meta }),
      transactions: async () => ({ transactions: [], unreadable: 0, pagination: null, meta }),
    }
    const wallets = { probe: () => provider } as unknown as Wallets
    const membership = createMembership({
      store,
      keyring,
      wallets,
      now: () => now,
      newId: () => 'new',
      onNotice: () => {},
    })
    const check = await membership.take({ userId: 5, chatId: 5, name: null }, 'my-own-key', 'my-own-secret')
    await check()
    expect(await store.accounts.byId('a')).toEqual(before)
    expect((await store.notices.ofChat(5)).at(-1)?.content).toMatchObject({
      outcome: { kind: 'other_account', isCertain: true },
    })
  },
)
