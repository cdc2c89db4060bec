import {
  copyMarkNames,
  formatRestored,
  readCopyMark,
  readRestored,
} from '../../../src/database/copies/copy-mark.ts'
import { isAhead } from '../../../src/domain/ahead.ts'
import { auditedName, type CopyStore } from '../../../src/store/chats/copies.ts'
import type { Tables } from './rows.ts'

export const memoryCopies = (tables: Tables): CopyStore => {
  const { accounts, facts, invitations, leases, orders, purchases } = tables
  const fact = (name: string): string | null => facts.get(name)?.value ?? null
  const setFact = (name: string, value: string): void => facts.set(name, { name, value })

  return {
    stamp: async () => {
      const value = fact(copyMarkNames.backupOf)
      return value === null ? null : readCopyMark(value)
    },

    isMoved: async () => fact(copyMarkNames.movedTo) !== null,

    restored: async () => {
      const value = fact(copyMarkNames.restored)
      return value === null ? null : readRestored(value)
    },

    unstamp: async (restored) => {
      const isMarked = fact(copyMarkNames.backupOf) !== null
      facts.delete(copyMarkNames.backupOf)
      setFact(copyMarkNames.restored, formatRestored(restored))
      return isMarked
    },

    expireDrafts: async () => {
      const drafts = purchases.where(({ state }) => state === 'draft')
      for (const row of drafts) purchases.set(row.id, { ...row, state: 'expired', remark: 'restored' })
      return drafts.map(({ id, chatId }) => ({ id, chatId }))
    },

    unsent: async () =>
      orders.where(({ placement }) => placement === 'queued' || placement === 'sending').map(({ id }) => id),

    dropLeasesAndInvitations: async (now) => {
      for (const { name } of leases.all()) leases.delete(name)
      for (const row of invitations.where(({ usedAt }) => usedAt === null)) {
        invitations.set(row.tokenHash, { ...row, usedAt: now })
      }
    },

    auditSince: async (since) =>
      accounts.update(
        (row) => row.sealedSecret !== '' && (row.auditSince === null || row.auditSince > since),
        ({ id }) => id,
        (row) => ({ ...row, auditSince: since }),
      ),

    audited: async (now) =>
      accounts
        .where(
          (row) =>
            row.sealedSecret !== '' &&
            row.unauthorizedSince === null &&
            (row.frozenUntil === null || !isAhead(row.frozenUntil, 'frozenUntil', now)),
        )
        .flatMap(({ id, auditSince }) => (auditSince ? [{ id, since: auditSince }] : [])),

    reported: async (accountId) => JSON.parse(fact(auditedName(accountId)) ?? '[]') as string[],
    rememberAudited: async (accountId, entries) => setFact(auditedName(accountId), JSON.stringify(entries)),

    endAudit: async (accountId) => {
      const row = accounts.get(accountId)
      if (row) accounts.set(accountId, { ...row, auditSince: null })
      facts.delete(auditedName(accountId))
    },
  }
}
