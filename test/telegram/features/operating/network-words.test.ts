import { expect, test } from 'vitest'
import { complaintRules } from '../../../../src/domain/order/complaint.ts'
import * as pausedWords from '../../../../src/telegram/cards/words/paused-or-down.ts'
import * as keptNumberWords from '../../../../src/telegram/features/contacts/kept-number-words.ts'
import * as operatingNetworkWords from '../../../../src/telegram/features/operating/network-words.ts'
import { now, phone } from '../../words/any-order.ts'
import { testTexts, times, type Wording } from '../../words/wording.ts'

const words = {
  downOnCard: pausedWords.downOnCard,
  downToast: pausedWords.downToast,
  downInList: pausedWords.downInList,
  waitsForNetwork: pausedWords.waitsForNetwork,
  numbersWaitForNetwork: pausedWords.numbersWaitForNetwork,
  ...keptNumberWords,
  ...operatingNetworkWords,
}

const html: Wording<typeof words> = {
  downSureLabel: ({ text }) => words.downSureLabel(text),
  askDown: ({ text }) => words.askDown(text),
  downLabel: ({ text }) => words.downLabel(text),
  backLabel: ({ text }) => words.backLabel(text),
  askBalanceCode: ({ flag }) => words.askBalanceCode(flag ? { MTN: '*124#' } : {}),
  balanceCodeSet: ({ text, flag }) => words.balanceCodeSet(text, flag ? '*124#' : null),
  ruleWords: () => [null, ...complaintRules].map(words.ruleWords),
  ruleLabel: ({ text }) => words.ruleLabel(text, '24h'),
  networkMarkedDown: ({ text }) => words.networkMarkedDown(text),
  networkMarkedBack: ({ text }) => words.networkMarkedBack(text),
  downToast: ({ text }) => words.downToast(text),
  portedLabel: ({ count }) => words.portedLabel(count),
  forgetLabel: ({ text }) => words.forgetLabel(phone, text),
  networkWords: ({ flag }) =>
    [null, [], ['MTN', 'Telecel']].map((named) => words.networkWords(flag ? named : null)),
  networks: ({ text, count, flag }) =>
    words.networks(times(count % 5, { network: text, since: flag ? now : null }), now),
  prefixes: ({ flag }) => words.prefixes({ '024': ['MTN'], '0256': [] }, new Set(flag ? ['0256'] : [])),
  notAPrefix: ({ text, flag }) => words.notAPrefix(flag ? 'network' : 'prefix', text),
  prefixSet: ({ flag }) => words.prefixSet('0256', flag ? null : ['MTN', 'Telecel']),
  downOnCard: ({ text }) => words.downOnCard(text, now, now),
  downInList: ({ text, count }) => words.downInList([text], count),
  waitsForNetwork: ({ text }) => words.waitsForNetwork(text),
  numbersWaitForNetwork: ({ text, count }) => words.numbersWaitForNetwork(text, count),
  ported: ({ count }) => words.ported(count, Math.min(count, 30)),
}

testTexts(words, html, {
  plain: [
    'downLabel',
    'downSureLabel',
    'backLabel',
    'networkMarkedDown',
    'networkMarkedBack',
    'ruleWords',
    'ruleLabel',
    'downToast',
    'portedLabel',
    'forgetLabel',
  ],
})

test.each([
  [['MTN'], 'MTN is down'],
  [['MTN', 'Telecel'], 'MTN and Telecel are down'],
  [['MTN', 'Telecel', 'AirtelTigo'], 'MTN, Telecel and AirtelTigo are down'],
])('a list’s preview names the networks %j that are down in one readable phrase', (down, said) => {
  expect(words.downInList(down, 2)).toContain(`${said}</b>: 2 numbers left out`)
})

test('the numbers of a list that wait for a network share one line on its card', () => {
  expect(words.numbersWaitForNetwork('MTN', 2)).toBe(
    '📴 MTN is down: 2 numbers are waiting. Not sent, not charged. I’ll send them when MTN is back, but after 15 minutes I’ll ask you first.',
  )
})
