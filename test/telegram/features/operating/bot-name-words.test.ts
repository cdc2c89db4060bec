import * as words from '../../../../src/telegram/features/operating/bot-name-words.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const most = 64

const standings = ({ text }: Values): words.ShownStanding[] => [
  { kind: 'left' },
  { kind: 'published', name: text },
  { kind: 'refused', name: text },
  { kind: 'waiting', name: text, until: now },
]

const wording: Wording<typeof words> = {
  askBotName: (values) =>
    standings(values).map((each) => words.askBotName(values.flag ? values.text : null, each, { most, now })),
  botNameChosen: (values) => standings(values).map((each) => words.botNameChosen(each, now)),
  botNameTooLong: ({ count }) => words.botNameTooLong(count, most),
}

testTexts(words, wording, { plain: ['botNameLeft'] })
