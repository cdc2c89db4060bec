import { randomInt } from 'node:crypto'
import { freePort, portsToChoose } from '../../src/commands/sandbox/port.ts'

/** More workers than the tests have. */
const maxWorkers = 16

const { first, end } = portsToChoose
const ownCount = Math.floor((end - first) / maxWorkers)
const ownFirst = first + (Number(process.env.VITEST_POOL_ID ?? 0) % maxWorkers) * ownCount
let next = randomInt(ownCount)

/**
 * A free port that no other test gets: each worker has ports of its own, and takes one after the other. A bot that is down
 * for a moment would find its port taken by another one otherwise.
 */
export const newPort = (): Promise<number> =>
  freePort(() => {
    next = (next + 1) % ownCount
    return ownFirst + next
  })
