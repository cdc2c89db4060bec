import type { Pacer } from '../../relay/pacer.ts'

/** How a call says that its messages may be paid for. */
export interface Payment {
  allow_paid_broadcast?: true
}

/**
 * The pace of announcements that an operator pays for: Telegram takes 0.1 Stars from the bot's balance for each message
 * above the free 30 a second, and then up to 1,000 a second
 * (https://core.telegram.org/bots/faq#how-can-i-message-all-of-my-bot-39s-subscribers-at-once).
 */
export interface PaidPace {
  pacer: Pacer
  /** Whether Telegram takes payment, as far as is known. */
  isTaken(): boolean
  /** Called when Telegram refused a message for payment that it took without. */
  onRefused(reason: string): void
}

/** The balance may have been filled up meanwhile. */
const retryMs = 10 * 60_000

/**
 * @param pacer gives turns to messages that are paid for.
 * @param now ms.
 * @param onRefused told of the first refusal, and then at most every ten minutes.
 */
export const createPaidPace = (
  pacer: Pacer,
  now: () => number,
  onRefused: (reason: string) => void,
): PaidPace => {
  let refusedMs = Number.NEGATIVE_INFINITY
  const isTaken = () => now() - refusedMs > retryMs
  return {
    pacer,
    isTaken,
    onRefused: (reason) => {
      if (isTaken()) onRefused(reason)
      refusedMs = now()
    },
  }
}
