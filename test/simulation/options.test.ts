import { describe, expect, test } from 'vitest'
import { commandOf } from './options.ts'

test('without options, the simulation runs twenty seeds on one thread', () => {
  expect(commandOf([])).toEqual({
    kind: 'run',
    firstSeed: 1,
    seeds: 20,
    seconds: null,
    purchases: 25,
    instances: undefined,
    workers: 1,
  })
})

test('the simulation replays a single seed, or begins with it if a number of seeds is given', () => {
  const size = { purchases: 25, instances: undefined }
  expect(commandOf(['--seed', '7'])).toEqual({ kind: 'replay', seed: 7, ...size })
  expect(commandOf(['--seed', '7', '--seeds', '3'])).toMatchObject({ kind: 'run', firstSeed: 7, seeds: 3 })
  expect(commandOf(['--seed', '7', '--seconds', '60'])).toMatchObject({ firstSeed: 7, seconds: 60 })
})

test('the simulation’s threads share the seeds or the mutations', () => {
  expect(commandOf(['--seeds', '5000', '--workers', '2'])).toMatchObject({ seeds: 5_000, workers: 2 })
  expect(commandOf(['--mutations'])).toEqual({
    kind: 'mutations',
    names: [],
    workers: 1,
    judgedAlone: false,
  })
  expect(
    commandOf(['--mutations', 'the rule that a status cannot fall back', '--workers', '2', '--judge-alone']),
  ).toEqual({
    kind: 'mutations',
    names: ['the rule that a status cannot fall back'],
    workers: 2,
    judgedAlone: true,
  })
})

describe('the simulation explains what is wrong with the options', () => {
  test.each([
    [['--workers', '0'], '--workers must be a whole number of at least 1, not 0'],
    [['--workers', 'all'], '--workers must be a whole number of at least 1, not all'],
    [['--workers', '65'], '--workers must be at most 64, not 65'],
    [['--mutations', '--workers', '65'], '--workers must be at most 64, not 65'],
    [['--instances', '17'], '--instances must be at most 16, not 17'],
    [['--seeds', '1.5'], '--seeds must be a whole number of at least 1, not 1.5'],
    [['--what'], "Unknown option '--what'"],
    [
      ['the rule that a status cannot fall back'],
      'Names, such as the rule that a status cannot fall back, are allowed only with --mutations',
    ],
  ])('%j', (args, sentence) => {
    const command = commandOf(args)
    expect(command.kind === 'mistake' && command.sentence).toContain(sentence)
  })
})
