import { randomInt } from 'node:crypto'
import { freePort, portsToChoose } from '../../../src/commands/sandbox/port.ts'

/** At least as many as there are test workers. */
const maxWorkers = 16

const { first, end } = portsToChoose
const ownCount = Math.floor((end - first) / maxWorkers)
const ownFirst = first + (Number(process.env.VITEST_POOL_ID ?? 0) % maxWorkers) * ownCount
let next = randomInt(ownCount)

/**
 * A free port that no other test gets: each worker has its own range and uses it in order. Otherwise a bot that is
 * briefly down could lose its port to another one.
 */
export const newPort = (): Promise<number> =>
  freePort(() => {
    next = (next + 1) % ownCount
    return ownFirst + next
  })
