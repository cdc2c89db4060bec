import { describe, expect, test } from 'vitest'
import { parseHtml } from '../../../../src/sandbox/index.ts'
import * as commandMenuWords from '../../../../src/telegram/chat/profile/command-menu-words.ts'
import * as words from '../../../../src/telegram/features/home/help-words.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const menuWords = { commandMenu: commandMenuWords.commandMenu }

const { commandMenu } = menuWords
const { help, helpLabels, helpOn, topicsFor } = words

const roles = ['owner', 'agent', null] as const
const wording: Omit<Wording<typeof words>, 'topicsFor'> = {
  help: () => roles.map(help),
  helpOn: () => roles.flatMap((role) => topicsFor(role).map((topic) => helpOn(topic, role))),
}

testTexts(menuWords, {})
testTexts(words, wording, {
  others: ['topicsFor'],
  toAgents: { help: () => [help('agent'), ...topicsFor('agent').map((topic) => helpOn(topic, 'agent'))] },
})

const whole = (role: (typeof roles)[number]): string =>
  [help(role), ...topicsFor(role).map((topic) => helpOn(topic, role))].join('\n')

describe.each(roles)('the help for the role %s', (role) => {
  test('is valid for Telegram, and each screen is short enough for a small phone', () => {
    for (const text of [help(role), ...topicsFor(role).map((topic) => helpOn(topic, role))]) {
      const { text: plain } = parseHtml(text)
      expect(plain.length).toBeLessThan(700)
      expect(plain).not.toMatch(/undefined|null|NaN/)
    }
  })
})

test('the owner’s help mentions every command that does not explain itself', () => {
  const told = whole('owner')
  const own = ['start', 'help', 'connect']
  const all = commandMenu.members.map(([name]) => name)
  expect(all.filter((name) => !own.includes(name) && !told.includes(`/${name}`))).toEqual([])
})

test('the help mentions no command that its reader cannot use', () => {
  expect(whole('agent')).not.toMatch(/\/agents|\/transactions|low balance|profit/i)
  expect(whole(null)).not.toMatch(/\/(buy|balance|prices|customers)/)
})

test('the label of each help topic is short enough for two buttons in a row', () => {
  for (const label of Object.values(helpLabels)) expect(label.length).toBeLessThanOrEqual(20)
})
