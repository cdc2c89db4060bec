import type { StatusEvent } from '../store/events.ts'
import { applyCallbacks } from './callbacks.ts'
import type { Order } from './order.ts'
import { ask, postpone } from './polling.ts'
import type { SettlerOptions } from './settler.ts'

/**
 * Follows placed orders: applies what callbacks report, asks the provider where they are silent or want
 * confirmation, and writes what changed together with the notices it causes.
 */
export interface Tracker {
  /** Looks at callbacks that nobody has looked at yet. */
  applyCallbacks(): Promise<void>
  /** Asks for the status of orders that are due. */
  poll(): Promise<void>
  /** Asks for one order now, for a person who waits. @throws {ProviderError | NoWallet} */
  refresh(order: Order): Promise<void>
}

export interface TrackerOptions extends SettlerOptions {
  /** Told when a status is to be asked soon. */
  onPollDue: () => void
  /** Resolves when nobody waits for the database more urgently than what is only to be looked at. */
  giveWay?: () => Promise<void>
}

/** Callbacks that share a commit: others wait for its end, so it has to be short. */
const mostTogether = 16

const mostPolls = 8

export const createTracker = (options: TrackerOptions): Tracker => {
  const { store, now, log } = options
  const polling = new Set<string>()

  const applyTogether = async (events: StatusEvent[]): Promise<void> => {
    const { changed, ended } = await store.transaction((tx) => applyCallbacks(tx, events, now()))
    if (changed) options.onNotice()
    if (changed) options.onPollDue()
    if (ended) options.onEnded()
  }

  /** In one commit; where that fails each in its own, so that a callback that cannot be applied holds up no other. */
  const applyAll = async (events: StatusEvent[]): Promise<void> => {
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
      log.error({ orderId: order.id, err: error }, 'a poll could not be put off')
    } finally {
      polling.delete(order.accountId)
    }
  }

  return {
    applyCallbacks: async () => {
      let after = 0
      for (;;) {
        await options.giveWay?.()
        const events = await store.events.unapplied(after, mostTogether)
        const last = events.at(-1)
        if (!last) return
        await applyAll(events)
        if (events.length < mostTogether) return
        after = last.id
      }
    },

    poll: async () => {
      const due = await store.orders.dueToPoll(now(), 200)
      const firstOfEach = due.filter(
        (order, index) => due.findIndex((o) => o.accountId === order.accountId) === index,
      )
      for (let start = 0; start < firstOfEach.length; start += mostPolls) {
        await Promise.all(firstOfEach.slice(start, start + mostPolls).map(pollOne))
      }
      if (due.length > firstOfEach.length) options.onPollDue()
    },

    refresh: (order) => ask(options, order, 'person'),
  }
}
