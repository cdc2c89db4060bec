import { expect, test } from 'vitest'
import { readable } from '../../../src/commands/sandbox/log-line.ts'

test('a line of the bot’s log becomes a readable line without process id and host name', () => {
  const line = JSON.stringify({
    level: 30,
    time: 0,
    pid: 7,
    hostname: 'here',
    msg: 'order placed',
    order: 12,
  })
  const { matters, text } = readable(line)
  expect(matters).toBe(false)
  expect(text).toMatch(/^\d\d:\d\d:\d\d info {2}order placed order=12$/)
})

test('warnings and errors are marked as important, and an error is shown by its message', () => {
  const err = { type: 'Error', message: 'no route', stack: 'Error: no route\n  at …' }
  const { matters, text } = readable(JSON.stringify({ level: 50, time: 0, msg: 'could not send', err }))
  expect(matters).toBe(true)
  expect(text).toContain('error could not send err="no route"')
})

test.each(['plain words', '42', '{"half":', '{"no":"level"}'])(
  'the output “%s”, which is not a log line, is shown unchanged',
  (line) => {
    expect(readable(line)).toEqual({ matters: true, text: line })
  },
)
