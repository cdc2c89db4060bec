import type { Order } from '../../domain/order/order.ts'
import type { ArrivedReport } from '../../store/orders/status-reports.ts'
import { AppliedElsewhere, applyCallbacks } from './callbacks.ts'
import type { TrackerOptions } from './polling.ts'
import { ask, postpone } from './polling.ts'

/**
 * Follows placed orders. It applies callbacks, asks the provider if callbacks are missing or need confirmation, and
 * writes each change together with its notices.
 */
export interface Tracker {
  /** Applies callbacks that were not applied yet. */
  applyCallbacks(): Promise<void>
  /** Asks for the status of due orders. */
  poll(): Promise<void>
  /** Asks for one order now, for a person who waits. @throws {ProviderError | NoWallet} */
  refresh(order: Order): Promise<void>
}

/** How many callbacks share a commit. Others wait for its end, so it must be short. */
const maxTogether = 16

/** The most accounts that a round polls, one order of each, and the most polls at a time. */
const maxAccounts = 64
const maxPolls = 8

/** Follows orders by callbacks and by polls. */
export const createTracker = (options: TrackerOptions): Tracker => {
  const { store, mayWork, now, log } = options

  /** Orders that became due by a callback. The next round polls them without a search. */
  const handed: Order[] = []

  const applyTogether = async (reports: ArrivedReport[]): Promise<void> => {
    const accounts = reports.flatMap(({ accountId }) => accountId ?? [])
    const { changed, ended, due } = await store.transaction((tx) => applyCallbacks(tx, reports, now()), {
      accounts: accounts,
    })
    handed.push(...due)
    if (changed) options.onNotice()
    if (changed) options.onPollDue()
    if (ended) options.onEnded()
  }

  /**
   * Applies the reports in one commit. If that fails, each in its own, so that a bad one does not hold up the others.
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

  /** Polls one order. @returns whether the result was written. */
  const pollOne = async (order: Order): Promise<boolean> => {
    try {
      if (!mayWork()) return false
      await ask(options, order, 'polling').catch((error: unknown) => postpone(options, order, error))
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
      const known = firstOfEach(handed.splice(0)).slice(0, maxAccounts)
      const left = known.map(({ accountId }) => accountId)
      const due = [...known, ...(await store.orders.dueToPoll(now(), maxAccounts, left))]
      let isMore = false
      for (let start = 0; start < due.length; start += maxPolls) {
        const asked = await Promise.all(due.slice(start, start + maxPolls).map(pollOne))
        isMore ||= asked.includes(true)
      }
      // The accounts may have more orders that are due.
      if (isMore) options.onPollDue()
    },

    refresh: (order) => ask(options, order, 'person'),
  }
}

/** The first order of each account. Later searches find the others. */
const firstOfEach = (orders: readonly Order[]): Order[] =>
  orders.filter(
    (order, index) => orders.findIndex(({ accountId }) => accountId === order.accountId) === index,
  )
