import type { NoticeContent } from '../../../src/relay/notice.ts'
import type { NoticeStore } from '../../../src/store/notices.ts'
import type { NoticeRow, Tables } from './rows.ts'

const idOf = ({ id }: NoticeRow): number => id

export const memoryNotices = ({ notices, chats }: Tables): NoticeStore => {
  const change = (ids: number[], patch: (row: NoticeRow) => Partial<NoticeRow>): void => {
    notices.update(
      ({ id }) => ids.includes(id),
      idOf,
      (row) => ({ ...row, ...patch(row) }),
    )
  }

  return {
    owe: async (chatId, content, now, notBefore = null) => {
      const { kind, subject, ...data } = content
      const id = notices.nextId()
      const text = JSON.stringify(data)
      const blank = { attempts: 0, setAsideAt: null }
      notices.set(id, { id, chatId, kind, subject, data: text, createdAt: now, notBefore, ...blank })
      return id
    },

    due: async (limit, exceptChats) =>
      notices
        .where(
          ({ setAsideAt, chatId }) =>
            setAsideAt === null && !exceptChats.includes(chatId) && !chats.get(chatId)?.mutedAt,
        )
        .sort((a, b) => a.id - b.id)
        .slice(0, limit)
        .map(({ kind, subject, data, setAsideAt: _, ...row }) => ({
          ...row,
          content: { kind, subject, ...JSON.parse(data) } as NoticeContent,
        })),

    done: async (ids) => {
      for (const id of ids) notices.delete(id)
    },

    retryAt: async (ids, notBefore) => change(ids, ({ attempts }) => ({ notBefore, attempts: attempts + 1 })),

    release: async (subject) => {
      notices.update(
        (row) => row.subject === subject && row.attempts === 0,
        idOf,
        (row) => ({ ...row, notBefore: null }),
      )
    },

    setAside: async (ids, now) => change(ids, () => ({ setAsideAt: now })),
    isOwed: async (id) => notices.get(id) !== undefined,
    count: async () => notices.where(({ setAsideAt }) => setAsideAt === null).length,
  }
}
