import type { Client } from '../../database/database.ts'
import { accountStore, type MemberOfAccount } from '../accounts/accounts.ts'
import { maintenanceFact, networksFact } from '../operators/facts.ts'
import { chatStore, type PendingCredential } from './chats.ts'

/** The stored data about an update's chat and sender that its handling needs. */
export interface ChatSnapshot {
  chatId: number
  /** Null if the update names no sender. */
  userId: number | null
  /** Null if there is no stored session. */
  session: string | null
  /** Telegram refuses messages to the chat. */
  isMuted: boolean
  /** An operator blocked the chat or the sender. */
  isBlocked: boolean
  /** The command menu that Telegram shows in the chat; null for the default one. */
  menu: string | null
  /** Credentials that the sender typed in their private chat and that are not complete or not verified yet. */
  pending: PendingCredential | null
  member: MemberOfAccount | null
  /** The stored facts with the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
  /**
   * The `cause` of a purchase that this message makes. It is the same each time the message is handled. Null if the
   * update is not a message.
   */
  cause: string | null
  /** The purchase that this update made when it was handled before; null if there is none. */
  purchaseId: string | null
}

export interface UpdateSource {
  chatId: number
  /** Null if the update names no sender. */
  userId: number | null
  /** The `cause` of a purchase that this message would make. */
  cause?: string | null
}

/** Reads a whole `ChatSnapshot` at one moment, in as few queries as possible. */
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

/** The value of a condition: SQLite returns a number instead of a boolean. */
type Condition = boolean | number

interface SnapshotRow extends Pick<ChatSnapshot, 'session' | 'menu' | 'purchaseId'> {
  isMuted: Condition
  isBlocked: Condition
  hasPending: Condition
  maintenance: string | null
  networksDown: string | null
}

/** Plain SQL, because the tables have no relations, so Prisma would need a query for each. */
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
