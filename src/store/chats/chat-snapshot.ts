import type { Client } from '../../database/database.ts'
import { accountStore, type MemberOfAccount } from '../accounts/accounts.ts'
import { maintenanceFact, networksFact } from '../operators/facts.ts'
import { chatStore, type PendingCredential } from './chats.ts'

/** What handling an update needs to know about its chat and its sender. */
export interface ChatSnapshot {
  chatId: number
  /** The sender; null: the update names none. */
  userId: number | null
  /** The chat's stored session; null: there is none. */
  session: string | null
  /** Telegram refuses messages to the chat. */
  isMuted: boolean
  /** An operator blocked the chat or the sender. */
  isBlocked: boolean
  /** The menu of commands that the chat has; null: the one for everybody. */
  menu: string | null
  /** Credentials that the sender typed in their private chat, waiting for the rest. */
  pending: PendingCredential | null
  member: MemberOfAccount | null
  /** The stored facts with the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
  /** The cause of a purchase that this message makes; null: the update is no message. */
  cause: string | null
  /** The purchase that this update made, if it was handled before; otherwise null. */
  purchaseId: string | null
}

/** The chat and sender of an update. */
export interface UpdateSource {
  chatId: number
  /** Null: the update names no sender. */
  userId: number | null
  /** The cause of a purchase that this message makes. */
  cause?: string | null
}

/** Reads all of a `ChatSnapshot` together. */
export const chatSnapshotStore = (client: Client) => ({
  of: async ({ chatId, userId, cause = null }: UpdateSource): Promise<ChatSnapshot> => {
    const [read, member] = await Promise.all([
      readTogether(client, { chatId, userId, cause }),
      userId === null ? null : accountStore(client).memberWithAccount(userId),
    ])
    if (!read) throw new Error('A query without a table answered no row.')
    const { maintenance, networksDown, hasPending, ...row } = read
    const switches = new Map([
      ...(maintenance === null ? [] : [[maintenanceFact, maintenance] as const]),
      ...(networksDown === null ? [] : [[networksFact, networksDown] as const]),
    ])
    return {
      ...row,
      chatId,
      userId,
      member,
      switches,
      cause,
      isMuted: Boolean(row.isMuted),
      isBlocked: Boolean(row.isBlocked),
      pending: hasPending && userId !== null ? await chatStore(client).pendingCredentials(userId) : null,
    }
  },
})

export type ChatSnapshotStore = ReturnType<typeof chatSnapshotStore>

/** SQLite's answer to a condition is a number. */
type Condition = boolean | number

interface SnapshotRow extends Pick<ChatSnapshot, 'session' | 'menu' | 'purchaseId'> {
  isMuted: Condition
  isBlocked: Condition
  hasPending: Condition
  maintenance: string | null
  networksDown: string | null
}

/** Plain SQL: the tables are not related, so Prisma would need a query for each. */
const readTogether = async (
  client: Client,
  { chatId, userId, cause }: Required<UpdateSource>,
): Promise<SnapshotRow | undefined> => {
  const [chat, user] = [BigInt(chatId), userId === null ? null : BigInt(userId)]
  const [row] = await client.$queryRaw<SnapshotRow[]>`
    SELECT
      (SELECT "value" FROM "Session" WHERE "key" = ${String(chatId)}) AS "session",
      (SELECT "menu" FROM "Chat" WHERE "id" = ${chat}) AS "menu",
      EXISTS (SELECT 1 FROM "Chat" WHERE "id" = ${chat} AND "mutedAt" IS NOT NULL) AS "isMuted",
      EXISTS (SELECT 1 FROM "Chat" WHERE "id" IN (${chat}, ${user}) AND "blockedAt" IS NOT NULL) AS "isBlocked",
      -- The id of a private chat is its user's.
      EXISTS (SELECT 1 FROM "PendingCredential" WHERE "chatId" = ${user}) AS "hasPending",
      (SELECT "value" FROM "Fact" WHERE "name" = ${maintenanceFact}) AS "maintenance",
      (SELECT "value" FROM "Fact" WHERE "name" = ${networksFact}) AS "networksDown",
      (SELECT "id" FROM "Purchase" WHERE "cause" = ${cause}) AS "purchaseId"`
  return row
}
