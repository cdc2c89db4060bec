import type { PricelessOrder } from '../../../domain/order/order.ts'
import { type EnquiryRefusal, maxMessageLength, maxUnanswered } from '../../../orders/following/enquiries.ts'
import { escapeHtml, foreignWord, oneLine } from '../../chat/screen.ts'
import { duration } from '../../chat/time.ts'
import { bundleOf } from '../../words/bundle.ts'
import { b, code } from '../../words/markup.ts'
import { howMany, phoneText } from '../../words/numbers.ts'
import { orderMark, statusWord } from '../../words/order-state.ts'

/** Customers' questions and the shop's answers. */

/** A person's text as a quote, so that nobody takes it for the bot's words. */
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

/** Shown wherever customers and shops write to each other. */
const noSecrets = '⚠️ No shop needs your PIN, a password or a code. Never send one.'

/** The line about the order. @param whom the order's number, as the reader may see it. */
export const orderLine = (order: PricelessOrder, whom: string) =>
  `${orderMark(order)} ${bundleOf(order)} for ${whom}: ${b(statusWord(order))}${order.reference ? `\n${code(order.reference)}` : ''}`

// ── The customer's side ────────────────────────────────────────────────────────────────────────────────────────

export const sendQuestion = 'Send your question in one message'

export const askQuestion = (order: PricelessOrder, maskedWhom: string) =>
  [
    `${b('Ask the shop')} about ${bundleOf(order)} for ${maskedWhom}.`,
    `${sendQuestion}, at most ${maxMessageLength} characters. The shop doesn’t see your name or number. You’ll get the answer here.`,
  ].join('\n')

export const questionSent = '✅ Sent to the shop. You’ll get the answer here.'

/** @param what `question` or `answer`. */
export const tooLong = (what: string, length: number) =>
  `Too long: ${length} characters, and the limit is ${maxMessageLength}. Nothing was sent. Send a shorter ${what}, or /cancel.`
export const notText = (what: string) =>
  `I can only pass on text, not pictures, voice notes or files. Nothing was sent. Write your ${what}, for example <code>${what === 'answer' ? 'It’s on its way.' : 'When will it arrive?'}</code>, or /cancel.`

export const refused = (refusal: EnquiryRefusal): string => {
  switch (refusal.kind) {
    case 'nobody':
      return 'The shop no longer uses this bot. Nothing was sent. Please contact the shop the same way you ordered.'
    case 'blocked':
      return 'This shop isn’t taking questions here at the moment. Nothing was sent. Please contact the shop the same way you ordered.'
    case 'unanswered':
      return 'The shop hasn’t answered your last question about this order yet, so nothing was sent. Try again when you get an answer, or tomorrow.'
    case 'too_many':
      return `${maxUnanswered} of your questions haven’t been answered yet, so nothing was sent. Try again when you get an answer, or tomorrow.`
    case 'too_often':
      return `Too many questions. Nothing was sent. You can ask again in ${duration(refusal.waitMs)}.`
  }
}
export const ownOrder = 'This is your own order, so there’s no shop to ask.'

/** @param said.shop the name that the shop gives itself. */
export const answer = (
  order: PricelessOrder,
  maskedWhom: string,
  said: { shop: string | null; question: string; answer: string },
) =>
  [
    `💬 ${said.shop === null ? 'The shop' : b(foreignWord(said.shop))} says:`,
    quoted(said.answer),
    `You asked: “${escapeHtml(oneLine(said.question, 120))}”`,
    '',
    orderLine(order, maskedWhom),
    '',
    noSecrets,
  ].join('\n')

// ── The shop's side ────────────────────────────────────────────────────────────────────────────────────────────

interface EnquiryContext {
  /** The saved name of the order's number. */
  name: string | null
  /** Null: the customer deleted the question. */
  question: string | null
  isAnswered: boolean
  isBlocked: boolean
}

export const enquiry = (order: PricelessOrder, context: EnquiryContext) =>
  [
    ...(context.question === null
      ? [`💬 ${b('A customer has deleted their question.')}`]
      : [`💬 ${b('A customer asks:')}`, quoted(context.question)]),
    orderLine(order, whomOf(order, context.name)),
    ...paragraph(enquiryNote(context)),
  ].join('\n')

const paragraph = (text: string | null): string[] => (text === null ? [] : ['', text])

const enquiryNote = ({ question, isAnswered, isBlocked }: EnquiryContext): string | null => {
  if (isBlocked) return 'You blocked this customer’s questions.'
  if (question === null) return null
  return `${isAnswered ? '✅ Answered. To add something' : 'To answer'}, reply to this message or press <b>Answer</b>. The customer doesn’t see your name.`
}

const whomOf = ({ recipients: [first, ...others] }: PricelessOrder, name: string | null): string => {
  if (!first || others.length > 0) return howMany(others.length + 1)
  return `${phoneText(first.phone)}${name === null ? '' : ` (${foreignWord(name)})`}`
}

export const askAnswer = (question: string) =>
  [
    b('Your answer to:'),
    quoted(question),
    `Send it in one message, at most ${maxMessageLength} characters. The customer sees only your shop’s name, if you’ve set one.`,
  ].join('\n')

export const answerSent = '✅ Sent to the customer.'
export const enquiryGone =
  'This question is gone: the customer deleted it, or the order isn’t yours. Nothing was sent.'
export const answerLooksLikeOrder =
  'That looks like an order or a reference, so I didn’t send it to the customer. If it was your answer, send it as a reply to the question.'
export const blockedToast = 'This customer can’t ask you any more.'
export const unblockedToast = 'This customer can ask you again.'
