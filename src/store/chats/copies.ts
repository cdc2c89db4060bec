import {
  copyMarkNames,
  formatRestored,
  type Restored,
  readCopyMark,
  readRestored,
} from '../../database/copies/copy-mark.ts'
import type { Client } from '../../database/database.ts'
import type { PurchaseState } from '../../domain/order/order.ts'
import type { Placement } from '../../domain/order/placement.ts'
import type { PurchaseRemark } from '../../domain/order/reason.ts'
import { overSince } from '../../domain/times/ahead.ts'

/** A draft that was ended, and the chat that has to be told. */
interface EndedDraft {
  id: string
  chatId: number
}

/** An account whose wallet is searched for orders that are missing from a restored copy of the database. */
export interface Audited {
  id: string
  since: Date
}

/** Queries about a copy of the database, and the changes when a bot starts on one. */
export const copyStore = (client: Client) => ({
  /**
   * If the database is a copy on which no bot has started yet, the time when it was made; otherwise null.
   * @throws {UnreadableStamp}
   */
  stamp: async (): Promise<Date | null> => {
    const row = await client.fact.findUnique({ where: { name: copyMarkNames.backupOf } })
    return row && readCopyMark(row.value)
  },

  /** Whether `npm run db:move` has moved the rows to another database. */
  isMoved: async (): Promise<boolean> =>
    (await client.fact.count({ where: { name: copyMarkNames.movedTo } })) > 0,

  /** The last start of a bot on a copy; null if this database never was a copy. */
  restored: async (): Promise<Restored | null> => {
    const row = await client.fact.findUnique({ where: { name: copyMarkNames.restored } })
    return row && readRestored(row.value)
  },

  /** Removes the mark of a copy, so that this becomes the bot's own database. @returns false if there was no mark. */
  unstamp: async (restored: Restored): Promise<boolean> => {
    const [name, value] = [copyMarkNames.restored, formatRestored(restored)]
    const { count } = await client.fact.deleteMany({ where: { name: copyMarkNames.backupOf } })
    await client.fact.upsert({ where: { name }, create: { name, value }, update: { value } })
    return count === 1
  },

  /** Ends all drafts. @returns the drafts that were ended. */
  expireDrafts: async (): Promise<EndedDraft[]> => {
    const state = 'draft' satisfies PurchaseState
    const rows = await client.purchase.findMany({ where: { state }, select: { id: true, chatId: true } })
    const ended = { state: 'expired' satisfies PurchaseState, remark: 'restored' satisfies PurchaseRemark }
    await client.purchase.updateMany({ where: { state }, data: ended })
    return rows.map(({ id, chatId }) => ({ id, chatId: Number(chatId) }))
  },

  unsent: async (): Promise<string[]> => {
    const placement = { in: ['queued', 'sending'] satisfies Placement[] }
    const rows = await client.order.findMany({ where: { placement }, select: { id: true } })
    return rows.map(({ id }) => id)
  },

  /** Deletes leases, and ends one-time links, which may have been used since. */
  dropLeasesAndInvitations: async (now: Date): Promise<void> => {
    await client.lease.deleteMany()
    await client.invitation.updateMany({ where: { usedAt: null }, data: { usedAt: now } })
  },

  /**
   * Starts an audit of each account, from `since` on. An audit that already covers an earlier time stays as it is.
   * @returns how many it started.
   */
  auditSince: async (since: Date): Promise<number> => {
    const { count } = await client.account.updateMany({
      where: { sealedSecret: { not: '' }, OR: [{ auditSince: null }, { auditSince: { gt: since } }] },
      data: { auditSince: since },
    })
    return count
  },

  /** Accounts that are audited and whose wallet can be read. */
  audited: async (now: Date): Promise<Audited[]> => {
    const rows = await client.account.findMany({
      where: {
        auditSince: { not: null },
        sealedSecret: { not: '' },
        unauthorizedSince: null,
        OR: [{ frozenUntil: null }, ...overSince('frozenUntil', now).map((frozenUntil) => ({ frozenUntil }))],
      },
      select: { id: true, auditSince: true },
    })
    return rows.flatMap(({ id, auditSince }) => (auditSince ? [{ id, since: auditSince }] : []))
  },

  reported: async (accountId: string): Promise<string[]> => {
    const row = await client.fact.findUnique({ where: { name: auditedName(accountId) } })
    return row ? (JSON.parse(row.value) as string[]) : []
  },

  rememberAudited: async (accountId: string, entries: string[]): Promise<void> => {
    const [name, value] = [auditedName(accountId), JSON.stringify(entries)]
    await client.fact.upsert({ where: { name }, create: { name, value }, update: { value } })
  },

  endAudit: async (accountId: string): Promise<void> => {
    await client.account.updateMany({ where: { id: accountId }, data: { auditSince: null } })
    await client.fact.deleteMany({ where: { name: auditedName(accountId) } })
  },
})

/** The name of the fact that holds the reported entries until the audit has ended. */
export const auditedName = (accountId: string): string => `reported:${accountId}`

export type CopyStore = ReturnType<typeof copyStore>
