import { isAhead } from '../../../src/domain/ahead.ts'
import { isQuietOver, type Notice, type NoticeContent, untilLetGo } from '../../../src/domain/notice.ts'
import type { NoticeStore } from '../../../src/store/chats/notices.ts'
import type { NoticeRow, Tables } from './rows.ts'

const idOf = ({ id }: NoticeRow): number => id

const noticeOf = ({ kind, subject, data, setAsideAt: _, mutedAt: __, ...row }: NoticeRow): Notice => ({
  ...row,
  content: { kind, subject, ...JSON.parse(data) } as NoticeContent,
})

const columnsOf = ({ kind, subject, ...data }: NoticeContent) => ({
  kind,
  subject,
  data: JSON.stringify(data),
})

const isAwake = ({ quietUntil }: NoticeRow, at: Date): boolean =>
  quietUntil === null || isQuietOver(quietUntil, at)

const isPutOff = (notBefore: Date | null, now: Date): boolean =>
  notBefore !== null && isAhead(notBefore, 'noticeNotBefore', now)

export const memoryNotices = ({ notices }: Tables): NoticeStore => {
  const change = (ids: number[], patch: (row: NoticeRow) => Partial<NoticeRow>): number =>
    notices.update(
      ({ id }) => ids.includes(id),
      idOf,
      (row) => ({ ...row, ...patch(row) }),
    )

  const owed = (fits: (row: NoticeRow) => boolean): NoticeRow[] =>
    notices.where((row) => row.setAsideAt === null && fits(row)).sort((a, b) => a.id - b.id)

  const owedOf = (ids: number[]): number[] => owed(({ id }) => ids.includes(id)).map(idOf)

  const dueChats = async (now: Date, limit: number, except: readonly number[] = []): Promise<number[]> => {
    const heads = new Map<number, NoticeRow>()
    for (const row of owed(
      (row) => !except.includes(row.chatId) && isAwake(row, now) && row.mutedAt === null,
    )) {
      if (!heads.has(row.chatId)) heads.set(row.chatId, row)
    }
    const due = [...heads.values()].filter(({ notBefore }) => !isPutOff(notBefore, now))
    return due.slice(0, limit).map(({ chatId }) => chatId)
  }

  const owe = (
    ...[chatId, content, now, notBefore = null, quietUntil = null]: Parameters<NoticeStore['enqueue']>
  ) => {
    const id = notices.nextId()
    const blank = { attempts: 0, quietUntil, setAsideAt: null, mutedAt: null }
    notices.set(id, { id, chatId, ...columnsOf(content), createdAt: now, notBefore, ...blank })
    return id
  }

  const forTurn = async (chatId: number, limit: number, at: Date): Promise<Notice[]> =>
    owed((row) => row.chatId === chatId && isAwake(row, at))
      .slice(0, limit)
      .map(noticeOf)

  return {
    dueChats,
    forTurn,

    enqueue: async (...owed) => void owe(...owed),
    enqueueDirectly: async (...owed) => owe(...owed),

    ofChat: async (chatId) => owed((row) => row.chatId === chatId).map(noticeOf),

    waiting: async (chatId, subject, now) =>
      owed(
        ({ chatId: to, subject: about, attempts, notBefore }) =>
          to === chatId && about === subject && attempts === 0 && isPutOff(notBefore, now),
      ).map((row) => noticeOf(row).content),

    done: async (ids) => {
      const count = owedOf(ids).length
      for (const id of ids) notices.delete(id)
      return count
    },

    putOff: async (ids, notBefore, failed) =>
      change(owedOf(ids), ({ attempts }) => ({
        notBefore,
        attempts: failed ? attempts + 1 : Math.max(1, attempts),
      })),

    release: async (subject) => {
      notices.update(
        (row) => row.subject === subject && row.attempts === 0,
        idOf,
        (row) => ({ ...row, notBefore: null }),
      )
    },

    setQuietUntil: async (chatId, quietUntil) => {
      notices.update(
        (row) => row.chatId === chatId && row.quietUntil !== null && row.quietUntil < untilLetGo,
        idOf,
        (row) => ({ ...row, quietUntil }),
      )
    },

    awaken: async (chatId, subject) => {
      notices.update(
        (row) => row.chatId === chatId && row.subject === subject,
        idOf,
        (row) => ({ ...row, quietUntil: null }),
      )
    },

    setAside: async (ids, now) => {
      change(ids, () => ({ setAsideAt: now }))
    },
    isOwed: async (id) => notices.get(id) !== undefined,
    count: async () => notices.where(({ setAsideAt }) => setAsideAt === null).length,
  }
}
