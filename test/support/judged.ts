import { readDatabase } from '../judge/database.ts'
import type { Ledger, Telegram } from '../judge/evidence.ts'
import { judge, type PromiseName, table } from '../judge/judge.ts'
import type { World } from './world.ts'

/** Promises that are not judged because the tests break them on purpose, each with the reason. */
export type Excuses = Partial<Record<PromiseName, string>>

/**
 * Compares the database of a world, after its bots have stopped, with its simulators.
 * @param interruptionsMs when its bots died.
 * @throws with the judge's table if a promise was broken.
 */
export const expectPromisesKept = async (
  { databaseUrl, provider, telegram }: Pick<World, 'databaseUrl' | 'provider' | 'telegram'>,
  excuses: Excuses,
  interruptionsMs: readonly number[],
): Promise<void> => {
  const ledger: Ledger = provider.ledger()
  const messages: Telegram = { ...telegram.history(), interruptionsMs: [...interruptionsMs] }
  const verdicts = judge({ database: await readDatabase(databaseUrl), ledger, telegram: messages })
  const broken = verdicts.filter(({ promise, breaches }) => breaches.length > 0 && !(promise in excuses))
  if (broken.length > 0) throw new Error(`The judge says that promises were broken:\n${table(broken)}`)
}
