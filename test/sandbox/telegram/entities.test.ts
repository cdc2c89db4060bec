import { describe, expect, it } from 'vitest'
import { trimmed, withFoundEntities } from '../../../src/sandbox/telegram/messages/entities.ts'

const found = (text: string) =>
  withFoundEntities({ text, entities: [] }).entities.map(({ type, offset, length }) => [
    type,
    text.slice(offset, offset + length),
  ])

describe('the simulated Telegram marks commands, links and mentions', () => {
  it.each([
    ['/buy 0241234567 5GB', [['bot_command', '/buy']]],
    ['/status@some_bot x', [['bot_command', '/status@some_bot']]],
    ['see /help, or 1/2 and a/b', [['bot_command', '/help']]],
    ['see https://example.org/a?b=c.', [['url', 'https://example.org/a?b=c']]],
    ['see t.me/some_bot?start=x now', [['url', 't.me/some_bot?start=x']]],
    ['http://localhost:3000 is none', []],
    ['mail to a.b@example.org', [['email', 'a.b@example.org']]],
    ['ask @somebody', [['mention', '@somebody']]],
    ['call +233241234567', [['phone_number', '+233241234567']]],
    ['#bundles #1', [['hashtag', '#bundles']]],
    ['5GB · GHS 23.50', []],
  ])('correctly in “%s”', (text, entities) => {
    expect(found(text)).toEqual(entities)
  })

  it('except within code', () => {
    const code = { type: 'code' as const, offset: 0, length: 5 }
    expect(withFoundEntities({ text: '/help', entities: [code] }).entities).toEqual([code])
  })
})

it('the simulated Telegram removes white space around a text, and the markup stays on its words', () => {
  const bold = { type: 'bold' as const, offset: 1, length: 4 }
  expect(trimmed({ text: ' \n ab\n', entities: [bold] })).toEqual({
    text: 'ab',
    entities: [{ type: 'bold', offset: 0, length: 2 }],
  })
})
