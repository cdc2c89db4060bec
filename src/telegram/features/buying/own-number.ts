import { askNext, type BotContext } from '../../chat/context.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import { leave } from '../home/home.ts'
import * as words from './own-number-words.ts'

/** Asks for the person's own number, with a button that shares it. */
export const askOwnNumber = async (ctx: BotContext, bundleId: number): Promise<void> => {
  await askNext(ctx, { what: 'phone', bundleId, own: true })
  sayAsked(ctx, words.askOwnNumber)
}

const sayAsked = (ctx: BotContext, text: string): void => {
  const { share } = words.ownNumberLabels
  ctx.talk.say({ text, field: { kind: 'own_number', hint: hints.number, share, leave: labels.leave } })
}

/**
 * Takes two messages that have a meaning only while a person is asked for their own number: a contact that is not
 * theirs, and the button that leaves. @returns true if it took the message.
 */
export const takeReply = async (ctx: BotContext): Promise<boolean> => {
  const { message } = ctx
  if (!message?.contact && message?.text !== labels.leave) return false
  const { question } = await ctx.session
  if (question?.what !== 'phone' || !question.own) return false
  if (!message.contact) {
    await leave(ctx)
    return true
  }
  const isOwn = message.contact.user_id === ctx.from?.id && !message.forward_origin
  if (!isOwn) sayAsked(ctx, words.notOwnNumber)
  return !isOwn
}
