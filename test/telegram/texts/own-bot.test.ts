import * as words from '../../../src/telegram/texts/own-bot.ts'
import { testTexts, type Wording } from './wording.ts'

const states = ['running', 'starting', 'stopped', 'halted', 'token', 'rival', 'failed'] as const

const wording: Wording<typeof words> = {
  openLabel: ({ text }) => words.openLabel(text),
  address: ({ text }) => words.address(text),
  notRun: ({ text }) => [words.notRun(text, words.accountHasOne), words.notRun(text, words.notOffered)],
  made: ({ text }) => words.made(text),
  delayed: ({ text }) => words.delayed(text),
  runs: ({ text }) => words.runs(text),
  ownBot: ({ text }) => states.map((state) => words.ownBot({ username: text, state })),
  askRemove: ({ text }) => words.askRemove(text),
  removed: ({ text }) => words.removed(text),
}

testTexts(words, wording, {
  plain: ['openLabel', 'address', 'stoppedNow', 'startedNow', 'notYoursToStart'],
})
