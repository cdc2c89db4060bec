import type { Pesewas } from '../provider/money.ts'
import type { Preference as PreferenceRow } from './client/client.ts'
import type { Client } from './database.ts'

/** Of which statuses there is a message of its own. Cards always change, and what is about money is always told. */
export const notifyLevels = ['each', 'final', 'failures'] as const
export type NotifyLevel = (typeof notifyLevels)[number]

/** What a person has settled for the chat with the bot. */
export interface Preferences {
  userId: number
  notify: NotifyLevel
  /** Minutes of the day in `timeZone` between which what can wait is held back; null: none. */
  quietFrom: number | null
  quietTo: number | null
  /** Below that balance the person is warned, once for each crossing. */
  lowBalancePesewas: Pesewas | null
  /** When it was warned of the crossing that still lasts. */
  lowBalanceToldAt: Date | null
  defaultNetwork: string | null
  /** Repeating an order up to that price needs no second press. */
  freeRepeatPesewas: Pesewas | null
  /** The hour of the daily summary in `timeZone`. */
  summaryHour: number | null
  summaryAt: Date | null
  /** Up to when the last summary told. */
  summaryToldTo: Date | null
  /** IANA name. */
  timeZone: string
}

export type PreferencesPatch = Partial<Omit<Preferences, 'userId'>>

export const defaultPreferences = (userId: number): Preferences => ({
  userId,
  notify: 'final',
  quietFrom: null,
  quietTo: null,
  lowBalancePesewas: null,
  lowBalanceToldAt: null,
  defaultNetwork: null,
  freeRepeatPesewas: null,
  summaryHour: null,
  summaryAt: null,
  summaryToldTo: null,
  timeZone: 'Africa/Accra',
})

export const preferenceStore = (client: Client) => ({
  /** What the person has settled, or what holds for who has settled nothing. */
  of: async (userId: number): Promise<Preferences> => {
    const row = await client.preference.findUnique({ where: { userId: BigInt(userId) } })
    return row ? preferencesOf(row) : defaultPreferences(userId)
  },

  change: async (userId: number, patch: PreferencesPatch): Promise<void> => {
    const id = BigInt(userId)
    await client.preference.upsert({ where: { userId: id }, create: { userId: id, ...patch }, update: patch })
  },

  /** The balance is at the person's level or above: the next time below it is told. */
  balanceIsUp: async (userId: number, balance: Pesewas): Promise<void> => {
    await client.preference.updateMany({
      where: { userId: BigInt(userId), lowBalancePesewas: { lte: balance }, lowBalanceToldAt: { not: null } },
      data: { lowBalanceToldAt: null },
    })
  },

  /** Marks that the balance is below the person's level. @returns the level where that is new, and to be told. */
  balanceIsLow: async (userId: number, balance: Pesewas, at: Date): Promise<Pesewas | null> => {
    const row = { userId: BigInt(userId), lowBalancePesewas: { gt: balance } }
    const { count } = await client.preference.updateMany({
      where: { ...row, lowBalanceToldAt: null },
      data: { lowBalanceToldAt: at },
    })
    if (count === 0) return null
    const level = (await client.preference.findUnique({ where: { userId: row.userId } }))?.lowBalancePesewas
    return (level ?? null) as Pesewas | null
  },

  /** Those whose daily summary is due. */
  dueSummaries: async (now: Date, limit: number): Promise<Preferences[]> => {
    const rows = await client.preference.findMany({
      where: { summaryAt: { lte: now } },
      orderBy: [{ summaryAt: 'asc' }, { userId: 'asc' }],
      take: limit,
    })
    return rows.map(preferencesOf)
  },

  /** Goes on to the next summary. @returns false where another process has: that one is due no more. */
  claimSummary: async (
    userId: number,
    due: Date,
    next: Pick<Preferences, 'summaryAt'> & Partial<Pick<Preferences, 'summaryToldTo'>>,
  ): Promise<boolean> => {
    const { count } = await client.preference.updateMany({
      where: { userId: BigInt(userId), summaryAt: due },
      data: next,
    })
    return count === 1
  },

  forget: async (userId: number): Promise<void> => {
    await client.preference.deleteMany({ where: { userId: BigInt(userId) } })
  },
})

export type PreferenceStore = ReturnType<typeof preferenceStore>

const preferencesOf = (row: PreferenceRow): Preferences => ({
  ...row,
  userId: Number(row.userId),
  notify: row.notify as NotifyLevel,
  lowBalancePesewas: row.lowBalancePesewas as Pesewas | null,
  freeRepeatPesewas: row.freeRepeatPesewas as Pesewas | null,
})
