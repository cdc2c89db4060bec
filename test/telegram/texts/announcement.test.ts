import * as words from '../../../src/telegram/texts/announcement.ts'
import { now } from './any-order.ts'
import { testTexts, times, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  announceStatus: ({ order, text, flag }) =>
    words.announceStatus(order, text, flag, !flag, flag ? text : null),
  announceOtherPrice: ({ order }) => words.announceOtherPrice(order),
  announceProof: ({ order }) => words.announceProof(order),
  announceMistaken: ({ order, text }) => words.announceMistaken(order, text),
  announceOtherReference: ({ order, text }) => words.announceOtherReference(order, text),
  announceRefund: ({ order }) => words.announceRefund(order),
  announceDoubtToAgent: ({ order }) => words.announceDoubtToAgent(order),
  announceDoubt: ({ order, money, text, count }) =>
    words.announceDoubt(
      order,
      times(1 + (count % 10), { reference: text, amountPesewas: money, atMs: null }),
      3,
      now,
    ),
}

testTexts(words, html)
