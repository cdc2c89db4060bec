import type { Client } from '../../database/database.ts'
import type { Notice as NoticeRow } from '../../database/row-types.ts'
import { join, sql } from '../../database/sql.ts'
import {
  type ListNews,
  listSubject,
  type Notice,
  type NoticeContent,
  untilLetGo,
} from '../../domain/notice.ts'
import { aheadOf, overSince } from '../../domain/times/ahead.ts'
import { type DueSearch, findDue, rangesOver, unionOf } from '../orders/due.ts'

/** The columns of a notice. All properties but `kind` and `subject` become JSON. */
const columnsOf = ({ kind, subject, ...data }: NoticeContent) => ({
  kind,
  subject,
  data: JSON.stringify(data),
})

/** Notices are messages to chats. They are written in the transaction of their cause, and deleted once sent. */
export const noticeStore = (client: Client) => ({
  /**
   * Enqueues a notice. Call it in the transaction of the message's cause.
   * @param notBefore the message, and all later ones to the chat, are sent after this time.
   * @param quietUntil the message is sent after this time, but later ones need not wait for it.
   */
  enqueue: async (
    chatId: number,
    content: NoticeContent,
    now: Date,
    notBefore: Date | null = null,
    quietUntil: Date | null = null,
  ): Promise<void> => {
    const owed = { chatId: BigInt(chatId), createdAt: now, notBefore, quietUntil }
    await client.notice.create({ data: { ...owed, ...columnsOf(content) } })
  },

  /** Enqueues a notice outside any transaction. @returns the notice's id. */
  enqueueDirectly: async (chatId: number, content: NoticeContent, now: Date): Promise<number> => {
    const data = { chatId: BigInt(chatId), ...columnsOf(content), createdAt: now }
    return (await client.notice.create({ data })).id
  },

  /**
   * Chats whose oldest notice is due, longest due first. A delayed notice holds back the ones after it; a notice that
   * waits for quiet hours to end does not. Notices enqueued after their chat was muted are included until `muteAgain`
   * marks them.
   * @param except chats that are left out.
   */
  dueChats: async (now: Date, limit: number, except: readonly number[] = []): Promise<number[]> => {
    const due = await findDue(client, sending(now), limit, except.map(String))
    return due.map(({ key }) => Number(key))
  },

  /** The oldest messages to a chat, without those that quiet hours still hold back at `at`. */
  forTurn: async (chatId: number, limit: number, at: Date): Promise<Notice[]> => {
    const rows = await client.notice.findMany({
      where: {
        chatId: BigInt(chatId),
        setAsideAt: null,
        OR: [{ quietUntil: null }, ...quietOver(at)],
      },
      orderBy: { id: 'asc' },
      take: limit,
    })
    return rows.map(noticeOf)
  },

  /** The chat's notices, oldest first, without those that were set aside. */
  ofChat: async (chatId: number): Promise<Notice[]> => {
    const where = { chatId: BigInt(chatId), setAsideAt: null }
    return (await client.notice.findMany({ where, orderBy: { id: 'asc' } })).map(noticeOf)
  },

  /**
   * Deletes news of a list that is not sent yet, except that the list is held up. @returns what it was about, and
   * whether quiet hours held it back.
   */
  takeBackListNews: async (
    chatId: number,
    purchaseId: string,
  ): Promise<{ what: ListNews; isQuiet: boolean }[]> => {
    const where = { chatId: BigInt(chatId), subject: listSubject(purchaseId), setAsideAt: null }
    const unsent = (await client.notice.findMany({ where }))
      .map(noticeOf)
      .flatMap(({ id, content, quietUntil }) =>
        content.kind === 'list' && content.what !== 'held'
          ? [{ id, what: content.what, isQuiet: quietUntil !== null }]
          : [],
      )
    await client.notice.deleteMany({ where: { id: { in: unsent.map(({ id }) => id) } } })
    return unsent
  },

  /** Delayed messages to a chat about a subject, oldest first, except those that were tried before. */
  waiting: async (chatId: number, subject: string, now: Date): Promise<NoticeContent[]> => {
    const where = {
      chatId: BigInt(chatId),
      subject,
      setAsideAt: null,
      attempts: 0,
      notBefore: aheadOf('noticeNotBefore', now),
    }
    const rows = await client.notice.findMany({ where, orderBy: { id: 'asc' } })
    return rows.map((row) => noticeOf(row).content)
  },

  /** Deletes sent messages. @returns how many of them were still enqueued and not set aside. */
  done: async (ids: number[]): Promise<number> => {
    if (ids.length === 0) return 0
    const { count } = await client.notice.deleteMany({ where: { id: { in: ids }, setAsideAt: null } })
    if (count < ids.length) await client.notice.deleteMany({ where: { id: { in: ids } } })
    return count
  },

  /**
   * Delays notices that are not set aside.
   * @param failed true if a try failed, which is counted; false if Telegram asked for a wait.
   * @returns how many were still enqueued.
   */
  putOff: async (ids: number[], notBefore: Date, failed: boolean): Promise<number> => {
    const owed = { id: { in: ids }, setAsideAt: null }
    if (!failed) await client.notice.updateMany({ where: { ...owed, attempts: 0 }, data: { attempts: 1 } })
    const data = failed ? { notBefore, attempts: { increment: 1 } } : { notBefore }
    const { count } = await client.notice.updateMany({ where: owed, data })
    return count
  },

  /** Ends the delay of messages about a subject, except those that were tried before. */
  release: async (subject: string): Promise<void> => {
    const where = { subject, attempts: 0 }
    await client.notice.updateMany({ where, data: { notBefore: null } })
  },

  /** Applies changed quiet hours to messages that quiet hours hold back in the chat. */
  setQuietUntil: async (chatId: number, quietUntil: Date): Promise<void> => {
    await client.notice.updateMany({
      where: { chatId: BigInt(chatId), quietUntil: { lt: untilLetGo } },
      data: { quietUntil },
    })
  },

  /**
   * Releases the messages about a subject that quiet hours hold back, because an urgent one is going to be sent after
   * them.
   */
  awaken: async (chatId: number, subject: string): Promise<void> => {
    const where = { chatId: BigInt(chatId), subject, quietUntil: { not: null } }
    await client.notice.updateMany({ where, data: { quietUntil: null } })
  },

  setAside: async (ids: number[], now: Date): Promise<void> => {
    await client.notice.updateMany({ where: { id: { in: ids } }, data: { setAsideAt: now } })
  },

  isOwed: async (id: number): Promise<boolean> => (await client.notice.count({ where: { id } })) === 1,

  count: (): Promise<number> => client.notice.count({ where: { setAsideAt: null } }),
})

/** Conditions, to be joined by OR, for a notice whose quiet hours are over. */
const quietOver = (now: Date) =>
  overSince('quietUntil', now).map((range) => ({ quietUntil: { lt: untilLetGo, ...range } }))

/** The search for chats with notices that may be sent. The `work` of a chat is its id. */
const sending = (now: Date): DueSearch => {
  const live = sql`"Notice" WHERE "setAsideAt" IS NULL AND "mutedAt" IS NULL`
  const quietOver = rangesOver(sql`"quietUntil"`, 'quietUntil', now).map(
    (range) => sql`${range} AND "quietUntil" < ${untilLetGo}`,
  )
  const notDelayed = [sql`"notBefore" IS NULL`, ...rangesOver(sql`"notBefore"`, 'noticeNotBefore', now)]
  const due = [...notDelayed.map((delay) => sql`"quietUntil" IS NULL AND ${delay}`), ...quietOver]
  const awake = join([sql`"quietUntil" IS NULL`, ...quietOver.map((range) => sql`(${range})`)], ' OR ')
  /** When the oldest notice that quiet hours do not hold back was enqueued; null if that notice is delayed. */
  const since = sql`SELECT CASE WHEN ${join(notDelayed, ' OR ')} THEN "createdAt" END FROM ${live}
    AND "id" = (SELECT MIN("id") FROM ${live} AND "chatId" = "key" AND (${awake}))`
  return {
    waiting: live,
    column: sql`"chatId"`,
    rows: (most) =>
      unionOf(
        due.map(
          (range) => sql`SELECT "chatId" AS "key", "createdAt" AS "at" FROM ${live} AND ${range}
            ORDER BY "quietUntil", "notBefore", "id" LIMIT ${most}`,
        ),
      ),
    isServed: sql`TRUE`,
    since,
    work: sql`CASE WHEN (${since}) IS NOT NULL THEN CAST("key" AS TEXT) END`,
  }
}

export type NoticeStore = ReturnType<typeof noticeStore>

export const noticeOf = ({
  kind,
  subject,
  data,
  chatId,
  setAsideAt: _,
  mutedAt: __,
  ...row
}: NoticeRow): Notice => ({
  ...row,
  chatId: Number(chatId),
  content: { kind, subject, ...JSON.parse(data) } as NoticeContent,
})
