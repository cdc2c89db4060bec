import type { Logger } from 'pino'
import { cardOf, type NoticeContent, type NotReminded } from '../../domain/notice.ts'
import type { PurchaseLine } from '../../domain/order/order.ts'
import type { Schedule } from '../../lists/written-reminder.ts'
import { quietUntil } from '../../messaging/quiet-hours.ts'
import type { Preferences } from '../../store/chats/preferences.ts'
import { reminderCause } from '../../store/orders/purchases.ts'
import { maxReminders, type Reminder } from '../../store/orders/reminders.ts'
import { bookOf } from '../../store/shop/contacts.ts'
import type { Queries, Store } from '../../store/store.ts'
import { isWalletError } from '../../wallets/wallets.ts'
import { nearNumber } from '../buying/near-number.ts'
import { draftOf, insertCard, withAgentPrices } from '../buying/new-draft.ts'
import { offerOf, type Prices } from '../buying/prices.ts'
import type { Person } from '../buying/purchases.ts'
import { denialFor } from '../permission/orderer.ts'
import { latestMs, nextOccasion, occasionAfter } from './occasions.ts'

/**
 * Reminders. At each occasion, the person gets one draft on a card, at current prices. The draft orders nothing until
 * they confirm it, like any other draft.
 *
 * The draft is made in the transaction that sets the next occasion, on condition that the reminder still has the old
 * one. So an occasion makes one card, even with two processes or after a crash.
 */

/** After this time, ms, an occasion counts as late. A late occasion makes no card in quiet hours. */
const punctualMs = 15 * 60_000
/** If the prices cannot be read, the bot tries again for this time, ms, before it says so. */
const readForMs = 5 * 60_000
const maxTogether = 100

interface Options {
  store: Store
  prices: Prices
  now: () => Date
  newId: () => string
  log: Pick<Logger, 'error'>
  isShortOfRoom: () => boolean
  onNotice: () => void
}

/** What a reminder is for, and when. */
export type NewReminder = Schedule &
  Pick<Reminder, 'phone' | 'name' | 'bundleId' | 'network' | 'volume' | 'offerSlug'>

/**
 * Adds a reminder. If the person has the same one, returns that one, and resumes it if it was paused. Call it in a
 * transaction.
 * @returns null if the person has as many as they may have.
 */
export const addReminder = async (
  tx: Queries,
  { userId, accountId }: Pick<Person, 'userId' | 'accountId'>,
  wanted: NewReminder,
  { id, at }: { id: string; at: Date },
): Promise<Reminder | null> => {
  const { timeZone } = await tx.preferences.of(userId)
  const nextAt = nextOccasion(wanted, timeZone, at)
  const reminder = await tx.reminders.insert({ ...wanted, id, accountId, userId, nextAt, createdAt: at })
  if (reminder.id !== id) {
    if (reminder.nextAt === null) await tx.reminders.plan(userId, reminder.id, nextAt)
    return { ...reminder, nextAt: reminder.nextAt ?? nextAt }
  }
  if ((await tx.reminders.all(userId)).length <= maxReminders) return reminder
  await tx.reminders.delete(userId, id)
  return null
}

/**
 * Computes the next occasions of a person's reminders in a new time zone. An occasion that is due stays due. Call it in
 * a transaction.
 */
export const planAgain = async (tx: Queries, userId: number, zone: string, at: Date): Promise<void> => {
  for (const reminder of await tx.reminders.all(userId))
    if (reminder.nextAt && reminder.nextAt > at)
      await tx.reminders.plan(userId, reminder.id, nextOccasion(reminder, zone, at))
}

export interface Reminders {
  /** Makes the cards of all reminders that are due. */
  round(): Promise<void>
}

type Due = Reminder & { nextAt: Date }

/** What an occasion leads to: the bundle at its current price, or why there is no card. */
type Outcome = { kind: 'offer'; line: PurchaseLine } | NotReminded

export const createReminders = ({
  store,
  prices,
  now,
  newId,
  log,
  isShortOfRoom,
  onNotice,
}: Options): Reminders => {
  /**
   * Finds out what a due occasion leads to. @returns null if the prices cannot be read, and there is time to try again.
   */
  const outcomeOf = async (due: Due, preferences: Preferences, at: Date): Promise<Outcome | null> => {
    const { accountId, phone, bundleId, nextAt } = due
    const lateMs = at.getTime() - nextAt.getTime()
    const isHeld = lateMs >= punctualMs && quietUntil(preferences, at) !== null
    if (lateMs >= latestMs || isHeld) return { kind: 'away' }
    try {
      const { bundles } = await prices.list(accountId, 'person')
      const bundle = bundles.find(({ id }) => id === bundleId)
      if (!bundle) return { kind: 'not_sold' }
      const pricedAt = prices.readAt(accountId)
      return { kind: 'offer', line: { ...offerOf(bundle, bundles), phone, pricedAt } }
    } catch (error) {
      if (!isWalletError(error)) throw error
      if (lateMs < readForMs) return null
      const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : null
      return { kind: 'unread', code: error.code, retryAfterMs }
    }
  }

  /** Enqueues the card of a new draft, or the news that no draft was made. */
  const tell = async (tx: Queries, due: Due, outcome: Outcome, at: Date): Promise<void> => {
    const { id, userId, accountId, phone } = due
    const member = await tx.accounts.memberIn(userId, accountId)
    if (!member || (await tx.operations.blockedSince(member.chatId))) return
    if (await tx.chats.isMuted(member.chatId)) return
    const denial = await denialFor(tx, member, { kind: 'begin' }, { at, isShortOfRoom: isShortOfRoom() })
    if (outcome.kind !== 'offer' || denial) {
      const why = outcome.kind === 'away' || !denial ? outcome : { kind: 'denied', denial: denial.kind }
      const quiet = why.kind === 'away' ? quietUntil(await tx.preferences.of(userId), at) : null
      await tx.notices.enqueue(member.chatId, notReminded(due, why as NotReminded), at, null, quiet)
      return
    }
    const book = bookOf(member)
    const near = await nearNumber(tx.knownNumbers, book, phone)
    const lines = await withAgentPrices(tx, member, [{ ...outcome.line, ...(near && { near }) }])
    const isUnnamed = due.name !== null && !(await tx.contacts.byPhone(book, phone))
    const draft = draftOf(member, {
      id: newId(),
      cause: `${reminderCause}${id}:${due.nextAt.getTime()}`,
      lines,
      at,
    })
    const remark = isUnnamed ? 'reminder_unnamed' : 'reminder'
    const purchase = await insertCard(tx, { ...draft, remark }, at)
    if (purchase.id === draft.id) await tx.notices.enqueue(member.chatId, cardOf(purchase.id), at)
  }

  const remind = async (due: Due): Promise<void> => {
    const at = now()
    const preferences = await store.preferences.of(due.userId)
    // An occasion that is due although it is in the future was written while the clock was ahead.
    const isPlanned = due.nextAt <= at
    const outcome = isPlanned ? await outcomeOf(due, preferences, at) : null
    if (isPlanned && !outcome) return
    const next = occasionAfter(due, preferences.timeZone, isPlanned ? due.nextAt : at, at)
    const isMine = await store.transaction(
      async (tx) => {
        if (!(await tx.reminders.advance(due.id, due.nextAt, next))) return false
        if (outcome) await tell(tx, due, outcome, at)
        return true
      },
      { accounts: [due.accountId] },
    )
    if (isMine) onNotice()
  }

  const remindSafely = async (due: Due): Promise<void> => {
    try {
      await remind(due)
    } catch (error) {
      log.error({ reminder: due.id, account: due.accountId, err: error }, 'a reminder failed')
    }
  }

  return {
    round: async () => {
      for (let after = ''; ; ) {
        const due = await store.reminders.due(now(), after, maxTogether)
        await Promise.all(due.map(remindSafely))
        after = due.at(-1)?.id ?? ''
        if (due.length < maxTogether) return
      }
    },
  }
}

/**
 * Skips the occasions that are due in a restored copy, and says so: their cards may have been sent, and confirmed,
 * before the copy was restored. Call it in a transaction.
 */
export const skipDue = async (tx: Queries, at: Date): Promise<void> => {
  for (;;) {
    const all = await tx.reminders.due(at, '', maxTogether)
    for (const due of all) {
      const { timeZone } = await tx.preferences.of(due.userId)
      await tx.reminders.advance(due.id, due.nextAt, nextOccasion(due, timeZone, at))
      const member = await tx.accounts.memberIn(due.userId, due.accountId)
      if (member && due.nextAt <= at)
        await tx.notices.enqueue(member.chatId, notReminded(due, { kind: 'restored' }), at)
    }
    if (all.length < maxTogether) return
  }
}

const notReminded = ({ id, nextAt }: Due, why: NotReminded): NoticeContent => ({
  kind: 'reminder',
  subject: `reminder:${id}:${nextAt.getTime()}`,
  reminderId: id,
  dueMs: nextAt.getTime(),
  why,
})
