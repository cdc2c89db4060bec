/** What is done sooner than this, in ms, needs no progress. */
const patienceMs = 1_000

/**
 * Tells on stderr how far long work has come, once a second.
 * @param done what was done with so much of it: `copied`.
 */
export const showProgress = (done: string) => {
  let next = Date.now() + patienceMs
  return (parts: number, total: number) => {
    if (Date.now() < next) return
    next = Date.now() + patienceMs
    process.stderr.write(`${Math.floor((parts / total) * 100)} % ${done}\n`)
  }
}
