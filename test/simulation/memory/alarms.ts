import type { Alarm, AlarmStore } from '../../../src/store/chats/alarms.ts'
import type { Tables } from './rows.ts'

/** The key of a warning's row. */
export const keyOf = (chatId: number, name: string): string => `${chatId}/${name}`

const alarmOf = ({ chatId, messageId, since }: Alarm): Alarm => ({ chatId, messageId, since })

export const memoryAlarms = ({ alarms }: Tables): AlarmStore => ({
  remember: async (name, alarm) => alarms.set(keyOf(alarm.chatId, name), { ...alarm, name }),

  at: async (chatId, name) => {
    const row = alarms.get(keyOf(chatId, name))
    return row ? alarmOf(row) : null
  },

  named: async (name) => alarms.where((row) => row.name === name).map(alarmOf),

  take: async (chatId, name) => {
    const key = keyOf(chatId, name)
    const row = alarms.get(key)
    if (row) alarms.delete(key)
    return row ? alarmOf(row) : null
  },
})
