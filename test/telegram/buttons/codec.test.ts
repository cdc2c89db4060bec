import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Codec,
  flag,
  matching,
  nullAs,
  oneOf,
  optional,
  together,
  variants,
  whole,
} from '../../../src/telegram/buttons/codec.ts'

const shelf = variants('kind', {
  empty: {},
  box: { size: whole(1, 99), open: flag },
  jar: { label: nullAs('none', matching(/^[a-z]{1,8}$/)), of: optional(oneOf(['figs', 'nuts']), null) },
  pair: together({ left: whole(-5, 5), right: whole(-5, 5) }),
})

test('any value that is written into a button’s data is read back', () => {
  const arbitrary = fc.oneof(
    fc.record({ kind: fc.constant('empty' as const) }),
    fc.record({
      kind: fc.constant('box' as const),
      size: fc.integer({ min: 1, max: 99 }),
      open: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('jar' as const),
      label: fc.option(fc.stringMatching(/^[a-z]{1,8}$/).filter((label) => label !== 'none')),
      of: fc.option(fc.constantFrom('figs' as const, 'nuts' as const)),
    }),
    fc.record({
      kind: fc.constant('pair' as const),
      left: fc.integer({ min: -5, max: 5 }),
      right: fc.integer({ min: -5, max: 5 }),
    }),
  )
  fc.assert(
    fc.property(arbitrary, (value) => {
      expect(shelf.read(shelf.write(value))).toEqual(value)
    }),
  )
})

test('the fields of a value are written into a button’s data in the sequence of their definition', () => {
  expect(shelf.write({ kind: 'box', size: 7, open: true })).toEqual(['box', '7', '1'])
  expect(shelf.write({ kind: 'jar', label: null, of: null })).toEqual(['jar', 'none'])
})

const refused: [string, Codec<unknown>, string[]][] = [
  ['an unknown kind', shelf, ['drawer']],
  ['a kind named like a property of every object', shelf, ['constructor']],
  ['a missing word', shelf, ['box', '7']],
  ['a number above its bound', whole(0, 9), ['10']],
  ['a number below its bound', whole(1, 9), ['0']],
  ['a number with an exponent', whole(0, 9_999), ['1e3']],
  ['an empty number', whole(0, 9), ['']],
  ['a flag that is neither 0 nor 1', flag, ['2']],
  ['an empty word for an optional value', optional(oneOf(['figs']), null), ['']],
]

test.each(refused)('a button’s data is refused if it has %s', (_, codec, words) => {
  expect(codec.read(words)).toBeUndefined()
})
