import type { Select } from '../database/selection.ts'
import { accountIn, type MemberOfAccount, memberOf } from './accounts.ts'
import type { HalfCredential } from './chats.ts'
import { accountColumns, halfCredentialColumns, memberColumns } from './columns.ts'
import { switchColumns, switchesIn } from './switch-facts.ts'

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
  held: HalfCredential | null
  member: MemberOfAccount | null
  /** The facts that hold the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
  /** The cause that a purchase of this message would have; null: it is none of a message. */
  cause: string | null
  /** The purchase with that cause, if the message came before. */
  purchaseId: string | null
}

/** One statement in place of one for each of these. It goes past the client, which takes longer than the database. */
export const visitStore = (select: Select) => ({
  /**
   * @param userId whoever writes in the chat; null: nobody is named.
   * @param cause what a purchase of this message would have as its cause.
   */
  of: async (chatId: number, userId: number | null, cause: string | null = null): Promise<Visit> => {
    const [row = []] = await select(visitSql, [cause, String(chatId), chatId, userId, userId, userId])
    const cells = row.values()
    const held = halfCredentialColumns.read(cells)
    const member = memberColumns.read(cells)
    const account = accountColumns.read(cells)
    const switches = switchesIn(cells)
    const [session, menu, mutedAt, blockedAt, writerBlockedAt, purchaseId] = [...cells].map(
      (cell) => cell?.toString() ?? null,
    )
    return {
      ...{ chatId, userId, session: session ?? null, menu: menu ?? null },
      ...{ switches, cause, purchaseId: purchaseId ?? null },
      isMuted: !!mutedAt,
      isBlocked: !!(blockedAt || writerBlockedAt),
      held: held && { ...held, chatId: Number(held.chatId) },
      member: member && account && { ...memberOf(member), account: accountIn(account) },
    }
  },
})

/** The queries of `visitStore`. */
export type VisitStore = ReturnType<typeof visitStore>

/** The id of a private chat is its user's. */
const visitSql = `
  SELECT ${halfCredentialColumns.of('held')}, ${memberColumns.of('member')}, ${accountColumns.of('account')},
    ${switchColumns},
    "Session"."value", chat."menu", chat."mutedAt", chat."blockedAt", writer."blockedAt",
    (SELECT "id" FROM "Purchase" WHERE "cause" = ?)
  FROM (SELECT 1) visit
  LEFT JOIN "Session" ON "Session"."key" = ?
  LEFT JOIN "Chat" chat ON chat."id" = ?
  LEFT JOIN "Chat" writer ON writer."id" = ?
  LEFT JOIN "HalfCredential" held ON held."chatId" = ?
  LEFT JOIN "Member" member ON member."userId" = ?
  LEFT JOIN "Account" account ON account."id" = member."accountId"`
