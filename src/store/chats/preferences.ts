import type { Client } from '../../database/database.ts'
import type { Member as MemberRow, Preference as PreferenceRow } from '../../database/row-types.ts'
import { overSince } from '../../domain/times/ahead.ts'
import { type Pesewas, pesewas, pesewasOrNull } from '../../provider/money.ts'

/** Which statuses are announced by a message. Cards are always redrawn, and messages about money are always sent. */
export const notifyLevels = ['each', 'final', 'failures'] as const
export type NotifyLevel = (typeof notifyLevels)[number]

export interface Preferences {
  userId: number
  notify: NotifyLevel
  /** Minute of the day in `timeZone` at which quiet hours begin; null for no quiet hours. */
  quietFrom: number | null
  quietTo: number | null
  /** The person is warned once each time the balance falls below this level. */
  lowBalancePesewas: Pesewas | null
  /** When the person was warned of the current low balance; null if the balance is not below the level. */
  lowBalanceToldAt: Date | null
  defaultNetwork: string | null
  /** An order up to this price can be repeated without a second press. */
  freeRepeatPesewas: Pesewas | null
  /** The hour of the daily summary in `timeZone`. */
  summaryHour: number | null
  summaryAt: Date | null
  /** The end of the period that the last summary covered. */
  summaryToldTo: Date | null
  /** An IANA name, such as `Africa/Accra`. */
  timeZone: string
  /** Whether the owner is told when a network becomes slow, and when it no longer is. */
  tellsSlow: boolean
  /** The networks that they were told are slow. */
  slowNetworks: readonly string[]
}

export interface WarnedOwner extends Pick<Preferences, 'userId' | 'lowBalanceToldAt'> {
  chatId: number
  lowBalancePesewas: Pesewas
}

type WarnedRow = Pick<PreferenceRow, 'userId' | 'lowBalanceToldAt'> &
  Pick<MemberRow, 'chatId'> & { lowBalancePesewas: number }

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
  tellsSlow: false,
  slowNetworks: [],
})

export const preferenceStore = (client: Client) => ({
  of: async (userId: number): Promise<Preferences> => {
    const row = await client.preference.findUnique({ where: { userId: BigInt(userId) } })
    return row ? preferencesOf(row) : defaultPreferences(userId)
  },

  warnedOwners: async (accountId: string): Promise<WarnedOwner[]> => {
    const rows = await client.$queryRaw<WarnedRow[]>`
      SELECT "Member"."userId" AS "userId", "chatId", "lowBalancePesewas", "lowBalanceToldAt"
      FROM "Member" JOIN "Preference" ON "Preference"."userId" = "Member"."userId"
      WHERE "accountId" = ${accountId} AND "role" = 'owner' AND "lowBalancePesewas" IS NOT NULL`
    return rows.map((row) => ({
      userId: Number(row.userId),
      chatId: Number(row.chatId),
      lowBalancePesewas: pesewas(row.lowBalancePesewas),
      lowBalanceToldAt: row.lowBalanceToldAt,
    }))
  },

  change: async (userId: number, { slowNetworks, ...patch }: PreferencesPatch): Promise<void> => {
    const id = BigInt(userId)
    const data = { ...patch, ...(slowNetworks && { slowNetworks: slowNetworks.join() }) }
    await client.preference.upsert({ where: { userId: id }, create: { userId: id, ...data }, update: data })
  },

  toldOfSlowNetworks: async (): Promise<Preferences[]> =>
    (await client.preference.findMany({ where: { tellsSlow: true } })).map(preferencesOf),

  /** Stores which networks the owner was told are slow. @returns false if these or the setting have changed since. */
  slowAre: async (userId: number, before: readonly string[], after: readonly string[]): Promise<boolean> => {
    const { count } = await client.preference.updateMany({
      where: { userId: BigInt(userId), tellsSlow: true, slowNetworks: before.join() },
      data: { slowNetworks: after.join() },
    })
    return count === 1
  },

  /**
   * Marks that the balance has reached the person's level again, so that they are warned when it next falls.
   * @returns false if they had not been warned.
   */
  balanceIsUp: async (userId: number, balance: Pesewas): Promise<boolean> => {
    const { count } = await client.preference.updateMany({
      where: { userId: BigInt(userId), lowBalancePesewas: { lte: balance }, lowBalanceToldAt: { not: null } },
      data: { lowBalanceToldAt: null },
    })
    return count === 1
  },

  /**
   * Marks that the balance is below the person's level. @returns the level if the person has to be warned; null if they
   * were warned already, or set no such level.
   */
  balanceIsLow: async (userId: number, balance: Pesewas, at: Date): Promise<Pesewas | null> => {
    const row = { userId: BigInt(userId), lowBalancePesewas: { gt: balance } }
    const { count } = await client.preference.updateMany({
      where: { ...row, lowBalanceToldAt: null },
      data: { lowBalanceToldAt: at },
    })
    if (count === 0) return null
    const level = (await client.preference.findUnique({ where: { userId: row.userId } }))?.lowBalancePesewas
    return pesewasOrNull(level ?? null)
  },

  dueSummaries: async (now: Date, limit: number): Promise<Preferences[]> => {
    const rows = await client.preference.findMany({
      where: { OR: overSince('summaryAt', now).map((summaryAt) => ({ summaryAt })) },
      orderBy: [{ summaryAt: 'asc' }, { userId: 'asc' }],
      take: limit,
    })
    return rows.map(preferencesOf)
  },

  /** Sets the time of the next summary. @returns false if another process has already done so. */
  advanceSummary: async (
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
})

export type PreferenceStore = ReturnType<typeof preferenceStore>

export const preferencesOf = (row: PreferenceRow): Preferences => ({
  ...row,
  userId: Number(row.userId),
  notify: row.notify as NotifyLevel,
  lowBalancePesewas: pesewasOrNull(row.lowBalancePesewas),
  freeRepeatPesewas: pesewasOrNull(row.freeRepeatPesewas),
  slowNetworks: row.slowNetworks === '' ? [] : row.slowNetworks.split(','),
})
