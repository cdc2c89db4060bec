import type { Reminder } from '../../../src/store/orders/reminders.ts'
import { now, phone } from './any-order.ts'
import type { Values } from './wording.ts'

/** A reminder that contains these values wherever the provider or a person can choose them. */
export const reminderWith = ({ text, count, flag, order }: Values): Reminder => ({
  id: 'r',
  accountId: 'a',
  userId: 1,
  phone,
  name: flag ? text : null,
  bundleId: 5,
  network: order.network,
  volume: order.volume,
  offerSlug: order.offerSlug,
  weekday: count % 8,
  minutes: count,
  nextAt: flag ? now : null,
  createdAt: now,
})
