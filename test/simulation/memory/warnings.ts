import type { Warning, WarningStore } from '../../../src/store/orders/warnings.ts'
import type { Tables, WarningRow } from './rows.ts'

type Place = Pick<Warning, 'chatId' | 'messageId'>

export const warningKey = ({ chatId, messageId }: Place): string => `${chatId}/${messageId}`

const warningOf = ({ isOwed: _, ...warning }: WarningRow): Warning => warning

export const memoryWarnings = ({ warnings }: Tables): WarningStore => ({
  remember: async (warning) => warnings.set(warningKey(warning), { ...warning, isOwed: false }),

  at: async (chatId, messageId) => {
    const row = warnings.get(warningKey({ chatId, messageId }))
    return row ? warningOf(row) : null
  },

  standing: async (purchaseId) =>
    warnings
      .where((row) => row.purchaseId === purchaseId && !row.isOwed)
      .toSorted((a, b) => a.chatId - b.chatId || a.messageId - b.messageId)
      .map(warningOf),

  enqueueEdit: async (place) => {
    const row = warnings.get(warningKey(place))
    if (row) warnings.set(warningKey(place), { ...row, isOwed: true })
  },

  forget: async (place) => warnings.delete(warningKey(place)),
})
