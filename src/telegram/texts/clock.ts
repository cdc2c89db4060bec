/** To the operators, when the clock was set back. */
export const clockSetBack = (byMs: number): string =>
  `⚠️ The clock of the database’s machine was set back by ${inWords(byMs)}. I brought back what was planned by the wrong time, so everything goes on, and nothing is sent twice. Times that I showed before may be late by that.`

const inWords = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
