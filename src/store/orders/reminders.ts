import type { Client } from '../../database/database.ts'
import type { Reminder as Row } from '../../database/row-types.ts'
import { latest, overSince } from '../../domain/times/ahead.ts'
import { everyDay, type Schedule } from '../../lists/written-reminder.ts'
import type { Phone } from '../../provider/phone.ts'

/** A schedule on which a person is asked whether to order a bundle for a number. */
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
  /** The person's reminder with that id; null if it does not exist, or is somebody else's. */
  of: async (userId: number, id: string): Promise<Reminder | null> => {
    const row = await client.reminder.findFirst({ where: { id, userId: BigInt(userId) } })
    return row && reminderOf(row)
  },

  /** The person's reminders, oldest first. */
  all: async (userId: number): Promise<Reminder[]> => {
    const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
    return (await client.reminder.findMany({ where: { userId: BigInt(userId) }, orderBy })).map(reminderOf)
  },

  /** Reminders that are due, sorted by id. @param after the id after which to continue. */
  due: async (now: Date, after: string, limit: number): Promise<(Reminder & { nextAt: Date })[]> => {
    const isOver = overSince('reminderAt', now).map((nextAt) => ({ nextAt }))
    const isTooFar = { weekday: everyDay, nextAt: { gt: latest('dailyReminderAt', now) } }
    const where = { id: { gt: after }, OR: [...isOver, isTooFar] }
    const rows = await client.reminder.findMany({ where, orderBy: { id: 'asc' }, take: limit })
    return rows.map(reminderOf).flatMap(({ nextAt, ...rest }) => (nextAt ? { ...rest, nextAt } : []))
  },

  /** Stores a reminder. If the person has the same one already, returns that one. */
  insert: async (reminder: Reminder): Promise<Reminder> => {
    const { phone, bundleId, weekday, minutes } = reminder
    const userId = BigInt(reminder.userId)
    const row = await client.reminder.upsert({
      where: { userId_phone_bundleId_weekday_minutes: { userId, phone, bundleId, weekday, minutes } },
      // The update is not empty, for the same reason as in `purchases.insertDraft`.
      update: { weekday },
      create: { ...reminder, userId },
    })
    return reminderOf(row)
  },

  /** Sets the next occasion. @returns false if another caller has done so, or the reminder was paused or deleted. */
  advance: async (id: string, from: Date, to: Date): Promise<boolean> =>
    (await client.reminder.updateMany({ where: { id, nextAt: from }, data: { nextAt: to } })).count === 1,

  /**
   * Sets the next occasion for the person. @param nextAt null pauses the reminder. @returns false if it does not exist,
   * or is somebody else's.
   */
  plan: async (userId: number, id: string, nextAt: Date | null): Promise<boolean> => {
    const where = { id, userId: BigInt(userId) }
    return (await client.reminder.updateMany({ where, data: { nextAt } })).count === 1
  },

  /** Deletes a reminder. @returns false if it does not exist, or is somebody else's. */
  delete: async (userId: number, id: string): Promise<boolean> =>
    (await client.reminder.deleteMany({ where: { id, userId: BigInt(userId) } })).count === 1,
})

export type ReminderStore = ReturnType<typeof reminderStore>

const reminderOf = (row: Row): Reminder => ({
  ...row,
  userId: Number(row.userId),
  phone: row.phone as Phone,
})
