import type { Taker } from '../database/locks.ts'
import { taking } from '../database/postgres-locks.ts'
import { takenIn, takingBeside, takingTurn } from '../database/postgres-rates.ts'
import type { TurnBeside } from '../database/rates.ts'
import type { Select, SelectLightly, Stored } from '../database/selection.ts'
import { bound, empty, type Sql, sql } from '../database/sql.ts'
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

/** Who writes in which chat. */
export interface Visitor {
  chatId: number
  /** Null: nobody is named. */
  userId: number | null
  /** What a purchase of this message would have as its cause. */
  cause?: string | null
}

/**
 * One statement in place of one for each of these. It goes past the client, which takes longer than the database.
 * @param light runs statements that claim; null: the database has one process.
 */
export const visitStore = (select: Select, light: SelectLightly | null = null) => ({
  /** @param turn the turn of the answer, which is taken by the same statement if the processes share turns. */
  of: async (visitor: Visitor, turn: TurnBeside | null = null): Promise<Visit> => {
    if (!light || !turn) return visitIn(visitor, (await select(visitSql, valuesOf(visitor)))[0] ?? [])
    const read = bound(visitSql, valuesOf(visitor))
    const [row = []] = await light(takingBeside(turn.first, turn.second, read))
    return visitIn(visitor, afterTurn(row, turn))
  },

  /**
   * Takes a lock by its name in the same statement. If another process held it when the statement began, that one may
   * have changed something since, so the visit is not read.
   */
  claim: async (
    visitor: Visitor,
    lock: string,
    taker: Taker,
    turn: TurnBeside | null = null,
  ): Promise<{ holder: string; read?: Visit }> => {
    if (!light) throw new Error('The processes on this database share no locks.')
    const [row = []] = await light(claiming(visitor, lock, taker, turn))
    const [holder, isRead, ...visit] = turn ? afterTurn(row, turn) : row
    return { holder: String(holder ?? ''), ...(isRead === 1 && { read: visitIn(visitor, visit) }) }
  },
})

const afterTurn = (row: readonly Stored[], { onTaken }: TurnBeside): Stored[] => {
  const { rest, ...taken } = takenIn(row)
  onTaken(taken)
  return rest
}

const claiming = (visitor: Visitor, lock: string, taker: Taker, turn: TurnBeside | null): Sql => sql`
  WITH ${turn ? sql`${takingTurn(turn.first, turn.second)},` : empty}
  ${taking(taker, sql`SELECT CAST(${lock} AS TEXT) AS "name"`)},
  visited AS (${bound(visitSql, valuesOf(visitor))})
  SELECT ${turn ? sql`turn.*,` : empty} COALESCE(taken."token", before."token"),
    taken."token" = COALESCE(before."token", taken."token"), visited.*
  FROM visited ${turn ? sql`CROSS JOIN turn` : empty}
  LEFT JOIN taken ON TRUE LEFT JOIN "Lease" AS before ON before."name" = ${lock}`

const valuesOf = ({ chatId, userId, cause = null }: Visitor) => [
  cause,
  String(chatId),
  chatId,
  userId,
  userId,
  userId,
]

const visitIn = ({ chatId, userId, cause = null }: Visitor, row: readonly Stored[]): Visit => {
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
}

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
