import { expect, test } from 'vitest'
import { commandOf, defaultPort } from '../../../src/commands/sandbox/options.ts'

test('without options the sandbox runs on its usual port and keeps no data', () => {
  expect(commandOf([])).toEqual({
    kind: 'run',
    options: { port: defaultPort, keep: null, verbose: false, noBot: false },
  })
})

test('the sandbox’s port and folder can be chosen', () => {
  const command = commandOf(['--port', '8000', '--keep', 'data', '--verbose'])
  expect(command).toEqual({ kind: 'run', options: { port: 8000, keep: 'data', verbose: true, noBot: false } })
})

test('the sandbox can run without the bot, and then refuses the option to keep the bot’s data', () => {
  expect(commandOf(['--no-bot'])).toMatchObject({ kind: 'run', options: { noBot: true } })
  expect(commandOf(['--no-bot', '--keep', 'data'])).toMatchObject({
    kind: 'mistake',
    sentence: expect.stringContaining('--keep'),
  })
})

test('--version asks the sandbox for its version', () => {
  expect(commandOf(['--version'])).toEqual({ kind: 'version' })
})

test('--help asks the sandbox for its help', () => {
  expect(commandOf(['--help'])).toEqual({ kind: 'help' })
})

test.each([
  [['--port', 'eighty'], 'not eighty'],
  [['--port', '70000'], 'not 70000'],
  [['--port'], '--port'],
  [['--colour'], '--colour'],
  [['chat'], 'chat'],
])('the sandbox refuses the options %j in a sentence that names the mistake', (args, named) => {
  const command = commandOf(args)
  expect(command).toMatchObject({ kind: 'mistake' })
  expect(command.kind === 'mistake' && command.sentence).toContain(named)
})
