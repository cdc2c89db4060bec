import { expect, test } from 'vitest'
import { createAgency } from '../../src/accounts/agency.ts'
import { createSecurityJournal } from '../../src/accounts/security-trail.ts'
import { pauseUnusedAgents } from '../../src/accounts/unused-agents.ts'
import { createLog } from '../../src/base/log.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { addAccount } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const dayMs = 24 * 60 * 60_000
const [owner, other, agent] = [1, 2, 3]

/** An account with two owners and one agent, who all joined now. */
const shop = async () => {
  const store = await newStore()
  const clock = { ms: Date.parse('2026-11-21T10:32:00Z') }
  const now = () => new Date(clock.ms)
  const keyring = createKeyring([Buffer.alloc(32, 7)])
  const security = createSecurityJournal({ store, keyring, now, log: createLog('silent', []) })
  const agency = createAgency({ store, keyring, now, onNotice: () => {} })
  await addAccount(store, 'a', now())
  for (const userId of [owner, other, agent]) {
    const role = userId === agent ? 'agent' : 'owner'
    await store.accounts.attach({ userId, chatId: userId, accountId: 'a', role }, now())
  }
  const drafts = async () => {
    const draft = { accountId: 'a', userId: agent, chatId: agent, lines: [], createdAt: now() }
    const expiresAt = new Date(clock.ms + 1)
    await store.purchases.insertDraft({ id: `p${clock.ms}`, cause: `c${clock.ms}`, ...draft, expiresAt })
  }
  return {
    store,
    security,
    now,
    later: (days: number) => {
      clock.ms += days * dayMs
    },
    pause: () => pauseUnusedAgents(store, security, now),
    isPaused: async () => (await store.accounts.member(agent))?.pausedAt !== null,
    owed: async (chatId: number) =>
      (await store.notices.ofChat(chatId)).flatMap(({ content }) =>
        content.kind === 'agency' ? [content.news] : [],
      ),
    drafts,
    resume: () =>
      agency.changeAgent({ userId: owner, chatId: owner, accountId: 'a' }, agent, { pausedAt: null }),
  }
}

test('an agent without orders for 90 days is paused once, with a notice to each owner and a security event', async () => {
  const { store, security, later, pause, isPaused, owed } = await shop()
  later(90)
  expect([await pause(), await isPaused()]).toEqual([0, false])
  later(1)
  expect([await pause(), await isPaused()]).toEqual([1, true])
  for (const each of [owner, other]) expect(await owed(each)).toEqual([{ what: 'unused', agentId: agent }])
  expect((await store.accounts.member(owner))?.pausedAt).toBeNull()
  expect(await security.page('a', 0, 10)).toMatchObject([{ kind: 'agent_paused', detail: 'not used' }])
  later(91)
  expect(await pause()).toBe(0)
  expect(await owed(owner)).toHaveLength(1)
})

test('an agent who orders every other month is never paused', async () => {
  const { later, pause, isPaused, drafts } = await shop()
  for (let months = 0; months < 6; months += 1) {
    later(60)
    await drafts()
    expect([await pause(), await isPaused()]).toEqual([0, false])
  }
})

test('an agent whom an owner resumes is paused only after another 90 days without orders', async () => {
  const { later, pause, isPaused, resume } = await shop()
  later(91)
  await pause()
  await resume()
  expect([await pause(), await isPaused()]).toEqual([0, false])
  later(91)
  expect([await pause(), await isPaused()]).toEqual([1, true])
})

test('an agent whom an owner resumes while unused agents are being searched for is not paused again', async () => {
  const { store, security, later, pause, isPaused, resume, now } = await shop()
  later(91)
  await pause()
  const found = await store.accounts.members('a')
  await resume()
  const unusedAgents = async () => found.filter(({ role }) => role === 'agent')
  const racing = { ...store, accounts: { ...store.accounts, unusedAgents } }
  expect(await pauseUnusedAgents(racing, security, now)).toBe(0)
  expect(await isPaused()).toBe(false)
})
