import type { Message } from 'grammy/types'
import type { Order } from '../../../domain/order/order.ts'
import { standsForItself } from '../../../lists/recognition.ts'
import { mayRead } from '../../../orders/buying/purchases.ts'
import { type EnquiryRefusal, maxMessageLength } from '../../../orders/following/enquiries.ts'
import { isForgotten } from '../../../store/chats/enquiries.ts'
import { type ButtonPress, decodePress } from '../../buttons/table.ts'
import { enquiryCard } from '../../cards/enquiry-card.ts'
import * as words from '../../cards/words/enquiry.ts'
import { askNext, type BotContext, endQuestion, messageCause, type Question } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { readReference } from '../../chat/reference.ts'
import { askingFor, type Button, button, leaveButton } from '../../chat/screen.ts'
import { hints } from '../../words/hints.ts'
import { maskedWhom } from '../../words/numbers.ts'
import { orderGone } from '../../words/unusable.ts'
import type { TextReader } from '../feature.ts'

const { enquiryLabels } = words
const leaveRows: Button[][] = [[leaveButton]]
const openRows = (orderId: string): Button[][] => [
  [button(enquiryLabels.openOrder, { do: 'open_shared', orderId })],
]

/** A pending question that asks for a question to the shop, or for the shop's answer. */
type EnquiryQuestion = Extract<Question, { what: 'ask' | 'answer' }>

/** Handles a button about a question to the shop, or about its answer. */
export const pressEnquiry = async (
  ctx: BotContext,
  { act }: Extract<ButtonPress, { do: 'enquiry' }>,
): Promise<void> => {
  switch (act.act) {
    case 'ask':
      return beginQuestion(ctx, act.orderId)
    case 'answer':
      return beginAnswer(ctx, act.enquiryId)
    case 'block':
      return block(ctx, act.enquiryId, true)
    case 'unblock':
      return block(ctx, act.enquiryId, false)
    default:
      return act satisfies never
  }
}

/**
 * The order, unless it is the person's own. No further check is needed: the order's id is too long to guess, so only
 * people who have seen the order can press its button.
 */
const othersOrder = async (ctx: BotContext, orderId: string): Promise<Order | null> => {
  const order = await ctx.services.store.orders.byId(orderId)
  const person = await personOf(ctx)
  if (order && !(person && mayRead(person, order))) return order
  ctx.talk.toast(order ? words.ownOrder : orderGone, true)
  return null
}

const beginQuestion = async (ctx: BotContext, orderId: string): Promise<void> => {
  const order = await othersOrder(ctx, orderId)
  if (!order) return
  const refusal = await ctx.services.enquiries.refusal(order, ctx.talk.chatId)
  if (refusal) return sayRefused(ctx, order, refusal)
  await askNext(ctx, { what: 'ask', orderId })
  ctx.talk.say({ text: words.askQuestion(order, maskedWhom(order)), rows: leaveRows })
}

const sayRefused = ({ talk }: BotContext, { id }: Order, refusal: EnquiryRefusal): void =>
  talk.say({ text: words.refused(refusal), rows: openRows(id) })

const beginAnswer = async (ctx: BotContext, enquiryId: string): Promise<void> => {
  const person = await personOf(ctx)
  const opened = person && (await ctx.services.enquiries.open(enquiryId, person))
  if (!opened || isForgotten(opened.enquiry)) return ctx.talk.toast(words.enquiryGone, true)
  await askNext(ctx, { what: 'answer', enquiryId, cardId: ctx.msgId ?? null })
  ctx.talk.say({ text: words.askAnswer(opened.enquiry.text), rows: leaveRows })
}

const block = async (ctx: BotContext, enquiryId: string, on: boolean): Promise<void> => {
  const { services } = ctx
  const person = await personOf(ctx)
  const opened = person && (await services.enquiries.block(enquiryId, person, on))
  if (!opened) return ctx.talk.toast(words.enquiryGone, true)
  const { accountId, userId } = person
  await services.security.note({ kind: on ? 'customer_blocked' : 'customer_unblocked', accountId, userId })
  ctx.talk.toast(on ? words.blockedToast : words.unblockedToast)
  ctx.talk.show(() => enquiryCard(services.store, opened, person))
}

/**
 * Takes a text as a question to the shop or as an answer, if the bot asked for it or it replies to a message about a
 * question or an order. An answer that looks like an order is refused instead of sent.
 */
export const takeText: TextReader = async (ctx, { question, text }) => {
  const replied = repliedTo(ctx.message?.reply_to_message)
  const asked = replied ?? (isEnquiry(question) ? question : null)
  if (!asked || readReference(text)) return false
  // Resellers paste orders into this chat all day, and the numbers in them must not reach a customer by mistake.
  if (!replied && asked.what === 'answer' && standsForItself(text)) {
    endQuestion(ctx)
    ctx.talk.say(words.answerLooksLikeOrder)
    return false
  }
  if (text.trim().length > maxMessageLength) {
    await askNext(ctx, asked)
    ctx.talk.say(askingFor(hints[nounOf(asked)], words.tooLong(nounOf(asked), text.trim().length)))
    return true
  }
  // A reply does not end the flow that the chat is in.
  if (isEnquiry(question)) endQuestion(ctx)
  if (asked.what === 'ask') await takeQuestion(ctx, asked.orderId, text.trim())
  else await takeAnswer(ctx, asked, text.trim())
  return true
}

const isEnquiry = (question: Question | null): question is EnquiryQuestion =>
  question?.what === 'ask' || question?.what === 'answer'

const nounOf = ({ what }: EnquiryQuestion): 'question' | 'answer' => (what === 'ask' ? 'question' : 'answer')

/**
 * Whether a reply to one of the bot's messages is a question or an answer, judged by the buttons of that message; null
 * if it is neither.
 */
const repliedTo = (
  message: Pick<Message, 'reply_markup' | 'message_id'> | undefined,
): EnquiryQuestion | null => {
  if (!message) return null
  for (const each of message.reply_markup?.inline_keyboard.flat() ?? []) {
    const press = 'callback_data' in each ? decodePress(each.callback_data) : null
    if (press?.do !== 'enquiry') continue
    const { act } = press
    return act.act === 'ask'
      ? { what: 'ask', orderId: act.orderId }
      : { what: 'answer', enquiryId: act.enquiryId, cardId: message.message_id }
  }
  return null
}

const takeQuestion = async (ctx: BotContext, orderId: string, text: string): Promise<void> => {
  const order = await ctx.services.store.orders.byId(orderId)
  const person = await personOf(ctx)
  if (!order || (person && mayRead(person, order))) return ctx.talk.say(order ? words.ownOrder : orderGone)
  const asked = { chatId: ctx.talk.chatId, cause: messageCause(ctx), text }
  const refusal = await ctx.services.enquiries.ask(order, asked)
  if (refusal) sayRefused(ctx, order, refusal)
  else ctx.talk.say({ text: words.questionSent, rows: openRows(orderId) })
}

const takeAnswer = async (
  ctx: BotContext,
  { enquiryId, cardId }: Extract<EnquiryQuestion, { what: 'answer' }>,
  text: string,
): Promise<void> => {
  const { services } = ctx
  const person = await personOf(ctx)
  const said = { cause: messageCause(ctx), text }
  const answered = person && (await services.enquiries.answer(enquiryId, person, said))
  ctx.talk.say(answered ? words.answerSent : words.enquiryGone)
  const opened = answered && (await services.enquiries.open(enquiryId, person))
  if (opened && cardId !== null) {
    ctx.talk.edit(cardId, () => enquiryCard(services.store, opened, person))
  }
}

/** Refuses anything but text as a question or an answer. @returns false if the message was neither. */
export const refuseMedia = async (ctx: BotContext, question: Question | null): Promise<boolean> => {
  const asked = repliedTo(ctx.message?.reply_to_message) ?? (isEnquiry(question) ? question : null)
  if (!asked) return false
  await askNext(ctx, asked)
  ctx.talk.say(askingFor(hints[nounOf(asked)], words.notText(nounOf(asked))))
  return true
}

/**
 * Answers a message that is delivered again after it was taken as a question or an answer. @returns false if it was not
 * taken before.
 */
export const isRepeat = async (ctx: BotContext): Promise<boolean> => {
  const { enquiries } = ctx.services
  const taken = await enquiries.takenAs(messageCause(ctx))
  if (taken) ctx.talk.say(taken === 'question' ? words.questionSent : words.answerSent)
  return taken !== null
}
