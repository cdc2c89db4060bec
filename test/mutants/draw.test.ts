import { describe, expect, test } from 'vitest'
import { accepted } from './compiler.ts'
import { draw } from './draw.ts'
import type { Mutant } from './mutant.ts'
import { placesOf } from './place.ts'

const source = Array.from({ length: 12 }, (_, index) => `f(a${index} === b)`).join('\n')
const files = Array.from({ length: 10 }, (_, index) => `src/${index}.ts`)
const places = files.flatMap((file) => placesOf(file, source))
const all = async (mutants: readonly Mutant[]) => mutants
const names = (mutants: readonly Mutant[]) => mutants.map(({ file, line }) => `${file}:${line}`)

describe('a draw', () => {
  test('of one seed is always the same, of another another', async () => {
    const first = names(await draw(places, { seed: 1, count: 9, sieve: all }))
    expect(names(await draw(places, { seed: 1, count: 9, sieve: all }))).toEqual(first)
    expect(names(await draw(places, { seed: 2, count: 9, sieve: all }))).not.toEqual(first)
  })

  test('has so many mutants as were asked for, of different places, numbered, and at most a few of one file', async () => {
    const mutants = await draw(places, { seed: 3, count: 14, sieve: all })
    expect(mutants.map(({ number }) => number)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
    expect(new Set(names(mutants)).size).toBe(14)
    for (const file of files) expect(mutants.filter((mutant) => mutant.file === file).length).toBeLessThan(4)
  })

  test('has others in place of those that the compiler refuses', async () => {
    const sieve = async (mutants: readonly Mutant[]) => mutants.filter(({ line }) => line % 2 === 0)
    const mutants = await draw(places, { seed: 4, count: 14, sieve })
    expect(mutants.map(({ line }) => line % 2)).toEqual(Array.from({ length: 14 }, () => 0))
  })

  test('of one file may take many of its places, and ends when there are no more', async () => {
    expect(await draw(placesOf('src/a.ts', source), { seed: 5, count: 60, sieve: all })).toHaveLength(12)
  })
})

describe('what the compiler takes', () => {
  const mutants = placesOf('src/0.ts', source)
    .flat()
    .slice(0, 6)
    .map((mutant, index) => ({ ...mutant, file: `src/${index}.ts` }))

  test('is all but what stands in the files that it complains of', async () => {
    const complaints = async (tried: readonly Mutant[]) =>
      new Set(tried.map(({ file }) => file).filter((file) => file === 'src/2.ts'))
    expect(await accepted(mutants, complaints)).toEqual(mutants.filter(({ file }) => file !== 'src/2.ts'))
  })

  test('is all but the one by which another file suffers', async () => {
    const complaints = async (tried: readonly Mutant[]) =>
      new Set(tried.some(({ file }) => file === 'src/4.ts') ? ['src/main.ts'] : [])
    expect(await accepted(mutants, complaints)).toEqual(mutants.filter(({ file }) => file !== 'src/4.ts'))
  })
})
