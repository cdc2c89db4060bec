import { expect, test } from 'vitest'
import { windows } from '../../src/accounts/budget.ts'
import { createKeyring } from '../../src/accounts/keyring.ts'
import { createMembership } from '../../src/accounts/membership.ts'
import type { Wallets } from '../../src/accounts/wallets.ts'
import { ProviderError } from '../../src/provider/index.ts'
import { newStore } from '../support/database.ts'

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
