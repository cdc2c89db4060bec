import { placements } from '../../../src/orders/placement.ts'
import * as words from '../../../src/telegram/texts/operator.ts'
import { testTexts, times, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  admin: ({ text, count }) => words.admin(times(placements.length, { placement: text, count }), count),
  invitation: () => words.invitation('https://t.me/bot?start=i1'),
}

testTexts(words, html)
