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
import type { Services } from './chat/services.ts'
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
export const readMessage = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const { secret, staysFor, endsFor, stillAsked } = answersTo(question)
  if (secret ? looksLikeCommand.test(text) : text.startsWith('/'))
    return ctx.talk.say(refusalTexts.unknownCommand)
  if (question && secret) return takeAnswer(ctx, services, question, text)
  for (const { replies } of features) if (await replies?.text(ctx, services, { text, question })) return
  if (linkIn(text, ctx.me.username)) return readText(ctx, services, null, text)
  if (!question || staysFor?.(text)) return readText(ctx, services, question, text)
  if (endsFor?.(text, question)) {
    await forgetQuestion(ctx, services)
    return readText(ctx, services, question, text)
  }
  if (stillAsked && (await answeredBeside(ctx, services, text, stillAsked))) return
  await takeAnswer(ctx, services, question, text)
}

/**
 * A command is a slash followed by one plain word. A credential may begin with a slash too, and must not count as one.
 */
const looksLikeCommand = /^\/[a-z_]{1,32}(@\w+)?$/

const takeAnswer = async (
  ctx: BotContext,
  services: Services,
  question: Question,
  text: string,
): Promise<void> => {
  const { text: take, rewritten } = answersTo(question)
  if (take) return take(ctx, services, { question, text })
  if (!rewritten) return readText(ctx, services, question, text)
  const instead = await rewritten(ctx, services, { question, text })
  if (instead !== null) await readText(ctx, services, null, instead)
}

/**
 * Reads a word that means a command while the bot asks for numbers, and runs that command. The question stays unless
 * the command ends it.
 * @returns false if the text does not mean a command, or a contact is saved under that name.
 */
const answeredBeside = async (
  ctx: BotContext,
  services: Services,
  text: string,
  stillAsked: string,
): Promise<boolean> => {
  const asked = commandMeant(text)
  if (!asked || (await isSavedName(ctx, services, text))) return false
  if (asked !== 'thanks' && !isBeside(asked.command))
    return runCommand(ctx, services, asked.command, asked.argument)
  // Sent before the command runs, because its answer may have to wait for the provider.
  ctx.talk.say(stillAsked)
  if (asked === 'thanks') ctx.talk.say(thanked)
  else await runBeside(ctx, services, asked.command, asked.argument)
  return true
}

const isSavedName = async (ctx: BotContext, services: Services, text: string): Promise<boolean> => {
  const person = await personOf(ctx, services)
  const name = cleanName(text)
  if (!person || !name) return false
  return (await services.store.contacts.named(bookOf(person), nameKey(name), 1)).length > 0
}

/**
 * Offers a text to the features in turn. @param question the pending question that the text may be part of an answer
 * to; null if there is none.
 */
const readText = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
  text: string,
): Promise<void> => {
  const payload = linkIn(text, ctx.me.username)
  if (payload !== null) {
    await runCommand(ctx, services, 'start', payload)
    return
  }
  for (const kind of textKinds) {
    for (const { texts } of features) {
      if (await texts?.[kind]?.(ctx, services, { text, question })) return
    }
  }
  const asked = commandMeant(text)
  if (asked === 'thanks') ctx.talk.say(thanked)
  else if (!asked || !(await runCommand(ctx, services, asked.command, asked.argument)))
    await notUnderstood(ctx, services)
}

/** Reads a forwarded message, whose text a customer wrote. It can answer only a question for a list or for numbers. */
export const readForwarded = async (ctx: BotContext, services: Services, message: Message): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const { secret, takesForwarded } = answersTo(question)
  const text = message.text ?? pictureCaption(message)
  if (secret) await secret.forwarded(ctx, services)
  else if (message.contact) await readContact(ctx, services, message.contact)
  else if (isSpoken(message)) await refuseOther(ctx, services)
  else if (text === undefined) await readFile(ctx, services)
  else if (question && takesForwarded?.(question)) await takeAnswer(ctx, services, question, text)
  else await readText(ctx, services, null, text)
}

/** The caption of a picture or a video; undefined if there is none. */
const pictureCaption = ({ photo, video, caption }: Message): string | undefined =>
  (photo || video) && caption?.trim() ? caption : undefined

const isSpoken = ({ voice, audio, video_note }: Message): boolean => Boolean(voice ?? audio ?? video_note)

/** Reads a shared contact: the number that the bot asked for, or a person to save. */
export const readContact = async (ctx: BotContext, services: Services, contact: Contact): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const number = contact.phone_number
  if (question && answersTo(question).takesNumber?.(number, question))
    return takeAnswer(ctx, services, question, number)
  for (const feature of features) await feature.contact?.(ctx, services, contact)
}

/** Reads a file or a picture. A picture's caption is read as a message. */
export const readFile = async (ctx: BotContext, services: Services): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const { secret, file: takeAsked } = answersTo(question)
  if (secret) return secret.file(ctx, services)
  if (await tookMedia(ctx, services, question)) return
  const caption = ctx.message && pictureCaption(ctx.message)
  if (caption !== undefined) {
    await readMessage(ctx, services, caption)
    await takePart(ctx, { caption, bundleId: null })
    return
  }
  if (question && (await takeAsked?.(ctx, services, question))) return
  for (const { file } of features) if (await file?.(ctx, services, question)) return
  await notUnderstood(ctx, services)
}

/** Answers a sticker, a location or a voice message, which the bot can't read. */
export const refuseOther = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!(await tookMedia(ctx, services, await pendingQuestion(ctx)))) await notUnderstood(ctx, services)
}

const tookMedia = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
): Promise<boolean> => {
  for (const { replies } of features) if (await replies?.media(ctx, services, question)) return true
  return false
}

const thanked = { text: refusalTexts.thanked, rows: [[homeButton]] }

const notUnderstood = async (ctx: BotContext, services: Services): Promise<void> => {
  for (const { replies } of features) if (await replies?.again(ctx, services)) return
  const isMember = (await personOf(ctx, services)) !== null
  const { message } = ctx
  if (isMember && message && pictureCaption(message) !== undefined) return ctx.talk.say(pictureNotRead)
  const followed = isMember ? [] : await followedButtons(services.store, ctx.talk.chatId)
  const text =
    message && isSpoken(message) ? refusalTexts.spoken(isMember) : refusalTexts.notUnderstood(isMember)
  ctx.talk.say({ text, rows: [...followed, [homeButton]] })
}
