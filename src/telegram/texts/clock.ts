/** To operators: the clock was set back. */
export const clockSetBack = (byMs: number): string =>
  `⚠️ The clock of the database’s machine was set back by ${inWords(byMs)}. I corrected all plans, so everything goes on and nothing is sent twice. Times shown before may be wrong by that much.`

const inWords = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
