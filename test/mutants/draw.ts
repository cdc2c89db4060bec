import { Random } from '../simulation/random.ts'
import type { Mutant } from './mutant.ts'
import type { Place } from './place.ts'

/** The mutants that the compiler accepts, all in different files. */
export type Sieve = (mutants: readonly Mutant[]) => Promise<readonly Mutant[]>

/** However many places a file has, the others are to have their turn. */
const maxPerFile = 3

/**
 * Draws that many mutants, or fewer if there are not enough. Each place is equally likely.
 * @param seed the same for the same places draws the same mutants
 */
export const draw = async (
  places: readonly Place[],
  { seed, count, sieve }: { seed: number; count: number; sieve: Sieve },
): Promise<Mutant[]> => {
  const perFile = Math.max(maxPerFile, Math.ceil((2 * count) / new Set(places.map(fileOf)).size))
  const drawn: Mutant[] = []
  let waiting: readonly Mutant[] = shuffled(places, seed)
  while (drawn.length < count && waiting.length > 0) {
    const taken = (file: string) => drawn.filter((mutant) => mutant.file === file).length
    waiting = waiting.filter(({ file }) => taken(file) < perFile)
    const next = firstOfEachFile(waiting).slice(0, count - drawn.length)
    drawn.push(...(await sieve(next)))
    waiting = waiting.filter((mutant) => !next.includes(mutant))
  }
  return drawn.map((mutant, index) => ({ ...mutant, number: index + 1 }))
}

const fileOf = (place: Place): string | undefined => place[0]?.file

/** One mutant of each place, in an order that the seed decides. */
const shuffled = (places: readonly Place[], seed: number): Mutant[] => {
  const random = new Random(seed)
  return places
    .map((place) => ({ mutant: random.pick(place), key: random.next() }))
    .sort((first, second) => first.key - second.key)
    .map(({ mutant }) => mutant)
}

const firstOfEachFile = (mutants: readonly Mutant[]): Mutant[] => {
  const first = new Map<string, Mutant>()
  for (const mutant of mutants) if (!first.has(mutant.file)) first.set(mutant.file, mutant)
  return [...first.values()]
}
