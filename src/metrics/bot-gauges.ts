import type { WholeStore } from '../store/store.ts'
import { type Family, gauge } from './counting.ts'
import { ageOf } from './gauges.ts'

/** An added bot that is to run. */
export interface WatchedBot {
  username: string
  /** `running`, or why it does not answer people. */
  state: string
  /** Null while it has none in this process. */
  store: Pick<WholeStore, 'backlog'> | null
}

/**
 * The gauges of each added bot. There may be hundreds of bots, so that they are those which tell an operator what is
 * wrong with which bot; everything else is counted over all bots of the process. They cost two queries for each bot. A bot
 * whose database does not answer has no lines but the first.
 */
export const readBotGauges = async (bots: readonly WatchedBot[], now: Date): Promise<Family[]> => {
  const waiting = (await Promise.all(bots.map((bot) => waitingAt(bot, now)))).filter((each) => each !== null)
  const ofEach = (value: (each: Waiting) => number) =>
    waiting.map((each) => ({ labels: { bot: each.bot }, value: value(each) }))
  return [
    gauge(
      'bundlegram_bot_up',
      'Whether an added bot answers people, and by state why not; those that somebody stopped are left out.',
      bots.map(({ username, state }) => ({
        labels: { bot: username, state },
        value: Number(state === 'running'),
      })),
    ),
    gauge(
      'bundlegram_bot_open_orders',
      'Orders of an added bot whose end is not known.',
      ofEach(({ open }) => open),
    ),
    gauge(
      'bundlegram_bot_unsettled_seconds',
      'How long the oldest order of an added bot waits to be sent, or to be known as charged or not.',
      ofEach(({ unsettled }) => unsettled),
    ),
    gauge(
      'bundlegram_bot_notice_lag_seconds',
      'How long the oldest message of an added bot waits that could go now.',
      ofEach(({ lag }) => lag),
    ),
  ]
}

interface Waiting {
  bot: string
  open: number
  unsettled: number
  lag: number
}

const waitingAt = async ({ username, store }: WatchedBot, now: Date): Promise<Waiting | null> => {
  try {
    if (!store) return null
    const orders = await store.backlog.openOrders()
    const unsettled = orders.filter(({ placement }) => placement !== 'review')
    return {
      bot: username,
      open: orders.reduce((sum, { count }) => sum + count, 0),
      unsettled: Math.max(...unsettled.map(({ oldest }) => ageOf(oldest, now))),
      lag: ageOf(await store.backlog.oldestNotice(now), now),
    }
  } catch {
    return null
  }
}
