import { describe, expect, test } from 'vitest'
import { commandOf, usualFolders } from './options.ts'

test('without options sixty are drawn in half an hour', () => {
  expect(commandOf([])).toEqual({
    kind: 'run',
    seed: 1,
    count: 60,
    minutes: 30,
    only: usualFolders,
    these: [],
    from: undefined,
    json: undefined,
    list: false,
  })
})

test('mutants of a report are named by their numbers', () => {
  expect(commandOf(['--from', 'before.json', '--these', '3,17'])).toMatchObject({
    from: 'before.json',
    these: [3, 17],
  })
})

describe('a mistake is told', () => {
  test.each([
    [['--minutes', '0'], '--minutes takes a whole number from 1, not 0'],
    [['--these', '3,x'], '--these takes numbers such as 3,17, not 3,x'],
    [['--what'], "Unknown option '--what'"],
  ])('%j', (args, sentence) => {
    const command = commandOf(args)
    expect(command.kind === 'mistake' && command.sentence).toContain(sentence)
  })
})
