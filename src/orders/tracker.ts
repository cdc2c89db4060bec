import { ofAccounts } from '../database/scope.ts'
import type { Order } from '../journal/order.ts'
import type { ArrivedEvent } from '../store/events.ts'
import { applyCallbacks } from './callbacks.ts'
import type { TrackerOptions } from './polling.ts'
import { ask, postpone } from './polling.ts'

/**
 * Follows placed orders. It applies callbacks, asks the provider if they are silent or need confirmation, and writes
 * each change together with its notices.
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

const maxPolls = 8

/** Follows orders by callbacks and by polls. */
export const createTracker = (options: TrackerOptions): Tracker => {
  const { store, now, log } = options
  const polling = new Set<string>()

  const applyTogether = async (events: ArrivedEvent[]): Promise<void> => {
    const accounts = events.flatMap(({ accountId }) => accountId ?? [])
    const { changed, ended } = await store.within(ofAccounts(accounts), (tx) =>
      applyCallbacks(tx, events, now()),
    )
    if (changed) options.onNotice()
    if (changed) options.onPollDue()
    if (ended) options.onEnded()
  }

  /** In one commit. If that fails, in one each, so that a bad callback does not hold up the others. */
  const applyAll = async (events: ArrivedEvent[]): Promise<void> => {
    try {
      await applyTogether(events)
    } catch (error) {
      if (events.length > 1) {
        for (const event of events) await applyAll([event])
        return
      }
      const [event] = events
      log.error(
        { orderId: event?.orderId, eventId: event?.id, err: error },
        'a callback could not be applied',
      )
    }
  }

  const pollOne = async (order: Order): Promise<void> => {
    if (polling.has(order.accountId)) return
    polling.add(order.accountId)
    try {
      await ask(options, order, 'polling').catch((error: unknown) => postpone(options, order, error))
    } catch (error) {
      log.error({ orderId: order.id, err: error }, 'a poll could not be postponed')
    } finally {
      polling.delete(order.accountId)
    }
  }

  return {
    applyCallbacks: async () => {
      let after = 0
      for (;;) {
        await options.giveWay?.()
        const events = await store.events.unapplied(after, maxTogether)
        const last = events.at(-1)
        if (!last) return
        await applyAll(events)
        if (events.length < maxTogether) return
        after = last.id
      }
    },

    poll: async () => {
      const due = await store.orders.dueToPoll(now(), 200)
      const firstOfEach = due.filter(
        (order, index) => due.findIndex((o) => o.accountId === order.accountId) === index,
      )
      for (let start = 0; start < firstOfEach.length; start += maxPolls) {
        await Promise.all(firstOfEach.slice(start, start + maxPolls).map(pollOne))
      }
      if (due.length > firstOfEach.length) options.onPollDue()
    },

    refresh: (order) => ask(options, order, 'person'),
  }
}
