import { expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { createAuditor } from '../../../src/orders/reconciling/audit.ts'
import { type Provider, pesewas, type Transaction } from '../../../src/provider/index.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { addAccount } from '../placed-orders.ts'

test('a wallet that cannot be audited after a restore delays no other, and is not tried again for a while', async () => {
  const now = new Date('2026-11-21T10:32:00Z')
  const store = await newStore()
  const ids = Array.from({ length: 20 }, (_, index) => `a${index}`)
  for (const id of ids) await addAccount(store, id, now)
  await store.copies.auditSince(now)
  await store.copies.unstamp({ from: now, at: now })
  const page = { transactions: [], pagination: null, unreadable: 0, meta: { serverDate: null } }
  const checked: string[] = []
  const auditor = createAuditor({
    store,
    wallets: { ask: async () => page } as unknown as Wallets,
    check: async (accountId) => {
      checked.push(accountId)
      if (accountId === 'a0') throw new Error('nobody planned for this')
    },
    learnCharges: async () => false,
    now: () => now,
    log: createLog('silent', []),
    onNotice: () => {},
  })
  await auditor.round()
  await auditor.round()
  expect(checked.toSorted()).toEqual(ids.toSorted())
})

test('an unknown debit that an audit finds is reported to every owner of the account, and to no agent', async () => {
  const now = new Date('2026-11-21T10:32:00Z')
  const at = new Date(now.getTime() - 60_000)
  const store = await newStore()
  await addAccount(store, 'a', now)
  const member = { accountId: 'a', name: null, invitedBy: null }
  await store.accounts.attach({ ...member, userId: 1, chatId: 1, role: 'owner' }, now)
  await store.accounts.attach({ ...member, userId: 2, chatId: 2, role: 'owner' }, now)
  await store.accounts.attach({ ...member, userId: 3, chatId: 3, role: 'agent', invitedBy: 1 }, now)
  await store.copies.auditSince(new Date(now.getTime() - 3_600_000))
  await store.copies.unstamp({ from: new Date(now.getTime() - 3_600_000), at: now })
  const debit: Transaction = {
    id: 7,
    type: 'debit',
    amountPesewas: pesewas(2350),
    description: 'MTN 5GB',
    reference: 'BUD-API-A-7',
    balanceAfterPesewas: null,
    createdAt: at,
  }
  const page = { transactions: [debit], pagination: null, unreadable: 0, meta: { serverDate: null } }
  const auditor = createAuditor({
    store,
    wallets: { ask: async () => page } as unknown as Wallets,
    check: async () => {},
    learnCharges: async () => false,
    now: () => now,
    log: createLog('silent', []),
    onNotice: () => {},
  })
  await auditor.round()
  const toldOf = async (chatId: number) => (await store.notices.ofChat(chatId)).map(({ content }) => content)
  const told = [expect.objectContaining({ debits: [expect.objectContaining({ reference: 'BUD-API-A-7' })] })]
  expect([await toldOf(1), await toldOf(2), await toldOf(3)]).toEqual([told, told, []])
})

test('an audit dates debits by the provider’s clock, even if a proxy with another clock dates the answers', async () => {
  const now = new Date('2026-11-21T10:32:00Z')
  const hour = 3_600_000
  const before = (ms: number) => new Date(now.getTime() - ms)
  const store = await newStore()
  await addAccount(store, 'a', now)
  const member = { accountId: 'a', name: null, invitedBy: null }
  await store.accounts.attach({ ...member, userId: 1, chatId: 1, role: 'owner' }, now)
  await store.copies.auditSince(before(hour))
  await store.copies.unstamp({ from: before(hour), at: now })
  // The provider's clock is two hours behind. The proxy's clock is right.
  const debit = (number: number, createdAt: Date): Transaction => ({
    id: number,
    type: 'debit',
    amountPesewas: pesewas(2350),
    description: 'MTN 5GB',
    reference: `BUD-API-A-${number}`,
    balanceAfterPesewas: null,
    createdAt,
  })
  const transactions = [debit(1, before(2.5 * hour)), debit(2, before(4 * hour))]
  const meta = { httpStatus: 200, sentAt: now, receivedAt: now, serverDate: now }
  const provider = {
    balance: async () => ({ timestamp: before(2 * hour), meta }),
    transactions: async () => ({ transactions, pagination: null, unreadable: 0, meta }),
  } as unknown as Provider
  const auditor = createAuditor({
    store,
    wallets: { ask: (_account, _purpose, question) => question(provider) } as Wallets,
    check: async () => {},
    learnCharges: async () => false,
    now: () => now,
    log: createLog('silent', []),
    onNotice: () => {},
  })
  await auditor.round()
  const told = (await store.notices.ofChat(1)).flatMap(({ content }) =>
    content.kind === 'audit' ? content.debits.map(({ reference }) => reference) : [],
  )
  expect(told).toEqual(['BUD-API-A-1'])
})
