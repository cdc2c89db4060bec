import type { Order } from '../../domain/order/order.ts'
import type { ArrivedReport } from '../../store/orders/status-reports.ts'
import { AppliedElsewhere, applyCallbacks } from './callbacks.ts'
import type { TrackerOptions } from './polling.ts'
import { ask, planAfterFailure } from './polling.ts'

/**
 * Follows placed orders. It applies callbacks, asks the provider if callbacks are missing or need confirmation, and
 * writes each change together with its notices.
 */
export interface Tracker {
  /** Applies callbacks that were not applied yet. */
  applyCallbacks(): Promise<void>
  poll(): Promise<void>
  /** Asks for one order's status now, because a person is waiting. @throws {WalletError} */
  refresh(order: Order): Promise<void>
}

/** The most callbacks in one commit. Other work waits for the commit, so it must be short. */
const maxTogether = 16

/** The most accounts in one round of polls. One order of each is polled. */
const maxAccounts = 64
const maxConcurrentPolls = 8

/** Follows orders by callbacks and by polls. */
export const createTracker = (options: TrackerOptions): Tracker => {
  const { store, mayWork, now, log } = options

  /** Orders that a callback made due. The next round polls them without searching for them. */
  const handed: Order[] = []

  const applyTogether = async (reports: ArrivedReport[]): Promise<void> => {
    const accounts = reports.flatMap(({ accountId }) => accountId ?? [])
    const { changed, ended, due } = await store.transaction((tx) => applyCallbacks(tx, reports, now()), {
      accounts,
    })
    handed.push(...due)
    if (changed) options.onNotice()
    if (changed) options.onPollDue()
    if (ended) options.onEnded()
  }

  /**
   * Applies the reports in one commit. If that fails, applies each in a commit of its own, so that a bad report does
   * not hold up the others.
   */
  const applyAll = async (reports: ArrivedReport[]): Promise<void> => {
    try {
      await applyTogether(reports)
    } catch (error) {
      if (reports.length > 1) {
        for (const report of reports) await applyAll([report])
        return
      }
      if (error instanceof AppliedElsewhere) return
      const [report] = reports
      log.error(
        { orderId: report?.orderId, eventId: report?.id, err: error },
        'a callback could not be applied',
      )
    }
  }

  /** Polls one order. @returns false if nothing was written. */
  const pollOne = async (order: Order): Promise<boolean> => {
    try {
      if (!mayWork()) return false
      await ask(options, order, 'polling').catch(async (error: unknown) => {
        // If another process works by now, it has planned the order's next poll, or is about to poll it.
        if (mayWork()) await planAfterFailure(options, order, error)
      })
      return true
    } catch (error) {
      log.error({ orderId: order.id, err: error }, 'a poll could not be postponed')
      return false
    }
  }

  return {
    applyCallbacks: async () => {
      let after = 0
      for (;;) {
        await options.giveWay?.()
        const reports = await store.statusReports.unapplied(after, maxTogether)
        if (reports.length > 0) await applyAll(reports)
        const last = reports.at(-1)
        if (!last || reports.length < maxTogether || !mayWork()) return
        after = last.id
      }
    },

    poll: async () => {
      const all = handed.splice(0)
      const known = firstOfEach(all).slice(0, maxAccounts)
      const left = known.map(({ accountId }) => accountId)
      const found = await store.orders.dueToPoll(now(), maxAccounts, left)
      const due = [...known, ...found]
      let isPolled = false
      for (let start = 0; start < due.length; start += maxConcurrentPolls) {
        const asked = await Promise.all(due.slice(start, start + maxConcurrentPolls).map(pollOne))
        isPolled ||= asked.includes(true)
      }
      // Another order of the same account, or of another one, may be due, so another round follows.
      if (isPolled && (found.length > 0 || known.length < all.length)) options.onPollDue()
    },

    refresh: (order) => ask(options, order, 'person'),
  }
}

/** The first order of each account. Later searches find the others. */
const firstOfEach = (orders: readonly Order[]): Order[] =>
  orders.filter(
    (order, index) => orders.findIndex(({ accountId }) => accountId === order.accountId) === index,
  )
