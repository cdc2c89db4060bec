import { expect, test } from 'vitest'
import type { Wallets } from '../../src/accounts/wallets.ts'
import { createLog } from '../../src/log.ts'
import { createAuditor } from '../../src/orders/audit.ts'
import { newStore } from '../support/database.ts'
import { addAccount } from './placed-orders.ts'

test('after a restore a wallet that cannot be settled holds up no other, and is left alone for a while', async () => {
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
    now: () => now,
    log: createLog('silent', []),
    onNotice: () => {},
  })
  await auditor.round()
  await auditor.round()
  expect(checked.toSorted()).toEqual(ids.toSorted())
})
