import type { Contact, Message } from 'grammy/types'
import { commandMeant } from '../lists/command-words.ts'
import { cleanName, nameKey } from '../lists/names/contact-name.ts'
import { bookOf } from '../store/shop/contacts.ts'
import { followedButtons } from './cards/followed.ts'
import { type BotContext, forgetQuestion, pendingQuestion, type Question } from './chat/context.ts'
import { takePart } from './chat/files/album.ts'
import { personOf } from './chat/person.ts'
import { linkIn } from './chat/reference.ts'
import { homeButton } from './chat/screen.ts'
import { type AnswerHandlers, type Answers, textKinds } from './features/feature.ts'
import { features } from './features/features.ts'
import { isBeside, runBeside, runCommand } from './routes.ts'
import { pictureNotRead } from './words/file.ts'
import * as refusalTexts from './words/unusable.ts'

/** Routes messages that are not commands: to the question that they answer, or to the feature that understands them. */

const answers: Partial<AnswerHandlers> = Object.assign({}, ...features.map((each) => each.questions))

const answersTo = (question: Question | null): Answers =>
  ((question && answers[question.what]) ?? {}) as Answers

/** Reads a text: the answer to a question, or a message that answers none. */
export const readMessage = async (ctx: BotContext, text: string): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const { secret, staysFor, endsFor, stillAsked } = answersTo(question)
  if (secret ? looksLikeCommand.test(text) : text.startsWith('/'))
    return ctx.talk.say(refusalTexts.unknownCommand)
  if (question && secret) return takeAnswer(ctx, question, text)
  for (const { replies } of features) if (await replies?.text(ctx, { text, question })) return
  if (linkIn(text, ctx.me.username)) return readText(ctx, null, text)
  if (!question || staysFor?.(text)) return readText(ctx, question, text)
  if (endsFor?.(text, question)) {
    await forgetQuestion(ctx)
    return readText(ctx, question, text)
  }
  if (stillAsked && (await answeredBeside(ctx, text, stillAsked))) return
  await takeAnswer(ctx, question, text)
}

/**
 * A command is a slash followed by one plain word. A credential may begin with a slash too, and must not count as one.
 */
const looksLikeCommand = /^\/[a-z_]{1,32}(@\w+)?$/

const takeAnswer = async (ctx: BotContext, question: Question, text: string): Promise<void> => {
  const { text: take, rewritten } = answersTo(question)
  if (take) return take(ctx, { question, text })
  if (!rewritten) return readText(ctx, question, text)
  const instead = await rewritten(ctx, { question, text })
  if (instead !== null) await readText(ctx, null, instead)
}

/**
 * Reads a word that means a command while the bot asks for numbers, and runs that command. The question stays unless
 * the command ends it.
 * @returns false if the text does not mean a command, or a contact is saved under that name.
 */
const answeredBeside = async (ctx: BotContext, text: string, stillAsked: string): Promise<boolean> => {
  const asked = commandMeant(text)
  if (!asked || (await isSavedName(ctx, text))) return false
  if (asked !== 'thanks' && !isBeside(asked.command)) return runCommand(ctx, asked.command, asked.argument)
  // Sent before the command runs, because its answer may have to wait for the provider.
  ctx.talk.say(stillAsked)
  if (asked === 'thanks') ctx.talk.say(thanked)
  else await runBeside(ctx, asked.command, asked.argument)
  return true
}

const isSavedName = async (ctx: BotContext, text: string): Promise<boolean> => {
  const person = await personOf(ctx)
  const name = cleanName(text)
  if (!person || !name) return false
  return (await ctx.services.store.contacts.named(bookOf(person), nameKey(name), 1)).length > 0
}

/**
 * Offers a text to the features in turn. @param question the pending question that the text may be part of an answer
 * to; null if there is none.
 */
const readText = async (ctx: BotContext, question: Question | null, text: string): Promise<void> => {
  const payload = linkIn(text, ctx.me.username)
  if (payload !== null) {
    await runCommand(ctx, 'start', payload)
    return
  }
  for (const kind of textKinds) {
    for (const { texts } of features) {
      if (await texts?.[kind]?.(ctx, { text, question })) return
    }
  }
  const asked = commandMeant(text)
  if (asked === 'thanks') ctx.talk.say(thanked)
  else if (!asked || !(await runCommand(ctx, asked.command, asked.argument))) await notUnderstood(ctx)
}

/** Reads a forwarded message, whose text a customer wrote. It can answer only a question for a list or for numbers. */
export const readForwarded = async (ctx: BotContext, message: Message): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const { secret, takesForwarded } = answersTo(question)
  const text = message.text ?? pictureCaption(message)
  if (secret) await secret.forwarded(ctx)
  else if (message.contact) await readContact(ctx, message.contact)
  else if (isSpoken(message)) await refuseOther(ctx)
  else if (text === undefined) await readFile(ctx)
  else if (question && takesForwarded?.(question)) await takeAnswer(ctx, question, text)
  else await readText(ctx, null, text)
}

/** The caption of a picture or a video; undefined if there is none. */
const pictureCaption = ({ photo, video, caption }: Message): string | undefined =>
  (photo || video) && caption?.trim() ? caption : undefined

const isSpoken = ({ voice, audio, video_note }: Message): boolean => Boolean(voice ?? audio ?? video_note)

/** Reads a shared contact: the number that the bot asked for, or a person to save. */
export const readContact = async (ctx: BotContext, contact: Contact): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const number = contact.phone_number
  if (question && answersTo(question).takesNumber?.(number, question))
    return takeAnswer(ctx, question, number)
  for (const feature of features) await feature.contact?.(ctx, contact)
}

/** Reads a file or a picture. A picture's caption is read as a message. */
export const readFile = async (ctx: BotContext): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const { secret, file: takeAsked } = answersTo(question)
  if (secret) return secret.file(ctx)
  if (await tookMedia(ctx, question)) return
  const caption = ctx.message && pictureCaption(ctx.message)
  if (caption !== undefined) {
    await readMessage(ctx, caption)
    await takePart(ctx, { caption, bundleId: null })
    return
  }
  if (question && (await takeAsked?.(ctx, question))) return
  for (const { file } of features) if (await file?.(ctx, question)) return
  await notUnderstood(ctx)
}

/** Answers a sticker, a location or a voice message, which the bot can't read. */
export const refuseOther = async (ctx: BotContext): Promise<void> => {
  if (!(await tookMedia(ctx, await pendingQuestion(ctx)))) await notUnderstood(ctx)
}

const tookMedia = async (ctx: BotContext, question: Question | null): Promise<boolean> => {
  for (const { replies } of features) if (await replies?.media(ctx, question)) return true
  return false
}

const thanked = { text: refusalTexts.thanked, rows: [[homeButton]] }

const notUnderstood = async (ctx: BotContext): Promise<void> => {
  for (const { replies } of features) if (await replies?.again(ctx)) return
  const isMember = (await personOf(ctx)) !== null
  const { message } = ctx
  if (isMember && message && pictureCaption(message) !== undefined) return ctx.talk.say(pictureNotRead)
  const followed = isMember ? [] : await followedButtons(ctx.services.store, ctx.talk.chatId)
  const text =
    message && isSpoken(message) ? refusalTexts.spoken(isMember) : refusalTexts.notUnderstood(isMember)
  ctx.talk.say({ text, rows: [...followed, [homeButton]] })
}
