import { describe, expect, test } from 'vitest'
import { changeOf, mutated } from './mutant.ts'
import { placesOf } from './place.ts'

const variantsOf = (source: string): string[] =>
  placesOf('src/a.ts', source)
    .flat()
    .map((mutant) => mutated(source, mutant))

describe('what is changed', () => {
  test.each([
    ['a < b', ['a <= b', 'a >= b']],
    ['a === b', ['a !== b']],
    ['a && b', ['a || b']],
    ['a + b', ['a - b']],
    ['a ?? b', ['a', 'b']],
    ['!a', ['a']],
    ['-a', ['a']],
    ['a += b', ['a -= b']],
    ['a ??= b', ['a = b']],
    ['a++', ['a--']],
    ['--a', ['++a']],
    ['f(true)', ['f(false)']],
    ['f(2)', ['f(3)', 'f(1)', 'f(0)']],
    ['f(0)', ['f(1)', 'f((-1))']],
    ['f(30_000)', ['f(60000)', 'f(0)']],
  ])('%s', (source, variants) => {
    expect(variantsOf(source)).toEqual(variants)
  })

  test('an operator that stands in a name, a comment or a string before it is left alone', () => {
    expect(variantsOf("f('<') /* < */ === b")).toEqual(["f('<') /* < */ !== b"])
  })

  test('in brackets, after letters of other alphabets, and inside of what is only there for the compiler', () => {
    expect(variantsOf("g('é €', (a as Kind) === b)")).toEqual(["g('é €', (a as Kind) !== b)"])
    expect(variantsOf('f((a < b) as Kind)')).toContain('f((a <= b) as Kind)')
    expect(variantsOf('f({ a: 3 } satisfies Kind)')).toContain('f({ a: 4 } satisfies Kind)')
  })
})

describe('what is not', () => {
  test.each([
    ['a type', 'type A = { kind: true; of: 1 | 2 }'],
    ['a type of a parameter', 'const f = (a: 1 | true): 2 => a'],
    ['an import', "import a from 'b' with { type: 'json' }"],
    ['a comment', 'f() // a < b && 1'],
    ['texts put together', "f('a' + b, `a` + b)"],
    ['a key', 'f({ 1: a })'],
    ['what decides about the log alone', 'if (a < b) log.info(1)\nelse { log.warn(2) }'],
    ['what is logged', "log.warn({ count: a + 1 }, 'b'); options.log.info({ is: !a }, 'b')"],
  ])('%s', (_, source) => {
    expect(variantsOf(source)).toEqual([])
  })
})

test('what decides about more than the log is changed', () => {
  expect(variantsOf('if (!a) {\n  log.info(1)\n  g()\n}')).toEqual(['if (a) {\n  log.info(1)\n  g()\n}'])
})

test('a place is told by line and column, and by its line', () => {
  const [place] = placesOf('src/a.ts', 'f(a)\n\n  a = g(a) !== b\n')
  expect(place?.[0]).toEqual({
    number: 0,
    file: 'src/a.ts',
    line: 3,
    column: 12,
    start: 17,
    before: '!==',
    after: '===',
    text: 'a = g(a) !== b',
  })
})

test('a long change is told in one short line', () => {
  const [place] = placesOf('src/a.ts', `a ??\n  f(${'b, '.repeat(40)})`)
  expect(place?.map(changeOf)).toEqual(['?? f(b, b, b, b, b, b, b, b, b, … → (nothing)', 'a ?? → (nothing)'])
})
