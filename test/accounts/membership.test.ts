import { expect, test } from 'vitest'
import { createMembership } from '../../src/accounts/membership.ts'
import type { ConnectionOutcome } from '../../src/domain/notice.ts'
import { createRates } from '../../src/messaging/buckets.ts'
import { ProviderError } from '../../src/provider/index.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import type { Wallets } from '../../src/wallets/wallets.ts'
import { addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'
import { connectAccount } from '../support/sealed-account.ts'

/** An account with an owner, and a provider that accepts no credentials and counts how often it is asked. */
const oracle = async () => {
  const clock = { ms: Date.parse('2026-11-21T10:32:00Z') }
  const now = () => new Date(clock.ms)
  const store = await newStore()
  const keyring = createKeyring([Buffer.alloc(32, 7)])
  await connectAccount(store, keyring, 'a', '', 'the-key')
  await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, now())
  let probes = 0
  const provider = {
    balance: async () => {
      probes += 1
      throw new ProviderError('unauthorized', 'Wrong secret.')
    },
  }
  const wallets = { probe: () => provider } as unknown as Wallets
  const limits = createRates(() => clock.ms)
  const told = { newId: () => 'new', onNotice: () => {} }
  const membership = createMembership({ store, keyring, wallets, now, limits, ...told })
  return {
    store,
    clock,
    probes: () => probes,
    /** Types the key and a wrong secret in that chat. @returns what the chat is told. */
    guess: async (chatId: number, key: string): Promise<ConnectionOutcome | null> => {
      await (await membership.take({ userId: chatId, chatId, name: null }, key, 'a-guess'))()
      const last = (await store.notices.ofChat(chatId)).at(-1)?.content
      return last?.kind === 'connection' ? last.outcome : null
    },
    guessesTold: async () =>
      (await store.notices.ofChat(1)).filter(
        ({ content }) => content.kind === 'ownership' && content.news.what === 'guessed',
      ).length,
  }
}

test('strangers who type wrong secrets for a known key cannot use up its owner’s budget, and the owner is told', {
  tags: 'exhaustive',
}, async () => {
  const { store, clock, probes, guess, guessesTold } = await oracle()
  const outcomes: unknown[] = []
  for (let chatId = 100; chatId < 120; chatId += 1) {
    for (let tries = 0; tries < 3; tries += 1) outcomes.push(await guess(chatId, 'the-key'))
  }
  expect(probes()).toBe(5)
  expect(await store.requests.countsSince('a', [new Date(0)])).toEqual([5])
  expect(outcomes.slice(0, 5)).toEqual(Array(5).fill({ kind: 'refused' }))
  expect(outcomes[5]).toEqual({ kind: 'unchecked', code: 'too_many_tries', retryAfterMs: 600_000 })
  expect(await guessesTold()).toBe(1)
  expect(await guess(1, 'the-key')).toEqual({ kind: 'refused' })
  expect(probes()).toBe(6)

  const hours = 5
  for (let minutes = 0; minutes < hours * 60; minutes += 1) {
    clock.ms += 60_000
    await guess(200 + minutes, 'the-key')
  }
  expect(probes()).toBeLessThanOrEqual(6 + hours * 6)
  expect(await guessesTold()).toBeLessThanOrEqual(1 + hours)
})

test('one chat can try ten keys in a burst, and then one a minute', async () => {
  const { clock, probes, guess } = await oracle()
  for (let tries = 0; tries < 30; tries += 1) await guess(100, `key-${tries}`)
  expect(probes()).toBe(10)
  clock.ms += 5 * 60_000
  for (let tries = 0; tries < 30; tries += 1) await guess(100, `other-${tries}`)
  expect(probes()).toBe(15)
  expect(await guess(101, 'one-more')).toEqual({ kind: 'refused' })
})

test('unknown keys reach the provider at most twice a second, however many chats try them', {
  tags: 'exhaustive',
}, async () => {
  const { clock, probes, guess } = await oracle()
  for (let chatId = 100; chatId < 300; chatId += 1) await guess(chatId, `key-${chatId}`)
  expect(probes()).toBe(120)
  clock.ms += 10_000
  for (let chatId = 300; chatId < 400; chatId += 1) await guess(chatId, `key-${chatId}`)
  expect(probes()).toBe(140)
})

test.each<['an agent' | 'an owner', 'agent' | 'owner']>([
  ['an agent', 'agent'],
  ['an owner', 'owner'],
])(
  '%s cannot replace the account’s credentials with another wallet’s, even if every look-up succeeds',
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
      limits: createRates(() => now.getTime()),
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

/**
 * An account whose key is refused and whose only order has an unknown outcome, and a wallet with a charge that fits
 * it.
 */
const inDoubt = async () => {
  const now = new Date('2026-11-21T10:32:00Z')
  const store = await newStore()
  const keyring = createKeyring([Buffer.alloc(32, 7)])
  await connectAccount(store, keyring, 'a')
  const sentAt = new Date(now.getTime() - 5 * 60_000)
  const unconfirmed = { reason: 'interrupted', reconcileAt: now, leaseToken: null } as const
  await addOrder(store, { id: 'o', accountId: 'a', now: sentAt }, [
    ['sending', { sentAt, leaseToken: 't', leaseUntil: now }],
    ['unconfirmed', unconfirmed],
  ])
  await store.accounts.attach({ userId: 5, chatId: 5, accountId: 'a', role: 'owner' }, sentAt)
  const meta = { httpStatus: 200, serverDate: null, sentAt: now, receivedAt: now }
  const debit = {
    id: '1',
    type: 'debit',
    amountPesewas: 2350,
    description: 'MTN 5GB for 0241234567',
    reference: 'BUD-API-ANY-1',
    balanceAfterPesewas: null,
    createdAt: sentAt,
  }
  const provider = {
    balance: async () => ({
      balancePesewas: 0,
      currency: 'GHS',
      accountType: 'agent',
      timestamp: null,
      meta,
    }),
    transactions: async () => ({ transactions: [debit], unreadable: 0, pagination: null, meta }),
  }
  const refuse = async () => {
    throw new ProviderError('unauthorized', 'Regenerated.')
  }
  const wallets = { probe: () => provider, ask: refuse } as unknown as Wallets
  const limits = createRates(() => now.getTime())
  const told = { newId: () => 'new', onNotice: () => {} }
  const membership = createMembership({ store, keyring, wallets, now: () => now, limits, ...told })
  const outcomeOf = async (chatId: number): Promise<ConnectionOutcome | null> => {
    const last = (await store.notices.ofChat(chatId)).findLast(({ content }) => content.kind === 'connection')
    return last?.content.kind === 'connection' ? last.content.outcome : null
  }
  return {
    store,
    keyring,
    now,
    outcomeOf,
    types: async (userId: number) => {
      const user = { userId, chatId: userId, name: null }
      await (await membership.take(user, 'another-key', 'another-secret'))()
      return outcomeOf(userId)
    },
    saysSame: async (userId: number) => {
      const asked = await outcomeOf(userId)
      const until = new Date(asked?.kind === 'other_account' ? asked.untilMs : 0)
      await (await membership.replaceKey({ userId, chatId: userId, name: null }, until))?.()
      return outcomeOf(userId)
    },
    keyOf: async () => (await store.accounts.byId('a'))?.sealedKey,
  }
}

test('a key whose wallet has a charge like an unconfirmed order’s is stored only after the owner says that it belongs to the same wallet', async () => {
  const { types, saysSame, keyOf } = await inDoubt()
  const before = await keyOf()
  expect(await types(5)).toMatchObject({ kind: 'other_account', isCertain: false, mayBeSame: true })
  expect(await keyOf()).toBe(before)
  expect(await saysSame(5)).toMatchObject({ kind: 'connected' })
  expect(await keyOf()).not.toBe(before)
})

test('an owner who joined later cannot say that a new key belongs to the same wallet', async () => {
  const { store, now, types, saysSame, keyOf } = await inDoubt()
  await store.accounts.attach({ userId: 6, chatId: 6, accountId: 'a', role: 'owner' }, now)
  const before = await keyOf()
  expect(await types(6)).toMatchObject({ kind: 'other_account', isCertain: false, mayBeSame: false })
  await saysSame(6)
  expect(await keyOf()).toBe(before)
})

test('an owner cannot say that a key belongs to the same wallet if other people have connected an account with it', async () => {
  const { store, keyring, now, types, saysSame, keyOf } = await inDoubt()
  await connectAccount(store, keyring, 'b', '', 'another-key')
  await store.accounts.attach({ userId: 7, chatId: 7, accountId: 'b', role: 'owner' }, now)
  const before = await keyOf()
  expect(await types(5)).toMatchObject({ kind: 'other_account', mayBeSame: false })
  await saysSame(5)
  expect(await keyOf()).toBe(before)
  expect((await store.accounts.member(7))?.accountId).toBe('b')
})
