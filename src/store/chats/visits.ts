import type { Client } from '../../database/database.ts'
import { accountStore, type MemberOfAccount } from '../accounts/accounts.ts'
import { chatStore, type PendingCredential, switchFacts } from './chats.ts'

/** Everything that updates ask about their chat and whoever writes there. */
export interface Visit {
  chatId: number
  /** Whoever writes; null: nobody is named. */
  userId: number | null
  /** The bot's memory of the chat, as it is stored; null: there is none. */
  session: string | null
  /** Telegram refuses messages to the chat. */
  isMuted: boolean
  /** An operator blocked the chat, or whoever writes there. */
  isBlocked: boolean
  /** The menu of commands that the chat has; null: the one for everybody. */
  menu: string | null
  /** The credentials that the writer typed in their private chat. */
  held: PendingCredential | null
  member: MemberOfAccount | null
  /** The facts that hold the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
  /** The cause that a purchase of this message would have; null: it is none of a message. */
  cause: string | null
  /** The purchase with that cause, if the message came before. */
  purchaseId: string | null
}

/** Who writes in which chat. */
export interface Visitor {
  chatId: number
  /** Null: nobody is named. */
  userId: number | null
  /** What a purchase of this message would have as its cause. */
  cause?: string | null
}

/** What an update asks about its chat and whoever writes there, read together. */
export const visitStore = (client: Client) => ({
  of: async ({ chatId, userId, cause = null }: Visitor): Promise<Visit> => {
    const ids = [chatId, userId].flatMap((id) => (id === null ? [] : BigInt(id)))
    const [session, chats, held, member, switches, purchase] = await Promise.all([
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
      ...{ chatId, userId, member, switches, cause },
      session: session?.value ?? null,
      menu: chat?.menu ?? null,
      isMuted: Boolean(chat?.mutedAt),
      isBlocked: chats.some(({ blockedAt }) => blockedAt !== null),
      held: held && { ...held, chatId: Number(held.chatId) },
      purchaseId: purchase?.id ?? null,
    }
  },
})

/** The queries of `visitStore`. */
export type VisitStore = ReturnType<typeof visitStore>
