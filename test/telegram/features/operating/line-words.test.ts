import * as warningWords from '../../../../src/telegram/cards/words/warning.ts'
import * as tokenWords from '../../../../src/telegram/chat/alerts/token-words.ts'
import { foreignWord, oneLine } from '../../../../src/telegram/chat/screen.ts'
import * as outageWords from '../../../../src/telegram/chat/updates/outage-words.ts'
import * as lineWords from '../../../../src/telegram/features/operating/line-words.ts'
import * as chargeWords from '../../../../src/telegram/words/charge.ts'
import * as markupWords from '../../../../src/telegram/words/markup.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, times, type Wording } from '../../words/wording.ts'

const oddAnswerWords = { otherPhone: warningWords.otherPhone }
const words = { ...lineWords, span: markupWords.span }
const refundWords = {
  refundSeen: chargeWords.refundSeen,
  refundWords: chargeWords.refundWords,
  isRefunded: chargeWords.isRefunded,
}

const causes = ['full', 'read_only', 'locked', 'unreachable', 'failing'] as const
const lengthsMs = [0, 1, 59, 60, 119, 120, 3_600, 7_200, 172_800, 864_000].map((seconds) => seconds * 1_000)

const html: Wording<typeof words> = {
  placementWord: ({ order }) => words.placementWord(order.placement),
  span: () => lengthsMs.map(words.span),
  sinceFor: () => lengthsMs.map((ms) => words.sinceFor(new Date(now.getTime() - ms), now)),
  title: ({ text, count }) => words.title(foreignWord(text) || 'Orders', count),
  numbered: ({ text, count }) => words.numbered(count, times(count % 9, foreignWord(text))),
}

testTexts(words, html)

const oddAnswer: Wording<typeof oddAnswerWords> = {
  otherPhone: ({ text }) => oddAnswerWords.otherPhone(text),
}

testTexts(oddAnswerWords, oddAnswer)

const outage: Wording<typeof outageWords> = {
  causeInWords: () => causes.map(outageWords.causeInWords),
  toldOperators: () => causes.map(outageWords.toldOperators),
}

testTexts(outageWords, outage)

const token: Wording<typeof tokenWords> = {
  updatesTaken: ({ text, flag, count }) => tokenWords.updatesTaken(flag ? text : null, count % 2 === 0),
  rivalReads: ({ count }) => tokenWords.rivalReads((count + 1) * 1_000),
  renamed: ({ text }) => tokenWords.renamed(oneLine(text), oneLine(text)),
}

testTexts(tokenWords, token)

const refund: Wording<typeof refundWords> = {
  refundSeen: ({ order }) =>
    (['whole', 'part', 'none'] as const).map((refund) => refundWords.refundSeen({ ...order, refund })),
  refundWords: ({ order }) =>
    (['whole', 'part', 'none'] as const).map((refund) => refundWords.refundWords({ ...order, refund })),
}

testTexts(refundWords, refund, { others: ['isRefunded'] })
