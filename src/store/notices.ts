import type { Client } from '../database/database.ts'
import { type Notice, type NoticeContent, untilLetGo } from '../journal/notice.ts'

/** How many of the oldest notices are searched first for the next ones. */
const maxLookedBack = 2_000

/** The columns of a notice's content. */
const columnsOf = ({ kind, subject, ...data }: NoticeContent) => ({
  kind,
  subject,
  data: JSON.stringify(data),
})

/** Messages that are owed to chats: written with their cause, deleted once sent. */
export const noticeStore = (client: Client) => ({
  /**
   * Owes a message to a chat. Call it in the transaction of its cause.
   * @param quietUntil the message is passed over until then: messages owed later go first.
   */
  owe: async (
    chatId: number,
    content: NoticeContent,
    now: Date,
    notBefore: Date | null = null,
    quietUntil: Date | null = null,
  ): Promise<number> => {
    const row = await client.notice.create({
      data: { chatId: BigInt(chatId), ...columnsOf(content), createdAt: now, notBefore, quietUntil },
    })
    return row.id
  },

  /**
   * Chats that take messages and whose oldest notice is due, the oldest first. A notice that is not due holds back
   * those after it; one that waits for quiet hours to end does not.
   */
  dueChats: async (now: Date, limit: number): Promise<number[]> => {
    const rows = await client.$queryRaw<{ chatId: bigint }[]>`
      SELECT "chatId" FROM "Notice"
      WHERE "id" IN (SELECT MIN("id") FROM "Notice" 
        WHERE "setAsideAt" IS NULL AND ("quietUntil" IS NULL OR "quietUntil" <= ${now}) GROUP BY "chatId")
        AND ("notBefore" IS NULL OR "notBefore" <= ${now})
        AND NOT EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = "chatId" AND "mutedAt" IS NOT NULL)
      ORDER BY "Notice"."id" LIMIT ${limit}`
    return rows.map(({ chatId }) => Number(chatId))
  },

  /**
   * The same among the longest-owed notices only, so that the time does not grow with their number. It may leave out
   * due chats if waiting ones come before them.
   */
  longestDueChats: async (now: Date, limit: number): Promise<number[]> => {
    const rows = await client.$queryRaw<{ chatId: bigint }[]>`
      SELECT "chatId" FROM "Notice"
      WHERE "id" IN (SELECT MIN("id") FROM (SELECT "id", "chatId" FROM "Notice"
        WHERE "setAsideAt" IS NULL AND ("quietUntil" IS NULL OR "quietUntil" <= ${now})
        ORDER BY "id" LIMIT ${maxLookedBack}) AS "oldest" GROUP BY "chatId")
        AND ("notBefore" IS NULL OR "notBefore" <= ${now})
        AND NOT EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = "chatId" AND "mutedAt" IS NOT NULL)
      ORDER BY "Notice"."id" LIMIT ${limit}`
    return rows.map(({ chatId }) => Number(chatId))
  },

  /**
   * The messages owed to a chat, oldest first.
   * @param awakeAt leaves out what quiet hours hold back at that time.
   */
  ofChat: async (chatId: number, limit?: number, awakeAt?: Date): Promise<Notice[]> => {
    const rows = await client.notice.findMany({
      where: {
        chatId: BigInt(chatId),
        setAsideAt: null,
        ...(awakeAt && { OR: [{ quietUntil: null }, { quietUntil: { lte: awakeAt } }] }),
      },
      orderBy: { id: 'asc' },
      ...(limit !== undefined && { take: limit }),
    })
    return rows.map((row) => ({
      id: row.id,
      chatId: Number(row.chatId),
      attempts: row.attempts,
      notBefore: row.notBefore,
      quietUntil: row.quietUntil,
      createdAt: row.createdAt,
      content: { kind: row.kind, subject: row.subject, ...JSON.parse(row.data) } as NoticeContent,
    }))
  },

  /** Deletes sent messages. @returns how many were still owed: not those set aside meanwhile. */
  done: async (ids: number[]): Promise<number> => {
    const id = { in: ids }
    const { count } = await client.notice.deleteMany({ where: { id, setAsideAt: null } })
    if (count < ids.length) await client.notice.deleteMany({ where: { id } })
    return count
  },

  /**
   * Delays messages.
   * @param failed true: counts as a failed try; false: Telegram named the time.
   * @returns how many were still owed.
   */
  putOff: async (ids: number[], notBefore: Date, failed: boolean): Promise<number> => {
    const owed = { id: { in: ids }, setAsideAt: null }
    if (!failed) await client.notice.updateMany({ where: { ...owed, attempts: 0 }, data: { attempts: 1 } })
    const data = failed ? { notBefore, attempts: { increment: 1 } } : { notBefore }
    const { count } = await client.notice.updateMany({ where: owed, data })
    return count
  },

  /** Releases untried messages about a subject that were held back. */
  release: async (subject: string): Promise<void> => {
    await client.notice.updateMany({ where: { subject, attempts: 0 }, data: { notBefore: null } })
  },

  /** Applies changed quiet hours: messages that they hold back in the chat wait until then. */
  holdUntil: async (chatId: number, quietUntil: Date): Promise<void> => {
    await client.notice.updateMany({
      where: { chatId: BigInt(chatId), quietUntil: { lt: untilLetGo } },
      data: { quietUntil },
    })
  },

  /** Sends held-back messages about a subject now, because an urgent one comes after them. */
  awaken: async (chatId: number, subject: string): Promise<void> => {
    await client.notice.updateMany({
      where: { chatId: BigInt(chatId), subject, quietUntil: { not: null } },
      data: { quietUntil: null },
    })
  },

  setAside: async (ids: number[], now: Date): Promise<void> => {
    await client.notice.updateMany({ where: { id: { in: ids } }, data: { setAsideAt: now } })
  },

  isOwed: async (id: number): Promise<boolean> => (await client.notice.count({ where: { id } })) === 1,

  count: (): Promise<number> => client.notice.count({ where: { setAsideAt: null } }),
})

/** The queries of `noticeStore`. */
export type NoticeStore = ReturnType<typeof noticeStore>
