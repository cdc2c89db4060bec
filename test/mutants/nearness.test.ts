import { expect, test } from 'vitest'
import { importsOf } from './imports.ts'
import { orderOfTests } from './nearness.ts'

const imports = new Map([
  ['src/orders/placer.ts', []],
  ['src/orders/tracker.ts', ['src/orders/placer.ts']],
  ['test/orders/placer.test.ts', ['src/orders/placer.ts']],
  ['test/orders/far.test.ts', ['src/orders/tracker.ts']],
  ['test/orders/near.test.ts', ['src/orders/placer.ts']],
  ['test/scenarios/near.test.ts', ['src/orders/placer.ts']],
  ['test/scenarios/buying.test.ts', []],
  ['test/scenarios/placing.test.ts', []],
  ['test/shop/habit.test.ts', []],
])

test('the namesake comes first, then what loads the file, then what starts a bot, then the rest', () => {
  const tests = [...imports.keys()].filter((file) => file.startsWith('test/'))
  expect(orderOfTests(tests, imports)('src/orders/placer.ts')).toEqual([
    'test/orders/placer.test.ts',
    'test/orders/near.test.ts',
    'test/orders/far.test.ts',
    'test/scenarios/near.test.ts',
    'test/scenarios/placing.test.ts',
    'test/scenarios/buying.test.ts',
    'test/shop/habit.test.ts',
  ])
})

test('a test of another word that begins alike is not about the file', () => {
  const order = orderOfTests(['test/a/setting.test.ts', 'test/b/settling.test.ts'], imports)
  expect(order('src/orders/settler.ts')[0]).toBe('test/b/settling.test.ts')
})

test('a file loads what it imports and passes on, but no packages and no types', () => {
  const source = `
    import { a } from '../b/a.ts'
    import type { B } from './b.ts'
    import { z } from 'zod'
    export { c } from './c.ts'
    export type { D } from './d.ts'
    export * from './e.ts'
  `
  expect(importsOf('src/a/file.ts', source)).toEqual(['src/b/a.ts', 'src/a/c.ts', 'src/a/e.ts'])
})
