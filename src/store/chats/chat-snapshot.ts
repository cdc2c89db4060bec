import type { Client } from '../../database/database.ts'
import { accountStore, type MemberOfAccount } from '../accounts/accounts.ts'
import { chatStore, type PendingCredential, switchFacts } from './chats.ts'

/** What handling an update needs to know about its chat and its sender. */
export interface ChatSnapshot {
  chatId: number
  /** The sender; null: the update names none. */
  userId: number | null
  /** The bot's memory of the chat, as it is stored; null: there is none. */
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
  /** The facts that hold the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
  /** The cause that a purchase made by this message has; null: the update is no message. */
  cause: string | null
  /** The purchase with that cause, if this message was handled before. */
  purchaseId: string | null
}

/** The chat and sender of an update. */
export interface UpdateSource {
  chatId: number
  /** Null: the update names no sender. */
  userId: number | null
  /** The cause that a purchase made by this message has. */
  cause?: string | null
}

/** Reads a `ChatSnapshot` in one go. */
export const chatSnapshotStore = (client: Client) => ({
  of: async ({ chatId, userId, cause = null }: UpdateSource): Promise<ChatSnapshot> => {
    const ids = [chatId, userId].flatMap((id) => (id === null ? [] : BigInt(id)))
    const [session, chats, pending, member, switches, purchase] = await Promise.all([
      client.session.findUnique({ where: { key: String(chatId) } }),
      client.chat.findMany({ where: { id: { in: ids } } }),
      // The id of a private chat is its user's.
      userId === null ? null : client.pendingCredential.findUnique({ where: { chatId: BigInt(userId) } }),
      userId === null ? null : accountStore(client).memberWithAccount(userId),
      chatStore(client).facts(switchFacts),
      cause === null ? null : client.purchase.findUnique({ where: { cause }, select: { id: true } }),
    ])
    const chat = chats.find(({ id }) => Number(id) === chatId)
    return {
      chatId,
      userId,
      member,
      switches,
      cause,
      session: session?.value ?? null,
      menu: chat?.menu ?? null,
      isMuted: Boolean(chat?.mutedAt),
      isBlocked: chats.some(({ blockedAt }) => blockedAt !== null),
      pending: pending && { ...pending, chatId: Number(pending.chatId) },
      purchaseId: purchase?.id ?? null,
    }
  },
})

export type ChatSnapshotStore = ReturnType<typeof chatSnapshotStore>
