import { expect, test } from 'vitest'
import { commandMenu } from '../../../src/telegram/chat/profile/command-menu-words.ts'
import { features } from '../../../src/telegram/features/features.ts'

const namesOf = (part: 'commands' | 'presses' | 'questions' | 'links' | 'texts'): string[] =>
  features.flatMap((feature) => Object.keys(feature[part] ?? {}))

test('no command, button, question, link or kind of text belongs to two of the bot’s features', () => {
  for (const part of ['commands', 'presses', 'questions', 'links', 'texts'] as const) {
    const names = namesOf(part)
    expect(names.length, part).toBeGreaterThan(2)
    expect(new Set(names).size, part).toBe(names.length)
  }
})

test('each command of Telegram’s menu belongs to one of the bot’s features', () => {
  const menu = Object.values(commandMenu).flatMap((rows) => rows.map(([name]) => name))
  expect(menu.filter((name) => !namesOf('commands').includes(name))).toEqual([])
})
