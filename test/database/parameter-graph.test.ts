import { expect, test } from 'vitest'
import { config } from '../../src/database/client/internal/class.ts'
import { frequentFirst } from '../../src/database/parameter-graph.ts'

const written = (...bytes: number[]): string => Buffer.from(bytes).toString('base64url')

test('the names that stand in the graph most often come first, and each node keeps its fields', () => {
  const types = [0x81, 0x01]
  const { strings, graph } = frequentFirst({
    strings: ['Color', 'Order.findMany', 'rare', 'common'],
    graph: written(
      ...[2, 1, 1],
      // Two nodes of input: { rare: an enum of Color }, and { common, rare: the node 1 }.
      ...[1, ...[2, ...types, 0, 1, 2]],
      ...[2, ...[3, ...types, 0, 0, 1], ...[2, 0, 0, 2, 0, 32]],
      // One of output, in which both stand, and one query.
      ...[2, ...[3, 1, 0], ...[2, 0, 1]],
      ...[1, 2, 1],
    ),
  })
  expect(strings).toEqual(['rare', 'common', 'Color', 'Order.findMany'])
  expect(graph).toBe(
    written(
      ...[2, 1, 1],
      ...[1, ...[0, ...types, 0, 3, 2]],
      ...[2, ...[1, ...types, 0, 0, 1], ...[0, 0, 0, 2, 0, 32]],
      ...[2, ...[1, 1, 0], ...[0, 0, 1]],
      ...[3, 2, 1],
    ),
  )
})

test('a place above 127 takes two bytes', () => {
  const strings = Array.from({ length: 200 }, (_, place) => `name ${place}`)
  const same = { strings, graph: written(0, 0, 1, ...[128 + 71, 1, 0, 0]) }
  expect(frequentFirst(same)).toEqual(same)
})

test('a graph of another form is refused', () => {
  expect(() => frequentFirst({ strings: ['name'], graph: written(0, 0, 0, 7) })).toThrow('differently')
})

test('the committed client has them in that order', () => {
  expect(frequentFirst(config.parameterizationSchema)).toEqual(config.parameterizationSchema)
})
