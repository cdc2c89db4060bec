import * as words from '../../../src/telegram/texts/bots.ts'
import { testTexts, type Values, type Wording } from './wording.ts'

const states = ['running', 'starting', 'stopped', 'halted', 'token', 'rival', 'failed'] as const

const botsOf = ({ text, flag }: Values) =>
  states.map((state) => ({
    ...{ username: text, state, ownerIds: flag ? [1, 2] : [] },
    accountId: flag ? 'account' : null,
    fault: state === 'failed' ? words.unknownFault : null,
  }))

const wording: Wording<typeof words> = {
  bots: (values) => [words.bots([], 0, 0), words.bots(botsOf(values).slice(0, 5), 1, 5, values.flag)],
  openLabel: ({ text }) => words.openLabel(text),
  bot: (values) => botsOf(values).map(words.bot),
  askNewToken: ({ text }) => words.askNewToken(text),
  added: ({ text }) => words.added(text),
  renewed: ({ text }) => words.renewed(text),
  isKnown: ({ text }) => words.isKnown(text),
  isOther: ({ text }) => words.isOther(text),
  disownLabel: ({ count }) => words.disownLabel(count),
  askRemove: ({ text }) => words.askRemove(text),
  removed: ({ text }) => words.removed(text, '/var/lib/bundlegram/bots/7000000001.db'),
  stoppedItself: ({ text }) => [words.stoppedItself(text, 'token'), words.stoppedItself(text, 'rival')],
}

testTexts(words, wording, {
  plain: ['openLabel', 'disownLabel', 'stoppedNow', 'startedNow', 'ownerRemoved', 'madeNow', 'notMadeNow'],
})
