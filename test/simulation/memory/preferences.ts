import { isAhead } from '../../../src/domain/ahead.ts'
import { defaultPreferences, type PreferenceStore } from '../../../src/store/chats/preferences.ts'
import type { Tables } from './rows.ts'

export const memoryPreferences = ({ members, preferences }: Tables): PreferenceStore => ({
  of: async (userId) => preferences.get(userId) ?? defaultPreferences(userId),

  warnedOwners: async (accountId) =>
    members
      .where((row) => row.accountId === accountId && row.role === 'owner')
      .flatMap(({ userId, chatId }) => {
        const { lowBalancePesewas = null, lowBalanceToldAt = null } = preferences.get(userId) ?? {}
        return lowBalancePesewas === null ? [] : [{ userId, chatId, lowBalancePesewas, lowBalanceToldAt }]
      }),

  change: async (userId, patch) =>
    preferences.set(userId, { ...(preferences.get(userId) ?? defaultPreferences(userId)), ...patch }),

  balanceIsUp: async (userId, balance) => {
    const row = preferences.get(userId)
    const level = row?.lowBalancePesewas ?? null
    if (!row?.lowBalanceToldAt || level === null || level > balance) return false
    preferences.set(userId, { ...row, lowBalanceToldAt: null })
    return true
  },

  balanceIsLow: async (userId, balance, at) => {
    const row = preferences.get(userId)
    const level = row?.lowBalancePesewas ?? null
    if (!row || level === null || level <= balance || row.lowBalanceToldAt !== null) return null
    preferences.set(userId, { ...row, lowBalanceToldAt: at })
    return level
  },

  dueSummaries: async (now, limit) =>
    preferences
      .where(({ summaryAt }) => summaryAt !== null && !isAhead(summaryAt, 'summaryAt', now))
      .sort((a, b) => Number(a.summaryAt) - Number(b.summaryAt) || a.userId - b.userId)
      .slice(0, limit),

  advanceSummary: async (userId, due, next) =>
    preferences.update(
      (row) => row.userId === userId && row.summaryAt?.getTime() === due.getTime(),
      (row) => row.userId,
      (row) => ({ ...row, ...next }),
    ) === 1,
})
