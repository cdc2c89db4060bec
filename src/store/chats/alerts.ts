import type { Client } from '../../database/database.ts'
import type { AlertName } from '../../domain/notice.ts'

/** A warning that stands in a chat. */
export interface Alert {
  chatId: number
  /** Null: it is being sent. If the process died meanwhile, nobody knows whether and where it stands. */
  messageId: number | null
  /** When it was said. */
  since: Date
}

/** An alert, or `prompt`: a question whose buttons go when it is answered. */
type StandingName = AlertName | 'prompt'

/** Telegram numbers messages from 1. */
const unknown = 0n

const messageIdOf = (stored: bigint): number | null => (stored === unknown ? null : Number(stored))

/** Messages that stand in chats until what they say is over: one of each name in a chat. */
export const alertStore = (client: Client) => ({
  /** Notes where a warning stands, in place of an earlier one of that name. */
  remember: async (name: StandingName, { chatId, messageId, since }: Alert): Promise<void> => {
    const key = { chatId: BigInt(chatId), name }
    const row = { messageId: messageId ?? unknown, since }
    await client.alert.upsert({ where: { chatId_name: key }, create: { ...key, ...row }, update: row })
  },

  /** The warning of that name in the chat; null if none stands. */
  at: async (chatId: number, name: StandingName): Promise<Alert | null> => {
    const row = await client.alert.findUnique({ where: { chatId_name: { chatId: BigInt(chatId), name } } })
    return row && { chatId, messageId: messageIdOf(row.messageId), since: row.since }
  },

  /** All warnings of that name. */
  named: async (name: AlertName): Promise<Alert[]> => {
    const rows = await client.alert.findMany({ where: { name } })
    return rows.map(({ chatId, messageId, since }) => ({
      ...{ chatId: Number(chatId), messageId: messageIdOf(messageId) },
      since,
    }))
  },

  /** Forgets the warning, once. @returns it; null if none stood. */
  take: async (chatId: number, name: StandingName): Promise<Alert | null> => {
    const where = { chatId_name: { chatId: BigInt(chatId), name } }
    const row = await client.alert.findUnique({ where })
    if (!row) return null
    const { count } = await client.alert.deleteMany({ where: { chatId: row.chatId, name } })
    if (count === 0) return null
    return { chatId, messageId: messageIdOf(row.messageId), since: row.since }
  },
})

/** The queries of `alertStore`. */
export type AlertStore = ReturnType<typeof alertStore>
