import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { answerTo } from '../../src/start/arguments.ts'
import { runCommand } from '../support/bot/command.ts'

test('without arguments the bot starts, and prints neither help nor version', () => {
  expect(answerTo([])).toBeNull()
})

test('the bot’s --help explains what a start does, and --version shows the version', () => {
  expect(answerTo(['--help'])).toEqual({ words: expect.stringContaining('npm start -- '), exitCode: 0 })
  expect(answerTo(['--version'])).toEqual({ words: manifest.version, exitCode: 0 })
})

test('an unknown option of the bot is refused in one line that names --help', () => {
  expect(answerTo(['--prot', '80'])).toEqual({
    words: '“--prot” is not an option. npm start -- --help shows the options.',
    exitCode: 1,
  })
})

test.each(['backup', 'db-move', 'doctor', 'restored', 'rotate-key'])(
  'the command %s shows its version',
  async (command) => {
    expect(await runCommand(command, ['--version'])).toEqual({
      code: 0,
      out: `${manifest.version}\n`,
      err: '',
    })
  },
)
