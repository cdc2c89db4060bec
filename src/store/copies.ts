import type { PurchaseRemark, PurchaseState } from '../orders/order.ts'
import type { Placement } from '../orders/placement.ts'
import type { Client } from './database.ts'
import {
  formatRestored,
  type Move,
  moveNames,
  moveOf,
  type Restored,
  readRestored,
  readStamp,
  stampNames,
} from './stamp.ts'

/** A draft as far as its chat has to be told that it has ended. */
interface EndedDraft {
  id: string
  chatId: number
}

/** An account whose wallet is read for what a restored copy does not know. */
export interface Audited {
  id: string
  since: Date
}

/** What is asked of a database that is a copy, and written when a bot takes it up. */
export const copyStore = (client: Client) => ({
  /** Of what time the database is a copy on which no bot has started; null where it is none. @throws {UnreadableStamp} */
  stamp: async (): Promise<Date | null> => {
    const row = await client.fact.findUnique({ where: { name: stampNames.backupOf } })
    return row && readStamp(row.value)
  },

  /** What `npm run db:move` has made of it. */
  move: async (): Promise<Move> => {
    const rows = await client.fact.findMany({ where: { name: { in: moveNames } }, select: { name: true } })
    return moveOf(rows.map(({ name }) => name))
  },

  /** A move that began is none any more: what was copied is not what will stand here. */
  forgetMove: async (): Promise<void> => {
    await client.fact.deleteMany({ where: { name: stampNames.movingTo } })
  },

  /** The last copy that was taken up here. */
  restored: async (): Promise<Restored | null> => {
    const row = await client.fact.findUnique({ where: { name: stampNames.restored } })
    return row && readRestored(row.value)
  },

  /** It is a copy no more, but the bot's database. */
  unstamp: async (restored: Restored): Promise<void> => {
    const [name, value] = [stampNames.restored, formatRestored(restored)]
    await client.fact.deleteMany({ where: { name: stampNames.backupOf } })
    await client.fact.upsert({ where: { name }, create: { name, value }, update: { value } })
  },

  /** Ends every draft, whoever made it and whatever its time. */
  expireDrafts: async (): Promise<EndedDraft[]> => {
    const state = 'draft' satisfies PurchaseState
    const rows = await client.purchase.findMany({ where: { state }, select: { id: true, chatId: true } })
    const ended = { state: 'expired' satisfies PurchaseState, remark: 'restored' satisfies PurchaseRemark }
    await client.purchase.updateMany({ where: { state }, data: ended })
    return rows.map(({ id, chatId }) => ({ id, chatId: Number(chatId) }))
  },

  /** Orders that were still to be sent, or were being sent. */
  unsent: async (): Promise<string[]> => {
    const placement = { in: ['queued', 'sending'] satisfies Placement[] }
    const rows = await client.order.findMany({ where: { placement }, select: { id: true } })
    return rows.map(({ id }) => id)
  },

  /** What somebody else held, and one-time links that may have been used since. */
  dropClaims: async (now: Date): Promise<void> => {
    await client.lease.deleteMany()
    await client.invitation.updateMany({ where: { usedAt: null }, data: { usedAt: now } })
  },

  /** The wallet of each account is to be read since then; since earlier where that was not done yet. */
  auditSince: async (since: Date): Promise<number> => {
    const { count } = await client.account.updateMany({
      where: { sealedSecret: { not: '' }, OR: [{ auditSince: null }, { auditSince: { gt: since } }] },
      data: { auditSince: since },
    })
    return count
  },

  /** Accounts whose wallet is to be read, and may be. */
  audited: async (now: Date): Promise<Audited[]> => {
    const rows = await client.account.findMany({
      where: {
        auditSince: { not: null },
        sealedSecret: { not: '' },
        unauthorizedSince: null,
        OR: [{ frozenUntil: null }, { frozenUntil: { lte: now } }],
      },
      select: { id: true, auditSince: true },
    })
    return rows.flatMap(({ id, auditSince }) => (auditSince ? [{ id, since: auditSince }] : []))
  },

  /** What of the account's wallet was reported already, by the keys of its entries. */
  reported: async (accountId: string): Promise<string[]> => {
    const row = await client.fact.findUnique({ where: { name: reportedName(accountId) } })
    return row ? (JSON.parse(row.value) as string[]) : []
  },

  rememberReported: async (accountId: string, entries: string[]): Promise<void> => {
    const [name, value] = [reportedName(accountId), JSON.stringify(entries)]
    await client.fact.upsert({ where: { name }, create: { name, value }, update: { value } })
  },

  endAudit: async (accountId: string): Promise<void> => {
    await client.account.updateMany({ where: { id: accountId }, data: { auditSince: null } })
    await client.fact.deleteMany({ where: { name: reportedName(accountId) } })
  },
})

/** The fact that holds what was reported, until the audit has ended. */
export const reportedName = (accountId: string): string => `reported:${accountId}`

export type CopyStore = ReturnType<typeof copyStore>
