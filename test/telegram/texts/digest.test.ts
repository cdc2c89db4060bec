import { maskPhone } from '../../../src/provider/phone.ts'
import { maxNamed } from '../../../src/relay/digest.ts'
import * as words from '../../../src/telegram/texts/digest.ts'
import { phone } from './any-order.ts'
import { testTexts, times, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  digest: ({ order, text, count, flag }) =>
    words.digest(
      times(Math.min(count, maxNamed), words.digestLine(order, ['proof', 'other_price', 'refund'])),
      times(count, [text, count]),
      flag,
    ),
  digestLine: ({ order }) => words.digestLine(order, []),
  followedDigestLine: ({ order }) => words.followedDigestLine(order, maskPhone(phone)),
}

testTexts(words, html)
