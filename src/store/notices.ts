import type { Notice, NoticeContent } from '../relay/notice.ts'
import type { Client } from './database.ts'

export const noticeStore = (client: Client) => ({
  /** Owes a message to a chat; to be called in the transaction of its cause. */
  owe: async (
    chatId: number,
    content: NoticeContent,
    now: Date,
    notBefore: Date | null = null,
  ): Promise<number> => {
    const { kind, subject, ...data } = content
    const row = await client.notice.create({
      data: { chatId: BigInt(chatId), kind, subject, data: JSON.stringify(data), createdAt: now, notBefore },
    })
    return row.id
  },

  /** The oldest notices of chats that may be written to, in order. */
  due: async (limit: number, exceptChats: number[]): Promise<Notice[]> => {
    const muted = await client.chat.findMany({ where: { mutedAt: { not: null } }, select: { id: true } })
    const except = [...exceptChats.map(BigInt), ...muted.map(({ id }) => id)]
    const rows = await client.notice.findMany({
      where: { setAsideAt: null, ...(except.length > 0 && { chatId: { notIn: except } }) },
      orderBy: { id: 'asc' },
      take: limit,
    })
    return rows.map((row) => ({
      id: row.id,
      chatId: Number(row.chatId),
      attempts: row.attempts,
      notBefore: row.notBefore,
      createdAt: row.createdAt,
      content: { kind: row.kind, subject: row.subject, ...JSON.parse(row.data) } as NoticeContent,
    }))
  },

  done: async (ids: number[]): Promise<void> => {
    await client.notice.deleteMany({ where: { id: { in: ids } } })
  },

  retryAt: async (ids: number[], notBefore: Date): Promise<void> => {
    await client.notice.updateMany({
      where: { id: { in: ids } },
      data: { notBefore, attempts: { increment: 1 } },
    })
  },

  /** What was held back about a subject may go now. */
  release: async (subject: string): Promise<void> => {
    await client.notice.updateMany({ where: { subject, attempts: 0 }, data: { notBefore: null } })
  },

  setAside: async (ids: number[], now: Date): Promise<void> => {
    await client.notice.updateMany({ where: { id: { in: ids } }, data: { setAsideAt: now } })
  },

  isOwed: async (id: number): Promise<boolean> => (await client.notice.count({ where: { id } })) === 1,

  count: (): Promise<number> => client.notice.count({ where: { setAsideAt: null } }),
})

export type NoticeStore = ReturnType<typeof noticeStore>
