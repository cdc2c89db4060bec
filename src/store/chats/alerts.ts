import type { Client } from '../../database/database.ts'
import type { AlertName } from '../../domain/notice.ts'

export interface Alert {
  chatId: number
  /**
   * Null while the alert is being sent, and also if the process stopped while sending it, so that nobody knows whether
   * it arrived.
   */
  messageId: number | null
  since: Date
}

/** The name of an alert, or `prompt`: a question whose buttons are removed once it is answered. */
type StandingName = AlertName | 'prompt'

/** Stored in place of a message id that is not known yet. Telegram numbers messages from 1. */
const unknown = 0n

const messageIdOf = (stored: bigint): number | null => (stored === unknown ? null : Number(stored))

/** Messages that stay in chats while what they say is true. A chat has at most one of each name. */
export const alertStore = (client: Client) => ({
  /** Replaces an earlier alert of that name. */
  remember: async (name: StandingName, { chatId, messageId, since }: Alert): Promise<void> => {
    const key = { chatId: BigInt(chatId), name }
    const row = { messageId: messageId ?? unknown, since }
    await client.alert.upsert({ where: { chatId_name: key }, create: { ...key, ...row }, update: row })
  },

  at: async (chatId: number, name: StandingName): Promise<Alert | null> => {
    const row = await client.alert.findUnique({ where: { chatId_name: { chatId: BigInt(chatId), name } } })
    return row && { chatId, messageId: messageIdOf(row.messageId), since: row.since }
  },

  named: async (name: AlertName): Promise<Alert[]> => {
    const rows = await client.alert.findMany({ where: { name } })
    return rows.map(({ chatId, messageId, since }) => ({
      chatId: Number(chatId),
      messageId: messageIdOf(messageId),
      since,
    }))
  },

  /** Deletes the alert. @returns the alert; null if there was none. Of several callers, only one gets it. */
  take: async (chatId: number, name: StandingName): Promise<Alert | null> => {
    const where = { chatId_name: { chatId: BigInt(chatId), name } }
    const row = await client.alert.findUnique({ where })
    if (!row) return null
    const { count } = await client.alert.deleteMany({ where: { chatId: row.chatId, name } })
    if (count === 0) return null
    return { chatId, messageId: messageIdOf(row.messageId), since: row.since }
  },
})

export type AlertStore = ReturnType<typeof alertStore>
