import { expect, test } from 'vitest'
import { createSecurityJournal, type SecurityJournal } from '../../src/accounts/security-trail.ts'
import { createLog } from '../../src/base/log.ts'
import type { Store } from '../../src/store/store.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { newStore } from '../support/database.ts'

const start = new Date('2026-11-21T10:32:00Z')
const key = Buffer.alloc(32, 7)

const newJournal = async (store?: Store) => {
  const lines: string[] = []
  const kept = store ?? (await newStore())
  let at = start
  const journal = createSecurityJournal({
    store: kept,
    keyring: createKeyring([key]),
    now: () => at,
    log: createLog('info', [], { write: (line) => void lines.push(line) }),
  })
  const pass = (ms: number) => {
    at = new Date(at.getTime() + ms)
  }
  return { store: kept, journal, lines, pass }
}

const noteSome = async (journal: SecurityJournal): Promise<void> => {
  await journal.note({ kind: 'connected', accountId: 'account-a', userId: 700_111_222, detail: 'owner' })
  await journal.note({ kind: 'agent_limit', accountId: 'account-a', userId: 700_111_222, detail: '50000' })
  await journal.note({ kind: 'exported', accountId: 'account-b', userId: 700_333_444, detail: 'orders csv' })
}

test('security events are found by account, and contain no id of a person or an account', async () => {
  const { journal, store, lines } = await newJournal()
  await noteSome(journal)
  expect((await journal.page('account-a', 0, 10)).map(({ kind }) => kind)).toEqual([
    'agent_limit',
    'connected',
  ])
  expect((await journal.page(null, 0, 10)).map(({ kind }) => kind)).toEqual([
    'exported',
    'agent_limit',
    'connected',
  ])
  expect(await journal.alteredRow()).toBeNull()
  const kept = JSON.stringify(await store.security.page(null, 0, 10))
  expect(kept).not.toMatch(/account-[ab]|700111222|700333444/)
  const [first] = await journal.page('account-a', 0, 1)
  expect(journal.isActor(first?.actor ?? '', 700_111_222)).toBe(true)
  expect(journal.isActor(first?.actor ?? '', 700_333_444)).toBe(false)
  expect(lines.filter((line) => line.includes('a security event'))).toHaveLength(3)
})

test('a security event that was changed or added in the database is detected', async () => {
  const { journal, store } = await newJournal()
  await noteSome(journal)
  const rows = await store.security.page(null, 0, 10)
  const withRows = (changed: typeof rows) =>
    createSecurityJournal({
      store: { ...store, security: { ...store.security, page: async () => changed } },
      keyring: createKeyring([key]),
      now: () => start,
      log: createLog('silent', []),
    }).alteredRow()
  const [newest, middle, oldest] = rows
  if (!newest || !middle || !oldest) throw new Error('Three were noted.')
  expect(await withRows(rows)).toBeNull()
  expect(await withRows([newest, { ...middle, detail: '5' }, oldest])).toBe(middle.id)
  const added = { ...newest, id: newest.id + 1, at: new Date(start.getTime() + 1) }
  expect(await withRows([added, ...rows])).toBe(added.id)
  expect(await withRows([newest, { ...middle, code: newest.code }, oldest])).toBe(middle.id)
})

test('security events from before a key change are checked with the old key, and cannot be forged without it', async () => {
  const { journal, store } = await newJournal()
  await noteSome(journal)
  const rotated = createSecurityJournal({
    store,
    keyring: createKeyring([Buffer.alloc(32, 8), key]),
    now: () => start,
    log: createLog('silent', []),
  })
  await rotated.note({ kind: 'left', accountId: 'account-a', userId: 700_111_222 })
  expect(await rotated.alteredRow()).toBeNull()
  expect(await rotated.page('account-a', 0, 10)).toHaveLength(3)

  const later = createSecurityJournal({
    store,
    keyring: createKeyring([Buffer.alloc(32, 8)]),
    now: () => start,
    log: createLog('silent', []),
  })
  expect(await later.alteredRow()).toBeNull()
  await store.security.append({
    at: start,
    kind: 'left',
    account: '',
    actor: '',
    detail: '',
    code: 'unknown.code',
  })
  await later.note({ kind: 'left', accountId: 'account-a', userId: 700_111_222 })
  expect(await later.alteredRow()).not.toBeNull()
})

test('a security event that anyone can cause is stored at most once a minute, and old events are deleted', async () => {
  const { journal, store, pass } = await newJournal()
  for (let times = 0; times < 50; times += 1)
    await journal.note({ kind: 'forged_press', accountId: null, userId: 700_111_222 })
  expect(await journal.page(null, 0, 100)).toHaveLength(1)
  pass(61_000)
  await journal.note({ kind: 'forged_press', accountId: null, userId: 700_111_222 })
  expect(await journal.page(null, 0, 100)).toHaveLength(2)
  await store.security.forgetBefore(new Date(start.getTime() + 30_000))
  expect(await journal.page(null, 0, 100)).toHaveLength(1)
  expect(await journal.alteredRow()).toBeNull()
})

test('a security event is stored in the transaction of its cause, or not at all', async () => {
  const { journal, store } = await newJournal()
  const event = { kind: 'connected', accountId: 'account-a', userId: 700_111_222, detail: 'owner' } as const
  const crash = store.transaction(async (tx) => {
    await journal.noteIn(tx, event)
    throw new Error('a crash before the commit')
  })
  await expect(crash).rejects.toThrow('a crash')
  expect(await journal.page(null, 0, 10)).toEqual([])
  await store.transaction((tx) => journal.noteIn(tx, event))
  await noteSome(journal)
  expect((await journal.page(null, 0, 10)).map(({ kind }) => kind)).toEqual([
    'exported',
    'agent_limit',
    'connected',
    'connected',
  ])
  expect(await journal.alteredRow()).toBeNull()
})
