import { expect, test } from 'vitest'
import { createConnections, type Provider, ProviderError } from '../../src/provider/index.ts'
import { pesewas } from '../../src/provider/money.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { nextVerification } from '../../src/wallets/refused-credentials.ts'
import { createWallets, type Wallets } from '../../src/wallets/wallets.ts'
import { newStore } from '../support/database.ts'
import { connectAccount } from '../support/sealed-account.ts'

const start = new Date('2026-11-21T10:32:00Z')
const accountId = 'a'
const ownerId = 1
const meta = { httpStatus: 200, serverDate: null, sentAt: start, receivedAt: start }
const refusal = () => new ProviderError('unauthorized', 'Refused.', { httpStatus: 401 })
const noAnswer = () => new ProviderError('server_error', 'No answer.', { httpStatus: 500 })

/** An account whose provider first fails as the test says, then answers normally. */
const setUp = async () => {
  const store = await newStore()
  const keyring = createKeyring([Buffer.alloc(32, 1)])
  await connectAccount(store, keyring, accountId)
  for (const [userId, role] of [
    [ownerId, 'owner'],
    [2, 'agent'],
  ] as const)
    await store.accounts.attach({ userId, chatId: userId, accountId, role }, start)
  let nowMs = start.getTime()
  const troubles: { balance: ProviderError[]; bundles: ProviderError[] } = { balance: [], bundles: [] }
  const asked: [what: keyof typeof troubles, atMs: number][] = []
  const answered = async <T>(what: keyof typeof troubles, answer: T): Promise<T> => {
    asked.push([what, nowMs - start.getTime()])
    const trouble = troubles[what].shift()
    if (trouble) throw trouble
    return answer
  }
  const balance = {
    balancePesewas: pesewas(500),
    currency: 'GHS',
    accountType: 'agent',
    timestamp: null,
    meta,
  }
  const provider: Partial<Provider> = {
    balance: () => answered('balance', balance),
    bundles: () => answered('bundles', { accountType: 'agent', bundles: [], unreadable: 0, meta }),
  }
  const wallets = createWallets({
    store,
    keyring,
    connections: createConnections(),
    baseUrl: 'http://provider.invalid',
    now: () => new Date(nowMs),
    clientOf: () => provider as Provider,
  })
  return {
    store,
    wallets,
    troubles,
    asked,
    pass: (ms: number) => {
      nowMs += ms
    },
    told: async (chatId = ownerId) => (await store.notices.ofChat(chatId)).map(({ content }) => content.kind),
    account: () => store.accounts.byId(accountId),
  }
}

const listBundles = (wallets: Wallets) => wallets.ask(accountId, 'person', (provider) => provider.bundles())

test('a single 401 from the provider is checked with one balance read, and the request is repeated', async () => {
  const { wallets, troubles, asked, told, account } = await setUp()
  troubles.bundles.push(refusal())
  await expect(listBundles(wallets)).resolves.toMatchObject({ bundles: [] })
  expect(asked.map(([what]) => what)).toEqual(['bundles', 'balance', 'bundles'])
  expect(await told()).toEqual([])
  expect(await account()).toMatchObject({ unauthorizedSince: null, refusalToldAt: null, verifyAt: null })
})

test('a 401 that the balance read confirms is reported to the owners once', async () => {
  const { wallets, troubles, asked, told } = await setUp()
  troubles.bundles.push(refusal(), refusal())
  troubles.balance.push(refusal())
  for (let times = 0; times < 2; times += 1)
    await expect(listBundles(wallets)).rejects.toMatchObject({ code: 'unauthorized' })
  expect(asked.map(([what]) => what)).toEqual(['bundles', 'balance', 'bundles'])
  expect(await told()).toEqual(['reconnect'])
  expect(await told(2)).toEqual([])
})

test('refused credentials are tried again after 30 s, then less and less often, up to once an hour', async () => {
  const { wallets, troubles, asked, pass } = await setUp()
  troubles.bundles.push(refusal())
  troubles.balance.push(...Array.from({ length: 40 }, refusal))
  await listBundles(wallets).catch(() => {})
  const firstDayMs = 24 * 60 * 60_000
  for (let seconds = 0; seconds < firstDayMs / 1_000; seconds += 10) {
    pass(10_000)
    await wallets.verifyDue()
  }
  const reads = asked.filter(([what]) => what === 'balance').map(([, atMs]) => atMs / 60_000)
  expect(reads.slice(0, 9)).toEqual([0, 0.5, 1, 2, 4, 8, 16, 32, 64])
  const gaps = reads.slice(9).map((at, index) => at - (reads[index + 8] ?? 0))
  expect(new Set(gaps)).toEqual(new Set([60]))
})

test('credentials that the provider accepts again end the alert without connecting again', async () => {
  const { wallets, troubles, told, account, pass } = await setUp()
  troubles.bundles.push(refusal())
  troubles.balance.push(refusal())
  await listBundles(wallets).catch(() => {})
  pass(29_000)
  await wallets.verifyDue()
  expect(await told()).toEqual(['reconnect'])
  pass(1_000)
  await wallets.verifyDue()
  expect(await told()).toEqual(['reconnect', 'accepted_again'])
  expect(await account()).toMatchObject({ unauthorizedSince: null, balancePesewas: 500 })
})

test('a 401 that cannot be checked immediately causes no alert, and is checked later', async () => {
  const { wallets, troubles, told, account, pass } = await setUp()
  troubles.bundles.push(refusal())
  troubles.balance.push(noAnswer())
  await expect(listBundles(wallets)).rejects.toMatchObject({ code: 'bad_answer' })
  expect(await told()).toEqual([])
  expect((await account())?.unauthorizedSince).not.toBeNull()
  pass(30_000)
  await wallets.verifyDue()
  expect((await account())?.unauthorizedSince).toBeNull()
  expect(await told()).toEqual([])
})

test('the answer to a request from before the refusal does not end the alert about refused credentials', async () => {
  const { store, wallets, troubles, told, account, pass } = await setUp()
  const slow = Promise.withResolvers<string>()
  const early = wallets.ask(accountId, 'person', () => slow.promise)
  await expect.poll(() => store.requests.countsSince(accountId, [new Date(0)])).toEqual([1])
  pass(1_000)
  troubles.bundles.push(refusal())
  troubles.balance.push(refusal())
  await listBundles(wallets).catch(() => {})
  slow.resolve('an answer')
  await early
  expect((await account())?.refusalToldAt).not.toBeNull()
  expect(await told()).toEqual(['reconnect'])
})

test('credentials are accepted again although the clock was set back by days since they were refused', async () => {
  const { wallets, troubles, told, account, pass } = await setUp()
  troubles.bundles.push(refusal())
  troubles.balance.push(refusal())
  await listBundles(wallets).catch(() => {})
  pass(-3 * 24 * 60 * 60_000)
  await wallets.verifyDue()
  expect(await told()).toEqual(['reconnect', 'accepted_again'])
  expect((await account())?.unauthorizedSince).toBeNull()
})

test('concurrent requests share one check of the credentials', async () => {
  const { wallets, troubles, asked } = await setUp()
  troubles.bundles.push(refusal(), refusal(), refusal())
  await Promise.all([listBundles(wallets), listBundles(wallets), listBundles(wallets)])
  expect(asked.filter(([what]) => what === 'balance')).toHaveLength(1)
})

test('a check of the credentials waits for room in the budget', async () => {
  const { store, wallets, troubles, account, asked } = await setUp()
  troubles.bundles.push(refusal())
  await store.accounts.freeze(accountId, new Date(0))
  await store.transaction(async (tx) => {
    for (let count = 0; count < 57; count += 1) await tx.requests.countIfRoom(accountId, start, [])
  })
  await wallets.ask(accountId, 'order', (provider) => provider.bundles()).catch(() => {})
  expect(asked.map(([what]) => what)).toEqual(['bundles'])
  expect((await account())?.verifyAt).toEqual(new Date(start.getTime() + 60_000))
})

test('the waits between checks of refused credentials double up to an hour', () => {
  const after = (ms: number) =>
    nextVerification(start, new Date(start.getTime() + ms)).getTime() - start.getTime() - ms
  expect([0, 30_000, 60_000, 600_000, 36_000_000].map(after)).toEqual([
    30_000, 30_000, 60_000, 600_000, 3_600_000,
  ])
})
