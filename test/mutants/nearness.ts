import { basename, dirname } from 'node:path/posix'
import { distancesFrom, type Imports } from './imports.ts'

/** These start bots, servers or many rounds: a near one takes as long as a few of the others. */
const slow = /^test\/(deploy|sandbox|scenarios|security|simulation)\//
const slowness = 3

/** A test that has a word of the file in its name is about it, however many imports lie between. */
const kinship = 3

/** One of the folder that mirrors the file's is about the same subject. */
const neighbourhood = 2

/** A slow test that does not import the file may still start a bot that loads it. */
const byBot = 8

/** A test that neither loads the file nor starts a bot can hardly notice anything. */
const unreached = 20

/** Puts the tests that are likeliest to notice a change of a file, and to do so soon, first. */
export const orderOfTests = (
  tests: readonly string[],
  imports: Imports,
): ((file: string) => readonly string[]) => {
  const reached = new Map(tests.map((test) => [test, distancesFrom(test, imports)]))
  return (file) => {
    const cost = (test: string): number => {
      if (isNamesake(test, file)) return Number.NEGATIVE_INFINITY
      const distance = reached.get(test)?.get(file) ?? (slow.test(test) ? byBot : unreached)
      const nearness = (isKin(test, file) ? kinship : 0) + (isNeighbour(test, file) ? neighbourhood : 0)
      return distance + (slow.test(test) ? slowness : 0) - nearness
    }
    return tests
      .map((test) => ({ test, cost: cost(test) }))
      .sort((first, second) => first.cost - second.cost || (first.test < second.test ? -1 : 1))
      .map(({ test }) => test)
  }
}

/** `test/orders/list.test.ts` of `src/journal/list-draft.ts`. */
const isNamesake = (test: string, file: string): boolean =>
  isNeighbour(test, file) && basename(test, '.test.ts') === basename(file, '.ts')

const isNeighbour = (test: string, file: string): boolean =>
  dirname(test).replace(/^test/, 'src') === dirname(file)

const isKin = (test: string, file: string): boolean => {
  const words = stemsOf(basename(file, '.ts'))
  return stemsOf(basename(test, '.test.ts')).some((word) => words.includes(word))
}

/** Without their endings `placer` and `placing` are one word. */
const stemsOf = (name: string): string[] =>
  name.split('-').map((word) => word.replace(/s$/, '').replace(/(ing|er|ed|e)$/, ''))
