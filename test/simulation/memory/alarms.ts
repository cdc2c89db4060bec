import type { AlarmStore } from '../../../src/store/alarms.ts'
import type { Tables } from './rows.ts'

const keyOf = (chatId: number, name: string): string => `${chatId}/${name}`

export const memoryAlarms = ({ alarms }: Tables): AlarmStore => ({
  remember: async (name, alarm) => alarms.set(keyOf(alarm.chatId, name), { ...alarm, name }),

  named: async (name) => alarms.where((row) => row.name === name),

  take: async (chatId, name) => {
    const key = keyOf(chatId, name)
    const row = alarms.get(key)
    if (row) alarms.delete(key)
    return row ?? null
  },
})
