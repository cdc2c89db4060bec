import type { Client } from '../../database/database.ts'
import { type WarningWord, warningWords } from '../../domain/order/uncertainty.ts'

/** A message that says that an order may have been charged, or that a list waits for it. */
export interface Warning {
  chatId: number
  messageId: number
  purchaseId: string
  orderId: string
  /** If the message corrects an earlier one, the reference that it withdraws; otherwise null. */
  mistaken: string | null
  says: WarningWord
}

const whole = {
  chatId: true,
  messageId: true,
  purchaseId: true,
  orderId: true,
  mistaken: true,
  says: true,
} as const

const warningOf = <Row extends { chatId: bigint; messageId: bigint; says: string }>({
  chatId,
  messageId,
  says,
  ...row
}: Row) => ({
  ...row,
  chatId: Number(chatId),
  messageId: Number(messageId),
  // An unknown word was written by a later version.
  says: warningWords.find((word) => word === says) ?? 'uncertain',
})

export const warningStore = (client: Client) => {
  const keyOf = (chatId: number, messageId: number) => ({
    chatId_messageId: { chatId: BigInt(chatId), messageId },
  })

  return {
    /** Stores which message shows a warning, and what it says from now on. Clears the mark of a pending edit. */
    remember: async ({ chatId, messageId, ...said }: Warning): Promise<void> => {
      const row = { ...said, isOwed: false }
      await client.warning.upsert({
        where: keyOf(chatId, messageId),
        create: { chatId: BigInt(chatId), messageId, ...row },
        update: row,
      })
    },

    at: async (chatId: number, messageId: number): Promise<Warning | null> => {
      const row = await client.warning.findUnique({ where: keyOf(chatId, messageId), select: whole })
      return row && warningOf(row)
    },

    /** The warnings about a purchase that have no pending edit. */
    standing: async (purchaseId: string): Promise<Warning[]> => {
      const rows = await client.warning.findMany({
        where: { purchaseId, isOwed: false },
        select: whole,
        orderBy: [{ chatId: 'asc' }, { messageId: 'asc' }],
      })
      return rows.map(warningOf)
    },

    enqueueEdit: async ({ chatId, messageId }: Pick<Warning, 'chatId' | 'messageId'>): Promise<void> => {
      await client.warning.updateMany({
        where: { chatId: BigInt(chatId), messageId },
        data: { isOwed: true },
      })
    },

    /** Forgets a warning whose message will not change again. */
    forget: async ({ chatId, messageId }: Pick<Warning, 'chatId' | 'messageId'>): Promise<void> => {
      await client.warning.deleteMany({ where: { chatId: BigInt(chatId), messageId } })
    },
  }
}

export type WarningStore = ReturnType<typeof warningStore>
