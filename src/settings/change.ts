import { quietUntil } from '../messaging/quiet-hours.ts'
import { nextAt } from '../messaging/time-zone.ts'
import { planAgain } from '../orders/reminding/reminders.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Preferences, PreferencesPatch } from '../store/chats/preferences.ts'
import type { Queries } from '../store/store.ts'
import { settleLevel } from '../wallets/low-balance.ts'
import { type Setting, settingIn, topicsFor } from './setting.ts'

/** A person who changes a setting. `accountId` and `role` are null if the person belongs to no account. */
export interface Somebody {
  userId: number
  accountId: string | null
  role: 'owner' | 'agent' | null
}

/** `lowBalancePesewas` is the balance if it is already below a new warning level. */
export type SettingChange =
  | { kind: 'changed'; before: Setting; after: Setting; lowBalancePesewas: Pesewas | null }
  /** People in this role do not have that setting. */
  | { kind: 'not_theirs' }

/** Changes a setting and applies its immediate effects. Call it in a transaction. */
export const changeSetting = async (
  tx: Queries,
  person: Somebody,
  setting: Setting,
  at: Date,
): Promise<SettingChange> => {
  const { userId, accountId, role } = person
  if (!topicsFor(role).includes(setting.topic)) return { kind: 'not_theirs' }
  const preferences = await tx.preferences.of(userId)
  const shop = accountId === null ? null : await tx.shops.of(accountId)
  const changed = {
    kind: 'changed',
    before: settingIn(setting.topic, preferences, shop?.name ?? null),
    after: setting,
  } as const
  if (setting.topic === 'level' && accountId !== null) {
    const lowBalancePesewas = await settleLevel(tx, { accountId, userId }, setting.pesewas, at)
    return { ...changed, lowBalancePesewas }
  }
  if (setting.topic === 'shop' && accountId !== null) await tx.shops.name(accountId, setting.name)
  else await changePreferences(tx, preferences, setting, at)
  return { ...changed, lowBalancePesewas: null }
}

const changePreferences = async (
  tx: Queries,
  before: Preferences,
  setting: Setting,
  at: Date,
): Promise<void> => {
  const patch = patchOf(setting)
  const after = { ...before, ...patch }
  const summaryAt = after.summaryHour === null ? null : nextAt(after.timeZone, after.summaryHour * 60, at)
  const isSummary = setting.topic === 'summary' || setting.topic === 'zone'
  await tx.preferences.change(before.userId, { ...patch, ...(isSummary && { summaryAt }) })
  if (setting.topic === 'zone') await planAgain(tx, before.userId, setting.timeZone, at)
  // Messages that the old quiet hours hold back now wait for the end of the new ones, or are sent at once if there
  // are none now. A private chat has the same id as its user.
  if (setting.topic === 'quiet' || setting.topic === 'zone')
    await tx.notices.setQuietUntil(before.userId, quietUntil(after, at) ?? at)
}

const patchOf = (setting: Setting): PreferencesPatch => {
  switch (setting.topic) {
    case 'notify':
      return { notify: setting.level }
    case 'quiet':
      return { quietFrom: setting.hours?.from ?? null, quietTo: setting.hours?.to ?? null }
    case 'network':
      return { defaultNetwork: setting.network }
    case 'repeat':
      return { freeRepeatPesewas: setting.pesewas }
    case 'summary':
      // The next summary must not start where the last one ended, because summaries may have been off in between.
      return { summaryHour: setting.hour, summaryToldTo: null }
    case 'zone':
      return { timeZone: setting.timeZone }
    case 'slow':
      return { tellsSlow: setting.on, slowNetworks: [] }
    case 'level':
    case 'shop':
      return {}
  }
}
