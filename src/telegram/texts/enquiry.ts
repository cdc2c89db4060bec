import { longestMessage, type Refusal } from '../../orders/enquiries.ts'
import type { PricelessOrder } from '../../orders/order.ts'
import { escapeHtml, foreignWord, oneLine } from '../screen.ts'
import { duration } from '../time.ts'
import { bundleOf } from './bundle.ts'
import { b, code } from './markup.ts'
import { howMany } from './recipients.ts'
import { numberOr } from './removed.ts'
import { markOf, statusWord } from './status.ts'

/** The words of questions to the shop and their answers: part of the catalogue. */

/** What a person wrote to another, set apart, so that nothing in it can pass for words of the bot. */
const quoted = (text: string) =>
  `<blockquote>${escapeHtml(
    text
      .toWellFormed()
      .trim()
      .replace(/\n{3,}/g, '\n\n') || '…',
  )}</blockquote>`

export const enquiryLabels = {
  ask: '💬 Ask the shop',
  askAgain: '💬 Ask again',
  answer: '✍️ Answer',
  openOrder: '🧾 Open order',
  block: '🚫 Block',
  unblock: '↩️ Unblock',
} as const

/** Stands wherever a customer and a shop write to each other. */
const noSecrets = '⚠️ No shop needs your PIN, a password or a code. Never send one.'

/** An order that is spoken of. @param whom its number as the reader may see it. */
const orderLine = (order: PricelessOrder, whom: string) =>
  `${markOf(order)} ${bundleOf(order)} for ${whom}: ${b(statusWord(order))}${order.reference ? `\n${code(order.reference)}` : ''}`

// ── The customer's side ────────────────────────────────────────────────────────────────────────────────────────

export const askQuestion = (order: PricelessOrder, maskedWhom: string) =>
  [
    `${b('Ask the shop')} about ${bundleOf(order)} for ${maskedWhom}.`,
    '',
    `Write your question in one message (${longestMessage} characters at most). The shop gets it with this order, without your name or number; its answer comes here.`,
    noSecrets,
  ].join('\n')

export const questionSent = '✅ Your question is with the shop. The answer comes here.'

/** @param what `question` or `answer`. */
export const tooLong = (what: string, length: number) =>
  `That is too long: ${length} characters, and ${longestMessage} fit. Nothing was sent. Send the ${what} again in fewer words, or /cancel.`
export const notText = (what: string) =>
  `Only text can be passed on, no pictures, voice messages or files. Nothing was sent. Write the ${what}, for example <code>${what === 'answer' ? 'It is on its way.' : 'When will it arrive?'}</code>, or /cancel.`

export const refused = (refusal: Refusal): string => {
  switch (refusal.kind) {
    case 'nobody':
      return 'The question cannot be delivered: the shop is not connected to this bot any more. Nothing was sent. Please reach it the way you ordered.'
    case 'blocked':
      return 'This shop takes no questions here at the moment. Nothing was sent. Please reach it the way you ordered.'
    case 'unanswered':
      return 'The shop has your last question about this order and has not answered yet. Nothing more was sent. You can ask again when it has, or tomorrow.'
    case 'too_many':
      return 'Three of your questions have no answer yet. Nothing more was sent. You can ask again when one is answered, or tomorrow.'
    case 'too_often':
      return `You have asked a lot in a short time. Nothing was sent. You can ask again in ${duration(refusal.waitMs)}.`
  }
}
export const ownOrder = 'This order is yours: there is nobody else to ask.'

/** @param shop the name that the shop has given itself. */
export const answer = (
  order: PricelessOrder,
  maskedWhom: string,
  said: { shop: string | null; question: string; answer: string },
) =>
  [
    `💬 ${said.shop === null ? 'The shop' : `A shop that calls itself ${b(foreignWord(said.shop))}`} says:`,
    quoted(said.answer),
    `You asked: “${escapeHtml(oneLine(said.question, 120))}”`,
    '',
    orderLine(order, maskedWhom),
    '',
    noSecrets,
  ].join('\n')

// ── The shop's side ────────────────────────────────────────────────────────────────────────────────────────────

interface EnquiryContext {
  /** The name that the order's number is saved with. */
  name: string | null
  /** Null: its customer had it deleted. */
  question: string | null
  isAnswered: boolean
  isBlocked: boolean
}

export const enquiry = (order: PricelessOrder, context: EnquiryContext) =>
  [
    `💬 ${b('A customer asks:')}`,
    context.question === null ? 'They have deleted what they asked.' : quoted(context.question),
    orderLine(order, whomOf(order, context.name)),
    ...paragraph(enquiryNote(context)),
  ].join('\n')

const paragraph = (text: string | null): string[] => (text === null ? [] : ['', text])

const enquiryNote = ({ question, isAnswered, isBlocked }: EnquiryContext): string | null => {
  if (isBlocked) return 'This customer is blocked: no more questions of theirs come here.'
  if (question === null) return null
  return `${isAnswered ? '✅ You have answered this. To add something' : 'To answer'}, press Answer or reply to this message. You do not see each other’s names.`
}

const whomOf = ({ recipients: [first, ...others] }: PricelessOrder, name: string | null): string => {
  if (!first || others.length > 0) return howMany(others.length + 1)
  return `${code(numberOr(first.phone))}${name === null ? '' : ` (${foreignWord(name)})`}`
}

export const askAnswer = (question: string) =>
  [
    b('Your answer to:'),
    quoted(question),
    `Write it in one message (${longestMessage} characters at most). The customer does not see who you are, only the shop’s name where one is set.`,
  ].join('\n')

export const answerSent = '✅ Your answer is with the customer.'
export const enquiryGone =
  'This question is not here any more: its customer deleted it, or its order is not yours. Nothing was sent.'
export const answerLooksLikeOrder =
  'That reads like an order or a reference, so it was not sent to the customer. If it was your answer, reply to the question’s message with it.'
export const blockedToast = 'No more questions of this customer come to you.'
export const unblockedToast = 'This customer may ask you again.'
