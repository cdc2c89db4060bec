import { expect, test } from 'vitest'
import { foundAgain, type Mutant, mutated } from './mutant.ts'
import { placesOf } from './place.ts'

const source = 'const a = f(1)\nconst b = g(a < 1)\n'
const drawn = { ...(placesOf('src/a.ts', source).flat().at(1) as Mutant), number: 7 }

test('a mutant is found again when lines before it have changed', () => {
  const later = `// more\n${source}`
  const found = foundAgain(drawn, placesOf('src/a.ts', later).flat())
  expect(found).toMatchObject({ number: 7, line: drawn.line + 1, before: drawn.before, after: drawn.after })
  expect(found && mutated(later, found)).toBe(`// more\n${mutated(source, drawn)}`)
})

test('of two lines alike the nearest is meant', () => {
  const later = `${source}\n\n\n${source}`
  expect(foundAgain(drawn, placesOf('src/a.ts', later).flat())?.line).toBe(drawn.line)
})

test('a mutant whose line has changed is gone', () => {
  expect(foundAgain(drawn, placesOf('src/a.ts', 'const c = f(2)').flat())).toBe(undefined)
})

test('a source that is another one is not changed at random', () => {
  expect(() => mutated('const', drawn)).toThrow('has changed since')
})
