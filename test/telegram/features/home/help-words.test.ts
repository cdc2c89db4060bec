import { describe, expect, test } from 'vitest'
import { parseHtml } from '../../../../src/sandbox/index.ts'
import { helpTopics } from '../../../../src/telegram/buttons/help.ts'
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

describe.each(roles)('the help of %s', (role) => {
  test('is markup that Telegram takes, each screen short enough for a small phone', () => {
    for (const text of [help(role), ...topicsFor(role).map((topic) => helpOn(topic, role))]) {
      const { text: plain } = parseHtml(text)
      expect(plain.length).toBeLessThan(700)
      expect(plain).not.toMatch(/undefined|null|NaN/)
    }
  })
})

test('an owner is told of every command that there is but those that say themselves', () => {
  const told = whole('owner')
  const own = ['start', 'help', 'connect']
  const all = commandMenu.members.map(([name]) => name)
  expect(all.filter((name) => !own.includes(name) && !told.includes(`/${name}`))).toEqual([])
})

test('nobody is told of what they do not have', () => {
  expect(whole('agent')).not.toMatch(/\/agents|\/transactions|low balance|profit/i)
  expect(whole(null)).not.toMatch(/\/(buy|balance|prices|customers)/)
  expect(topicsFor('owner')).toEqual(helpTopics)
})

test('a topic’s button is short enough to stand beside another', () => {
  for (const label of Object.values(helpLabels)) expect(label.length).toBeLessThanOrEqual(20)
})
