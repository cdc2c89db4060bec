/** Shorter work shows no progress. */
const patienceMs = 1_000

/**
 * Shows the progress of long work on stderr, in percent, once a second.
 * @param done the verb after the percentage, such as `copied`
 */
export const showProgress = (done: string) => {
  let next = Date.now() + patienceMs
  return (parts: number, total: number) => {
    if (Date.now() < next) return
    next = Date.now() + patienceMs
    process.stderr.write(`${Math.floor((parts / total) * 100)}% ${done}\n`)
  }
}
