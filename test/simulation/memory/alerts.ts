import type { Alert, AlertStore } from '../../../src/store/chats/alerts.ts'
import type { Tables } from './rows.ts'

/** The key of a warning's row. */
export const keyOf = (chatId: number, name: string): string => `${chatId}/${name}`

const alertOf = ({ chatId, messageId, since }: Alert): Alert => ({ chatId, messageId, since })

export const memoryAlerts = ({ alerts }: Tables): AlertStore => ({
  remember: async (name, alert) => alerts.set(keyOf(alert.chatId, name), { ...alert, name }),

  at: async (chatId, name) => {
    const row = alerts.get(keyOf(chatId, name))
    return row ? alertOf(row) : null
  },

  named: async (name) => alerts.where((row) => row.name === name).map(alertOf),

  take: async (chatId, name) => {
    const key = keyOf(chatId, name)
    const row = alerts.get(key)
    if (row) alerts.delete(key)
    return row ? alertOf(row) : null
  },
})
