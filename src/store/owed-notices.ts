import type { Taker } from '../database/locks.ts'
import { taking } from '../database/postgres-locks.ts'
import type { Select, SelectLightly, Stored } from '../database/selection.ts'
import { raw, type Sql, sql } from '../database/sql.ts'
import type { Notice } from '../journal/notice.ts'
import { noticeColumns } from './columns.ts'
import { findDue, type Ground, type Look } from './duties.ts'
import { sending } from './duty-kinds.ts'
import { noticeOf, noticeStore } from './notices.ts'

/** How messages are read to be sent, outside of any transaction. */
export interface OwedNotices {
  /** The oldest messages owed to a chat, without those that quiet hours hold back at that time. */
  forTurn(chatId: number, limit: number, at: Date): Promise<Notice[]>
  /**
   * Chats as `dueChats` finds them. If there is room for all of them, they are claimed in the same statement, and their
   * messages are read with it.
   * @param taker whoever claims them; null: they are not claimed.
   */
  dueTurns(search: TurnSearch, taker: Taker | null): Promise<DueTurn[]>
}

/** Which chats a search looks for. */
export interface TurnSearch {
  now: Date
  limit: number
  /** Chats that are left out. */
  except: readonly number[]
  /** How many chats may be claimed. */
  room: number
  /** How many messages of a chat are read. */
  limitOfTurn: number
}

/** A chat that something may be sent to. */
export interface DueTurn {
  key: number
  /** The token of the chat's holder; undefined: the chat was not asked for. */
  holder?: string
  /** What `forTurn` reads; undefined: it was not read. */
  owed?: Notice[]
}

/** @param light runs statements that claim; null: the database has one process. */
export const owedNotices = (ground: Ground, select: Select, light: SelectLightly | null): OwedNotices => {
  const { dueChats } = noticeStore(ground)
  return {
    forTurn: async (chatId, limit, at) => {
      const rows = await select(turnSql, [chatId, at, limit])
      return rows.flatMap((cells) => noticeColumns.read(cells.values()) ?? []).map(noticeOf)
    },
    dueTurns: async (search, taker) =>
      light && taker
        ? claimDue(ground, light, search, taker)
        : (await dueChats(search.now, search.limit, search.except)).map((key) => ({ key })),
  }
}

const turnSql = `
  SELECT ${noticeColumns.of('"Notice"')} FROM "Notice"
  WHERE "chatId" = ? AND "setAsideAt" IS NULL AND ("quietUntil" IS NULL OR "quietUntil" <= ?)
  ORDER BY "id" LIMIT ?`

const claimDue = async (
  ground: Ground,
  light: SelectLightly,
  { now, limit, except, room, limitOfTurn }: TurnSearch,
  taker: Taker,
): Promise<DueTurn[]> => {
  const turns = new Map<string, DueTurn>()
  let left = room

  const look: Look = async (looking) => {
    const rows = await light(claiming(looking, taker, { room: left, now, limitOfTurn }))
    const found = Map.groupBy(rows.map(rowOf), ({ key }) => key)
    const due = [...found].filter(([, [first]]) => first?.work != null)
    if (due.length <= left) {
      left -= due.length
      for (const [key, own] of due) turns.set(key, turnOf(own))
    }
    return [...found.values()].flatMap(([first]) => first ?? [])
  }

  const due = await findDue(ground, sending(now), { now, limit, except: except.map(String), look })
  return due.map(({ key }) => turns.get(key) ?? { key: Number(key) })
}

/** The name of a chat's claim. */
const claimName = raw(`'sending ' || found."key"`)

/**
 * A chat that another process held when this statement began may have been sent to since: its messages are not read.
 * @param looking the query of the look.
 */
const claiming = (
  looking: Sql,
  taker: Taker,
  { room, now, limitOfTurn }: Pick<TurnSearch, 'room' | 'now' | 'limitOfTurn'>,
): Sql => sql`
  WITH found AS MATERIALIZED (${looking}),
  ready AS (SELECT ${claimName} AS "name" FROM found WHERE "work" IS NOT NULL),
  ${taking(taker, sql`SELECT "name" FROM ready WHERE (SELECT COUNT(*) FROM ready) <= ${room}`)},
  seen AS (
    SELECT found.*, COALESCE(taken."token", before."token") AS "holder",
      taken."token" = COALESCE(before."token", taken."token") AS "isRead"
    FROM found
    LEFT JOIN taken ON taken."name" = ${claimName}
    LEFT JOIN "Lease" AS before ON before."name" = ${claimName})
  SELECT seen."key", "causes", "due", "work", "next", "holder", "isRead", ${raw(noticeColumns.of('owed'))}
  FROM seen LEFT JOIN LATERAL (
    SELECT * FROM "Notice"
    WHERE "chatId" = CAST(seen."key" AS BIGINT) AND "setAsideAt" IS NULL
      AND ("quietUntil" IS NULL OR "quietUntil" <= ${now})
    ORDER BY "id" LIMIT ${limitOfTurn}
  ) AS owed ON "isRead"
  ORDER BY "due", seen."key", owed."id"`

const rowOf = (stored: readonly Stored[]) => {
  const [key, causes, due, work, next, holder, isRead, ...notice] = stored
  return {
    key: String(key),
    causes: Number(causes),
    due: String(due),
    work: work?.toString() ?? null,
    next: next?.toString() ?? null,
    holder: holder?.toString(),
    owed: isRead === 1 ? noticeColumns.read(notice.values()) : undefined,
  }
}

/** @param rows those of the chat, one for each of its messages. */
const turnOf = (rows: readonly ReturnType<typeof rowOf>[]): DueTurn => {
  const [first] = rows
  const isRead = first?.owed !== undefined
  return {
    key: Number(first?.key),
    ...(first?.holder !== undefined && { holder: first.holder }),
    ...(isRead && { owed: rows.flatMap(({ owed }) => (owed ? noticeOf(owed) : [])) }),
  }
}
