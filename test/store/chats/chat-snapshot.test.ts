import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { sessionStorage } from '../../../src/store/chats/chats.ts'
import { maintenanceFact, networksFact } from '../../../src/store/operators/facts.ts'
import { createStore } from '../../../src/store/store.ts'
import { newDatabaseUrl, newStore } from '../../support/database.ts'

const at = new Date('2026-11-24T10:00:00.123Z')
const [owner, agent, stranger, group] = [7_000_000_001, 7_000_000_002, 7_000_000_003, -1_000_000_000_005]
const account = {
  id: 'wallet',
  keyHash: 'hash',
  sealedKey: 'key',
  sealedSecret: 'secret',
  accountType: 'agent',
}

const nothing = {
  chatId: stranger,
  userId: stranger,
  session: null,
  menu: null,
  pending: null,
  member: null,
  isMuted: false,
  isBlocked: false,
  switches: new Map(),
  cause: null,
  purchaseId: null,
}

test('a chat’s snapshot shows the member and the account exactly as separate queries do', async () => {
  const { accounts, chatSnapshots } = await newStore()
  await accounts.insert({ ...account, now: at })
  await accounts.attach({ userId: owner, chatId: owner, accountId: 'wallet', role: 'owner', name: 'Ama' }, at)
  const guest = {
    userId: agent,
    chatId: agent,
    accountId: 'wallet',
    role: 'agent',
    invitedBy: owner,
  } as const
  await accounts.attach(guest, at)
  for (const userId of [owner, agent]) {
    const { member } = await chatSnapshots.of({ chatId: userId, userId: userId })
    expect(member).toMatchObject({ userId, account: { id: 'wallet' } })
    expect(await accounts.memberWithAccount(userId)).toMatchObject(member ?? {})
  }
  await accounts.patchAgent(agent, {
    dailyLimitPesewas: pesewas(1_234),
    networks: ['MTN'],
    pausedAt: at,
    resumedAt: at,
    notifyLevel: 'each',
  })
  await accounts.rememberBalance(
    'wallet',
    { accountType: null, balancePesewas: pesewas(-5), balanceAt: at },
    null,
  )
  await accounts.suspect('wallet', at)
  await accounts.markRefused('wallet', at)
  await accounts.freeze('wallet', at)
  await accounts.sawCallback('wallet', at)
  await accounts.closeBy('wallet', at)
  const { member } = await chatSnapshots.of({ chatId: group, userId: agent })
  expect(await accounts.memberWithAccount(agent)).toMatchObject(member ?? {})
  expect(member).toMatchObject({
    userId: agent,
    role: 'agent',
    invitedBy: owner,
    dailyLimitPesewas: 1_234,
    networks: ['MTN'],
    pausedAt: at,
    notifyLevel: 'each',
    account: { id: 'wallet', balancePesewas: -5, eraseBy: at },
  })
})

test('a chat’s snapshot shows whether the chat is muted, and whether the writer is blocked', async () => {
  const { chats, menus, operations, chatSnapshots } = await newStore()
  expect(await chatSnapshots.of({ chatId: stranger, userId: stranger })).toEqual(nothing)
  expect(await chatSnapshots.of({ chatId: group, userId: null })).toEqual({
    ...nothing,
    chatId: group,
    userId: null,
  })
  const pending = { chatId: stranger, sealedKey: 'k', sealedSecret: null, expiresAt: at }
  await chats.keepPendingCredentials(pending)
  await menus.remember(stranger, 'long', at)
  await chats.mute(group, at)
  expect(await chatSnapshots.of({ chatId: stranger, userId: stranger })).toEqual({
    ...nothing,
    menu: 'long',
    pending,
  })
  expect(await chatSnapshots.of({ chatId: group, userId: stranger })).toEqual({
    ...nothing,
    chatId: group,
    isMuted: true,
    pending,
  })
  await chats.keepPendingCredentials({ ...pending, sealedSecret: 's' })
  expect(await chatSnapshots.of({ chatId: stranger, userId: stranger })).toMatchObject({
    pending: { sealedSecret: 's' },
  })
  await operations.block(stranger, at)
  expect(await chatSnapshots.of({ chatId: group, userId: stranger })).toMatchObject({
    isMuted: true,
    isBlocked: true,
  })
  expect(await chatSnapshots.of({ chatId: group, userId: owner })).toMatchObject({
    isMuted: true,
    isBlocked: false,
  })
})

test('a chat’s snapshot shows the operators’ switches, and the purchase that the message already made', async () => {
  const { accounts, facts, purchases, chatSnapshots } = await newStore()
  await facts.write(networksFact, '{"MTN":1}')
  await facts.write('prefixes', 'other')
  await accounts.insert({ ...account, now: at })
  const person = { accountId: 'wallet', userId: owner, chatId: owner }
  const cause = `message:${owner}:5`
  expect(await chatSnapshots.of({ chatId: owner, userId: owner, cause: cause })).toMatchObject({
    cause,
    purchaseId: null,
  })
  await purchases.insertDraft({ id: 'p', ...person, cause, lines: [], createdAt: at, expiresAt: at })
  expect(await chatSnapshots.of({ chatId: owner, userId: owner, cause: cause })).toMatchObject({
    cause,
    purchaseId: 'p',
    switches: new Map([[networksFact, '{"MTN":1}']]),
  })
  await facts.write(maintenanceFact, 'on')
  expect(await chatSnapshots.of({ chatId: owner, userId: owner, cause: `message:${owner}:6` })).toMatchObject(
    {
      purchaseId: null,
      switches: new Map(Object.entries({ maintenance: 'on', networks_down: '{"MTN":1}' })),
    },
  )
})

test('a chat’s snapshot contains the chat’s session, which is then not read again', async () => {
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  const { client } = database
  await sessionStorage(client, () => at).write(String(owner), { question: 'phone' })
  const { session } = await createStore(database).chatSnapshots.of({ chatId: owner, userId: owner })
  expect(session).toBe('{"question":"phone"}')
  await sessionStorage(client, () => at).delete(String(owner))
  const memory = sessionStorage(
    client,
    () => at,
    (key) => (key === String(owner) ? session : undefined),
  )
  expect(await memory.read(String(owner))).toEqual({ question: 'phone' })
  expect(await memory.read(String(agent))).toEqual({})
})
