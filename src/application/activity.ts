import type { Observations } from '../metrics/counters.ts'

/** Whether anything was going on at a bot lately. A quiet one looks less often for work that is due. */
export interface Activity {
  /** Something was begun, or came from outside. */
  note(): void
  isQuiet(): boolean
  /** The same observations. What they see of work with the provider or in chats counts as activity. */
  noticedBy(observations: Observations): Observations
  /** Called when a quiet bot is quiet no more. */
  onRoused(listen: () => void): void
}

/**
 * Longer than what is followed closely leaves between two steps: wallets are read each 45 s while an outcome is unknown,
 * and statuses are asked for at 30 and 75 s.
 */
const quietAfterMs = 120_000

/**
 * A quiet bot's rounds come so often at least: its hours and days of waiting are no more exact. 200 quiet bots ask a
 * PostgreSQL some 120 times a second so, a third of that for their leases.
 */
export const quietRoundMs = 60_000

/** Calls about messages. A bot makes the others whether or not anybody uses it. */
const aboutMessages = /^(send|edit|answer|deleteMessage)/

/** Begins quiet. @param monotonicMs a clock that nobody sets. */
export const createActivity = (monotonicMs: () => number): Activity => {
  let lastMs = Number.NEGATIVE_INFINITY
  let rouse = () => {}
  const isQuiet = () => monotonicMs() - lastMs > quietAfterMs
  const note = (): void => {
    const wasQuiet = isQuiet()
    lastMs = monotonicMs()
    if (wasQuiet) rouse()
  }
  return {
    note,
    isQuiet,
    noticedBy: (observations) => ({
      ...observations,
      onProviderCall: (call) => {
        note()
        observations.onProviderCall(call)
      },
      onTelegramCall: (call) => {
        if (aboutMessages.test(call.method)) note()
        observations.onTelegramCall(call)
      },
    }),
    onRoused: (listen) => {
      rouse = listen
    },
  }
}
