import { z } from 'zod'
import type { Client } from '../../database/database.ts'
import type { Unanswered as Row } from '../../database/row-types.ts'
import { overSince } from '../../domain/times/ahead.ts'
import { type UnansweredKind, unansweredKinds } from '../../domain/times/unanswered.ts'

/** A person's request that could not be answered yet, because the provider could not be reached. */
export interface Unanswered {
  id: string
  /** Identifies the message or press with the request. Each makes only one request. */
  cause: string
  accountId: string
  userId: number
  chatId: number
  kind: UnansweredKind
  /** What to try again, as JSON. */
  ask: string
  /** The message that tells the person that the request is waiting; null if it is not sent yet. */
  messageId: number | null
  createdAt: Date
  tryAt: Date
  until: Date
}

/** If the message is not stored as sent within this time, ms, it never will be. */
const sendingMs = 60_000

const kindSchema = z.enum(unansweredKinds)

const unansweredOf = (row: Row): Unanswered => ({
  ...row,
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  messageId: row.messageId === null ? null : Number(row.messageId),
  kind: kindSchema.parse(row.kind),
})

export const unansweredStore = (client: Client) => ({
  byId: async (id: string): Promise<Unanswered | null> => {
    const row = await client.unanswered.findUnique({ where: { id } })
    return row && unansweredOf(row)
  },

  byCause: async (cause: string): Promise<Unanswered | null> => {
    const row = await client.unanswered.findUnique({ where: { cause } })
    return row && unansweredOf(row)
  },

  /** The chat's requests of that kind, oldest first. */
  inChat: async (chatId: number, kind: UnansweredKind): Promise<Unanswered[]> => {
    const where = { chatId: BigInt(chatId), kind }
    return (await client.unanswered.findMany({ where, orderBy: { createdAt: 'asc' } })).map(unansweredOf)
  },

  /**
   * Requests that are due to be tried, longest due first. A request whose waiting message is still being sent is left
   * out.
   */
  due: async (now: Date, limit: number): Promise<Unanswered[]> => {
    const isDue = overSince('unanswered', now).map((tryAt) => ({ tryAt }))
    const isSending = {
      messageId: null,
      createdAt: { gt: new Date(now.getTime() - sendingMs), lte: new Date(now.getTime() + sendingMs) },
    }
    const where = { OR: isDue, NOT: isSending }
    return (await client.unanswered.findMany({ where, orderBy: { tryAt: 'asc' }, take: limit })).map(
      unansweredOf,
    )
  },

  insert: async (row: Unanswered): Promise<void> => {
    await client.unanswered.create({
      data: { ...row, userId: BigInt(row.userId), chatId: BigInt(row.chatId) },
    })
  },

  showOn: async (id: string, messageId: number): Promise<void> => {
    await client.unanswered.updateMany({ where: { id }, data: { messageId } })
  },

  /**
   * Begins a try by setting the time of the next one. @returns false if another caller began it, or the request has
   * ended.
   */
  beginTry: async ({ id, tryAt }: Pick<Unanswered, 'id' | 'tryAt'>, next: Date): Promise<boolean> =>
    (await client.unanswered.updateMany({ where: { id, tryAt }, data: { tryAt: next } })).count === 1,

  tryAt: async (id: string, at: Date): Promise<void> => {
    await client.unanswered.updateMany({ where: { id }, data: { tryAt: at } })
  },

  /** Deletes the request. @returns false if it had ended before. */
  drop: async (id: string): Promise<boolean> =>
    (await client.unanswered.deleteMany({ where: { id } })).count === 1,
})

export type UnansweredStore = ReturnType<typeof unansweredStore>
