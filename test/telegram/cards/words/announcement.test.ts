import * as words from '../../../../src/telegram/cards/words/announcement.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, times, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {
  announceStatus: ({ order, text, flag }) =>
    words.announceStatus(order, text, flag, !flag, flag ? text : null),
  announceOtherPrice: ({ order }) => words.announceOtherPrice(order),
  announceOvercharge: ({ order, money, count }) =>
    words.announceOvercharge(order, {
      about: 'overcharged',
      debits: count,
      chargedPesewas: money,
      pricePesewas: money,
    }),
  announceUnconfirmed: ({ order }) => words.announceUnconfirmed(order),
  announceProof: ({ order }) => words.announceProof(order),
  announceMistaken: ({ order, text }) => words.announceMistaken(order, text),
  announceOtherReference: ({ order, text }) => words.announceOtherReference(order, text),
  announceTwoReferences: ({ order, text }) => words.announceTwoReferences(order, text),
  announceSecondStatus: ({ order, text }) => words.announceSecondStatus(order, text, text),
  announceSecondRefund: ({ order, text, money }) => words.announceSecondRefund(order, text, money),
  announceRefund: ({ order }) => words.announceRefund(order),
  announceDoubtToAgent: ({ order }) => words.announceDoubtToAgent(order),
  announceDoubt: ({ order, money, text, count, flag }) =>
    words.announceDoubt(
      order,
      {
        about: 'doubt',
        debits: times(1 + (count % 10), {
          reference: flag ? text : null,
          description: flag ? null : text,
          amountPesewas: money,
          atMs: null,
        }),
        more: 3,
        others: [{ network: text, volume: text, quantity: 1 + (count % 3), sentAtMs: now.getTime() }],
        isShared: flag,
      },
      now,
    ),
}

testTexts(words, html, {
  toAgents: { announceDoubtToAgent: ({ order }) => words.announceDoubtToAgent(order) },
})
