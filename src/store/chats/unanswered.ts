import { z } from 'zod'
import type { Client } from '../../database/database.ts'
import type { Unanswered as Row } from '../../database/row-types.ts'
import { overSince } from '../../domain/ahead.ts'
import { type UnansweredKind, unansweredKinds } from '../../domain/unanswered.ts'

/** What a person asked for that waits for the provider. */
export interface Unanswered {
  id: string
  /** One message or press asks for one. */
  cause: string
  accountId: string
  userId: number
  chatId: number
  kind: UnansweredKind
  /** What to try again, JSON. */
  ask: string
  /** The message that tells of it; null until it was sent. */
  messageId: number | null
  createdAt: Date
  tryAt: Date
  until: Date
}

/** A message that was not sent within this time never was. */
const sendingMs = 60_000

const kindSchema = z.enum(unansweredKinds)

const unansweredOf = (row: Row): Unanswered => ({
  ...row,
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  messageId: row.messageId === null ? null : Number(row.messageId),
  kind: kindSchema.parse(row.kind),
})

/** What waits for the provider's answer. */
export const unansweredStore = (client: Client) => ({
  byId: async (id: string): Promise<Unanswered | null> => {
    const row = await client.unanswered.findUnique({ where: { id } })
    return row && unansweredOf(row)
  },

  byCause: async (cause: string): Promise<Unanswered | null> => {
    const row = await client.unanswered.findUnique({ where: { cause } })
    return row && unansweredOf(row)
  },

  /** Those of that kind in a chat, oldest first. */
  inChat: async (chatId: number, kind: UnansweredKind): Promise<Unanswered[]> => {
    const where = { chatId: BigInt(chatId), kind }
    return (await client.unanswered.findMany({ where, orderBy: { createdAt: 'asc' } })).map(unansweredOf)
  },

  /** Those to be tried now, longest due first. One whose message is still being sent waits for it. */
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

  /** Takes a try on oneself, until the next one. @returns false if another has taken it, or it is over. */
  beginTry: async ({ id, tryAt }: Pick<Unanswered, 'id' | 'tryAt'>, next: Date): Promise<boolean> =>
    (await client.unanswered.updateMany({ where: { id, tryAt }, data: { tryAt: next } })).count === 1,

  tryAt: async (id: string, at: Date): Promise<void> => {
    await client.unanswered.updateMany({ where: { id }, data: { tryAt: at } })
  },

  /** Ends it. @returns false if it was over. */
  drop: async (id: string): Promise<boolean> =>
    (await client.unanswered.deleteMany({ where: { id } })).count === 1,
})

/** The queries of `unansweredStore`. */
export type UnansweredStore = ReturnType<typeof unansweredStore>
