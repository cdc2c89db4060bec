import { expect, test } from 'vitest'
import { createMembership } from '../../src/accounts/membership.ts'
import type { ConnectionOutcome } from '../../src/journal/notice.ts'
import { ProviderError } from '../../src/provider/index.ts'
import { ratesAlone } from '../../src/relay/buckets.ts'
import { createKeyring } from '../../src/wallets/keyring.ts'
import type { Wallets } from '../../src/wallets/wallets.ts'
import { addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'
import { connectAccount } from '../support/sealed-account.ts'

/** An account with an owner, and a provider that knows no key and counts who asks. */
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
  const limits = ratesAlone(() => clock.ms)
  const told = { newId: () => 'new', onNotice: () => {} }
  const membership = createMembership({ store, keyring, wallets, now, limits, ...told })
  return {
    store,
    clock,
    probes: () => probes,
    /** @returns the outcome. */
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

test('wrong secrets that strangers type for a known key leave its owner the budget, and are told', async () => {
  const { store, clock, probes, guess, guessesTold } = await oracle()
  const outcomes: unknown[] = []
  for (let chatId = 100; chatId < 120; chatId += 1) {
    for (let tries = 0; tries < 3; tries += 1) outcomes.push(await guess(chatId, 'the-key'))
  }
  expect(probes()).toBe(5)
  expect(await store.requests.countSince('a', new Date(0))).toBe(5)
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

test('one chat tries ten keys at once, and then one a minute', async () => {
  const { clock, probes, guess } = await oracle()
  for (let tries = 0; tries < 30; tries += 1) await guess(100, `key-${tries}`)
  expect(probes()).toBe(10)
  clock.ms += 5 * 60_000
  for (let tries = 0; tries < 30; tries += 1) await guess(100, `other-${tries}`)
  expect(probes()).toBe(15)
  expect(await guess(101, 'one-more')).toEqual({ kind: 'refused' })
})

test('keys that nobody here has reach the provider two a second, however many chats try them', async () => {
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
      limits: ratesAlone(() => now.getTime()),
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
