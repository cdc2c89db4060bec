import type { Contact, Message } from 'grammy/types'
import { commandMeant } from '../lists/command-words.ts'
import { readPhone } from '../lists/phone.ts'
import { isList, type Recognized, recognize, standsForItself } from '../lists/recognition.ts'
import { readSeveralOrders } from '../lists/several-orders.ts'
import { followedButtons } from './cards/followed.ts'
import {
  type BotContext,
  endQuestion,
  forgetQuestion,
  pendingQuestion,
  type Question,
} from './chat/context.ts'
import { personOf } from './chat/person.ts'
import { linkIn, readReference, referenceIn } from './chat/reference.ts'
import { button } from './chat/screen.ts'
import type { Services } from './chat/services.ts'
import { isBeside, runBeside, runCommand, start } from './commands.ts'
import * as agents from './features/agents/agents.ts'
import * as buy from './features/buying/buy.ts'
import * as correcting from './features/buying/correcting.ts'
import * as severalOrders from './features/buying/several-orders.ts'
import { buyByText } from './features/buying/typed-order.ts'
import { numberStillAsked, numbersStillAsked } from './features/buying/words.ts'
import * as connect from './features/connecting/connect.ts'
import * as contactOrder from './features/contacts/contact-order.ts'
import * as contacts from './features/contacts/contacts.ts'
import * as savingContacts from './features/contacts/saving-contacts.ts'
import * as exporting from './features/exporting/export.ts'
import * as enquiry from './features/following/enquiry.ts'
import * as lookup from './features/following/lookup.ts'
import { notAReference } from './features/following/lookup-words.ts'
import { sayAccountNeeded } from './features/guards/account-needed.ts'
import { takePart } from './features/lists/album.ts'
import { pictureNotRead } from './features/lists/file-words.ts'
import * as listFile from './features/lists/list-file.ts'
import * as paste from './features/lists/paste.ts'
import * as admin from './features/operating/admin.ts'
import * as history from './features/orders/history.ts'
import * as selling from './features/selling/selling.ts'
import * as settings from './features/settings/settings.ts'
import { labels } from './words/labels.ts'
import * as refusalTexts from './words/refusal.ts'

const isForSecret = (question: Question | null): question is Extract<Question, { what: 'key' | 'secret' }> =>
  question?.what === 'key' || question?.what === 'secret'

/** A forwarded message: what customers wrote. It answers a question for lists or numbers, and no other. */
export const readForwarded = async (ctx: BotContext, services: Services, message: Message): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const text = message.text ?? pictureCaption(message)
  if (isForSecret(question)) await connect.refuseForwarded(ctx, services)
  else if (message.contact) await readContact(ctx, services, message.contact)
  else if (isSpoken(message)) await refuseOther(ctx, services)
  else if (text === undefined) await readFile(ctx, services)
  else if (question?.what === 'numbers') await takeNumbers(ctx, services, question, text)
  else if (isOfContacts(question)) await savingContacts.takeAnswer(ctx, services, question.ask, text)
  else await readText(ctx, services, isOfList(question) ? question : null, text)
}

/** What is written below a picture or a film; undefined if that is nothing. */
const pictureCaption = ({ photo, video, caption }: Message): string | undefined =>
  (photo || video) && caption?.trim() ? caption : undefined

/** Whether somebody speaks in the message. */
const isSpoken = ({ voice, audio, video_note }: Message): boolean => Boolean(voice ?? audio ?? video_note)

/** A sticker, location or voice message, which the bot can't read. */
export const refuseOther = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!(await enquiry.refuseMedia(ctx, await pendingQuestion(ctx)))) await notUnderstood(ctx, services)
}

/** A text: the answer to what was asked, or something that stands for itself. */
export const readMessage = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const asksForSecret = isForSecret(question)
  if (asksForSecret ? looksLikeCommand.test(text) : text.startsWith('/')) {
    ctx.talk.say(refusalTexts.unknownCommand)
    return
  }
  if (!asksForSecret && (await enquiry.takeText(ctx, services, question, text))) return
  if (!asksForSecret && linkIn(text, ctx.me.username)) return readText(ctx, services, null, text)
  switch (question?.what) {
    case 'key':
    case 'secret':
      return connect.takeCredentials(ctx, services, question.what, text)
    case 'phone':
      if (readReference(text) || isList(text) || readSeveralOrders(text)) break
      if (await answeredBeside(ctx, services, text)) return
      return buy.takePhone(ctx, services, question.bundleId, text)
    case 'new_number':
      if (readReference(text) || isList(text) || readSeveralOrders(text)) break
      if (await answeredBeside(ctx, services, text)) return
      return correcting.takeNewNumber(ctx, services, question.purchaseId, text)
    case 'reference': {
      if (readReference(text) || isList(text)) break
      ctx.talk.say(notAReference(text))
      return
    }
    case 'period':
      if (readReference(text) || isList(text)) break
      return exporting.takePeriod(ctx, services, question.subject, text)
    case 'contact':
      if (question.ask.act === 'number' && recognize(text).kind !== 'number') {
        await forgetQuestion(ctx, services)
        break
      }
      if (!isForOrder(text) || (isOfContacts(question) && !readReference(text) && isList(text)))
        return savingContacts.takeAnswer(ctx, services, question.ask, text)
      await forgetQuestion(ctx, services)
      break
    case 'selling':
      if (!isForOrder(text)) return selling.takeText(ctx, services, question.ask, text)
      await forgetQuestion(ctx, services)
      break
    case 'agent_limit':
      if (readReference(text) || isList(text)) break
      return agents.takeLimit(ctx, services, question.agentId, text)
    case 'setting':
      if (readReference(text) || isList(text)) break
      return settings.takeSetting(ctx, services, question.topic, text)
    case 'operator':
      if (readReference(text) || isList(text)) break
      return admin.takeText(ctx, services, question.ask, text)
    case 'search_orders':
      if (!isForOrder(text)) return history.takeSearch(ctx, services, text)
      await forgetQuestion(ctx, services)
      break
    case 'list':
      if (await answeredBeside(ctx, services, text, numbersStillAsked)) return
      break
    case 'numbers':
      if (readReference(text) || readSeveralOrders(text)) break
      if (await answeredBeside(ctx, services, text, numbersStillAsked)) return
      return takeNumbers(ctx, services, question, text)
    case 'fix':
    case 'rest':
    case 'ask':
    case 'answer':
    case undefined:
      break
    default:
      return question satisfies never
  }
  await readText(ctx, services, question, text)
}

/**
 * A word for a command while numbers are asked for. It is answered; the question stays unless the command ends it.
 * @returns false if the text is none, or somebody is saved with that name.
 */
const answeredBeside = async (
  ctx: BotContext,
  services: Services,
  text: string,
  stillAsked = numberStillAsked,
): Promise<boolean> => {
  const asked = commandMeant(text)
  if (!asked || (await contacts.isSaved(ctx, services, text))) return false
  if (asked !== 'thanks' && !isBeside(asked.command)) {
    await runCommand(ctx, services, asked.command, asked.argument)
    return true
  }
  // First, because an answer may have to wait for the provider.
  ctx.talk.say(stillAsked)
  if (asked === 'thanks') ctx.talk.say(thanked)
  else await runBeside(ctx, services, asked.command, asked.argument)
  return true
}

/** The numbers for several orders of one size. The question stays if there are none. */
const takeNumbers = async (
  ctx: BotContext,
  services: Services,
  question: Extract<Question, { what: 'numbers' }>,
  text: string,
): Promise<void> => {
  if (!(await paste.hasNumbers(ctx, services, text))) return paste.sayNoNumbers(ctx)
  await forgetQuestion(ctx, services)
  const isOwn = recognize(text).kind === 'one'
  await readText(ctx, services, null, isOwn ? text : severalOrders.ordersOf(question, text))
}

/** Whether the question is about a list: people may answer it by forwarding what customers wrote. */
const isOfList = (question: Question | null): boolean =>
  question?.what === 'list' || question?.what === 'fix' || question?.what === 'rest'

/** Whether a text stands for itself, whatever was asked: a reference, a list, a number with a size. */
const isForOrder = (text: string): boolean => readReference(text) !== null || standsForItself(text)

/** Whether the question is for names and numbers, which read like a list and may be forwarded. */
const isOfContacts = (question: Question | null): question is Extract<Question, { what: 'contact' }> =>
  question?.what === 'contact' && (question.ask.act === 'import' || question.ask.act === 'add')

/** A contact: the number that was asked for, or somebody to save. */
export const readContact = async (ctx: BotContext, services: Services, contact: Contact): Promise<void> => {
  const question = await pendingQuestion(ctx)
  if (question?.what === 'phone') {
    return buy.takePhone(ctx, services, question.bundleId, contact.phone_number)
  }
  if (question?.what === 'new_number') {
    return correcting.takeNewNumber(ctx, services, question.purchaseId, contact.phone_number)
  }
  if (question?.what === 'numbers' && readPhone(contact.phone_number)) {
    return takeNumbers(ctx, services, question, contact.phone_number)
  }
  if (question?.what === 'selling' && question.ask.about === 'shop_phone') {
    return selling.takeText(ctx, services, question.ask, contact.phone_number)
  }
  if (question?.what === 'list' && readPhone(contact.phone_number)) {
    await paste.takeText(ctx, services, question, contact.phone_number)
    return
  }
  await savingContacts.takeContact(ctx, services, contact)
}

/** A credential may begin with a slash too; a command is a slash and a plain word. */
const looksLikeCommand = /^\/[a-z_]{1,32}(@\w+)?$/

/**
 * A file or a picture: a list or saved numbers; the words below a picture are a message. If a credential was asked for,
 * it is refused.
 */
export const readFile = async (ctx: BotContext, services: Services): Promise<void> => {
  const question = await pendingQuestion(ctx)
  if (isForSecret(question)) return connect.refuseFile(ctx, services)
  if (await enquiry.refuseMedia(ctx, question)) return
  const caption = ctx.message && pictureCaption(ctx.message)
  if (caption !== undefined) {
    await readMessage(ctx, services, caption)
    await takePart(ctx, { caption, bundleId: null })
    return
  }
  if (question?.what === 'contact' && (await savingContacts.takeFile(ctx, services, question.ask))) return
  if (!(await listFile.takeFile(ctx, services, question))) await notUnderstood(ctx, services)
}

/** Whether a text may correct a list. */
const isOfDraft = (ctx: BotContext, question: Question | null): boolean =>
  question?.what === 'fix' || question?.what === 'rest' || ctx.message?.reply_to_message !== undefined

/** A text that belongs to a list, or stands for itself: a reference, a list, or a number with a size. */
const readText = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
  text: string,
): Promise<void> => {
  const payload = linkIn(text, ctx.me.username)
  if (payload !== null) {
    await forgetQuestion(ctx, services)
    return start(ctx, services, payload)
  }
  const reference = readReference(text)
  if (reference) {
    endQuestion(ctx)
    return lookup.lookUp(ctx, services, reference)
  }
  if (!isOfDraft(ctx, question) && (await severalOrders.askForNumbers(ctx, services, text))) return
  const person = await personOf(ctx, services)
  if (await paste.takeText(ctx, services, question, text, person)) return
  if (await severalOrders.askForNumbers(ctx, services, text)) return
  if (person && (await buyByText(ctx, services, person, text))) return
  if (await contactOrder.orderByName(ctx, services, text)) return
  if (await contacts.openByName(ctx, services, text)) return
  if (await savingContacts.takeNamedNumber(ctx, services, text)) return
  const within = referenceIn(text)
  if (within) return lookup.lookUp(ctx, services, within)
  if (!person && isOrder(text)) {
    sayAccountNeeded(ctx, services)
    return
  }
  const asked = commandMeant(text)
  if (asked === 'thanks') ctx.talk.say(thanked)
  else if (asked) await runCommand(ctx, services, asked.command, asked.argument)
  else await notUnderstood(ctx, services)
}

const homeButton = button(labels.home, { do: 'home' })

const thanked = { text: refusalTexts.thanked, rows: [[homeButton]] }

/** Whether a text is meant as an order, well written or not. */
const isOrder = (text: string): boolean => orderKinds.has(recognize(text).kind) && !hasReference.test(text)

/** Its digits are no phone. */
const hasReference = /\bBUD-/i

const orderKinds: ReadonlySet<Recognized['kind']> = new Set(['one', 'damaged', 'list'])

const notUnderstood = async (ctx: BotContext, services: Services): Promise<void> => {
  if (await enquiry.isRepeat(ctx, services)) return
  const isMember = (await personOf(ctx, services)) !== null
  const { message } = ctx
  if (isMember && message && pictureCaption(message) !== undefined) return ctx.talk.say(pictureNotRead)
  const followed = isMember ? [] : await followedButtons(services.store, ctx.talk.chatId)
  const text =
    message && isSpoken(message) ? refusalTexts.spoken(isMember) : refusalTexts.notUnderstood(isMember)
  ctx.talk.say({ text, rows: [...followed, [homeButton]] })
}
