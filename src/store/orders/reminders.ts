import type { Client } from '../../database/database.ts'
import type { Reminder as Row } from '../../database/row-types.ts'
import { overSince } from '../../domain/times/ahead.ts'
import type { Schedule } from '../../lists/written-reminder.ts'
import type { Phone } from '../../provider/phone.ts'

/** A bundle for a number that the person is asked about each week or each day. */
export interface Reminder extends Schedule {
  id: string
  accountId: string
  userId: number
  phone: Phone
  /** The name that the number was saved with when the reminder was made. */
  name: string | null
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  /** The next occasion; null while the reminder is paused. */
  nextAt: Date | null
  createdAt: Date
}

/** How many reminders a person may have. */
export const maxReminders = 20

export const reminderStore = (client: Client) => ({
  /** Null if the reminder does not exist, or is somebody else's. */
  of: async (userId: number, id: string): Promise<Reminder | null> => {
    const row = await client.reminder.findFirst({ where: { id, userId: BigInt(userId) } })
    return row && reminderOf(row)
  },

  /** Oldest first. */
  all: async (userId: number): Promise<Reminder[]> => {
    const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
    return (await client.reminder.findMany({ where: { userId: BigInt(userId) }, orderBy })).map(reminderOf)
  },

  /** Longest due first. */
  due: async (now: Date, limit: number): Promise<(Reminder & { nextAt: Date })[]> => {
    const where = { OR: overSince('reminderAt', now).map((nextAt) => ({ nextAt })) }
    const rows = await client.reminder.findMany({ where, orderBy: { nextAt: 'asc' }, take: limit })
    return rows.map(reminderOf).flatMap(({ nextAt, ...rest }) => (nextAt ? { ...rest, nextAt } : []))
  },

  /** If the person has the same reminder already, returns that one. */
  insert: async (reminder: Reminder): Promise<Reminder> => {
    const { phone, bundleId, weekday, minutes } = reminder
    const userId = BigInt(reminder.userId)
    const row = await client.reminder.upsert({
      where: { userId_phone_bundleId_weekday_minutes: { userId, phone, bundleId, weekday, minutes } },
      // Not empty, for the same reason as in `purchases.insertDraft`.
      update: { weekday },
      create: { ...reminder, userId },
    })
    return reminderOf(row)
  },

  /** Sets the next occasion. @returns false if another caller has done so, or the reminder was paused or deleted. */
  advance: async (id: string, from: Date, to: Date): Promise<boolean> =>
    (await client.reminder.updateMany({ where: { id, nextAt: from }, data: { nextAt: to } })).count === 1,

  /** @param nextAt null pauses the reminder. @returns false if it does not exist, or is somebody else's. */
  plan: async (userId: number, id: string, nextAt: Date | null): Promise<boolean> => {
    const where = { id, userId: BigInt(userId) }
    return (await client.reminder.updateMany({ where, data: { nextAt } })).count === 1
  },

  /** @returns false if it does not exist, or is somebody else's. */
  delete: async (userId: number, id: string): Promise<boolean> =>
    (await client.reminder.deleteMany({ where: { id, userId: BigInt(userId) } })).count === 1,
})

export type ReminderStore = ReturnType<typeof reminderStore>

const reminderOf = (row: Row): Reminder => ({
  ...row,
  userId: Number(row.userId),
  phone: row.phone as Phone,
})
