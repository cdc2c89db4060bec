import { type Notice, type NoticeContent, untilLetGo } from '../relay/notice.ts'
import type { Client } from './database.ts'

/** Notices among which the next ones are looked for first. */
const oldestLooked = 2_000

/** The columns of a content. */
const columnsOf = ({ kind, subject, ...data }: NoticeContent) => ({
  kind,
  subject,
  data: JSON.stringify(data),
})

export const noticeStore = (client: Client) => ({
  /**
   * Owes a message to a chat; to be called in the transaction of its cause.
   * @param quietUntil it is passed over until then: what is owed later goes first.
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
   * Chats that may be written to and whose oldest notice is due, that with the oldest first. A notice that is not
   * due holds back those after it; one that waits for the end of quiet hours does not.
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
   * The same among the notices that have been owed longest: finding them takes as long however many there are. Chats
   * that wait may stand before all others there, so it may leave out some that are due.
   */
  longestDueChats: async (now: Date, limit: number): Promise<number[]> => {
    const rows = await client.$queryRaw<{ chatId: bigint }[]>`
      SELECT "chatId" FROM "Notice"
      WHERE "id" IN (SELECT MIN("id") FROM (SELECT "id", "chatId" FROM "Notice"
        WHERE "setAsideAt" IS NULL AND ("quietUntil" IS NULL OR "quietUntil" <= ${now})
        ORDER BY "id" LIMIT ${oldestLooked}) AS "oldest" GROUP BY "chatId")
        AND ("notBefore" IS NULL OR "notBefore" <= ${now})
        AND NOT EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = "chatId" AND "mutedAt" IS NOT NULL)
      ORDER BY "Notice"."id" LIMIT ${limit}`
    return rows.map(({ chatId }) => Number(chatId))
  },

  /**
   * What is owed to a chat, oldest first.
   * @param awakeAt without what quiet hours hold back then.
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

  /** @returns how many of them were still owed: not those that were set aside meanwhile. */
  done: async (ids: number[]): Promise<number> => {
    const id = { in: ids }
    const { count } = await client.notice.deleteMany({ where: { id, setAsideAt: null } })
    if (count < ids.length) await client.notice.deleteMany({ where: { id } })
    return count
  },

  /**
   * @param failed counts as a try that failed; else Telegram has named the time.
   * @returns how many of them were still owed.
   */
  putOff: async (ids: number[], notBefore: Date, failed: boolean): Promise<number> => {
    const owed = { id: { in: ids }, setAsideAt: null }
    if (!failed) await client.notice.updateMany({ where: { ...owed, attempts: 0 }, data: { attempts: 1 } })
    const data = failed ? { notBefore, attempts: { increment: 1 } } : { notBefore }
    const { count } = await client.notice.updateMany({ where: owed, data })
    return count
  },

  /** What was held back about a subject, and not tried yet, may go now. */
  release: async (subject: string): Promise<void> => {
    await client.notice.updateMany({ where: { subject, attempts: 0 }, data: { notBefore: null } })
  },

  /** Quiet hours have changed: what they hold back in the chat waits until then. */
  holdUntil: async (chatId: number, quietUntil: Date): Promise<void> => {
    await client.notice.updateMany({
      where: { chatId: BigInt(chatId), quietUntil: { lt: untilLetGo } },
      data: { quietUntil },
    })
  },

  /** What is held back about a subject goes now: something that cannot wait comes after it. */
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

export type NoticeStore = ReturnType<typeof noticeStore>
