import type { Message } from 'grammy/types'
import { wait } from '../../../base/wait.ts'
import { type Belonging, belongingOf } from '../../../lists/meaning/belonging.ts'
import { isToFix } from '../../../lists/meaning/to-fix.ts'
import { cutOff } from '../../../lists/meaning/truncation.ts'
import { readList } from '../../../lists/read-list.ts'
import { isList } from '../../../lists/recognition.ts'
import { readSize, writtenSize } from '../../../lists/size.ts'
import { namesMeant } from '../../../orders/buying/contact-lookup.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { ListMessage } from '../../../orders/listing/list-message.ts'
import { type Preview, priceSnapshotOf } from '../../../orders/listing/list-preview.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import { decodePress } from '../../buttons/table.ts'
import { actsOf } from '../../cards/lists/list-view.ts'
import * as words from '../../cards/words/list-preview.ts'
import { askNext, type BotContext, forgetQuestion, messageCause, type Question } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { leaveButton } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import type { TextReader } from '../feature.ts'
import { admit, admitForRoom } from '../guards/order-denial.ts'
import { lineToFix, showPreview } from './list-preview.ts'
import { takeOwnFile } from './own-file.ts'

/** A text at least this long may be the first part of a longer text, which Telegram cuts at 4,096 UTF-16 units. */
const maybeCut = 3_500
/** A text at least this long was certainly cut. Telegram removes blanks at the cut, so it may be shorter than 4,096. */
const surelyCut = 4_090
/** How long to wait for the next part of a cut text, ms. */
const restMs = 2_000

/** Takes a list, a part of a list, or lines that correct a list. */
export const takeText: TextReader = async (ctx, { question, text }) => {
  const person = await personOf(ctx)
  if (!person) return false
  const isContinued = isRest(ctx, question, text)
  const open = isContinued ? null : await openListOf(ctx, person, text)
  if (open?.belonging === 'doubtful') {
    await askWhich(ctx, { person, purchaseId: open.purchaseId, text })
    return true
  }
  const purchaseId = correctedList(ctx, question) ?? open?.purchaseId ?? null
  if ((purchaseId || isRest(ctx, question, text)) && !admitForRoom(ctx)) return true
  if (purchaseId && (await takeCorrections(ctx, question, { person, purchaseId, text }))) return true
  if (isRest(ctx, question, text) && (await takeRest(ctx, { ...question, person, text }))) return true
  if (takeOwnFile(ctx, text)) return true
  if (question?.what === 'list') {
    const { bundleId: fixedBundleId } = question
    if (await hasNumbers(ctx, text)) await takeList(ctx, { person, text, fixedBundleId })
    else sayNoNumbers(ctx)
    return true
  }
  if (!isList(text)) return false
  // If a bundle was chosen for one number, all numbers of the list get it.
  const fixedBundleId = question?.what === 'phone' ? question.bundleId : null
  await takeList(ctx, { person, text, fixedBundleId })
  return true
}

const hasDigit = /\p{Nd}/u

/** Whether a text may contain numbers for a chosen size, or saved names. */
export const hasNumbers = async (ctx: BotContext, text: string): Promise<boolean> => {
  if (hasDigit.test(text)) return true
  const person = await personOf(ctx)
  return person !== null && (await namesSaved(ctx.services, person, text))
}

export const sayNoNumbers = (ctx: BotContext): void =>
  ctx.talk.say({ text: words.noNumbers, rows: [[leaveButton]] })

/** Whether lines of the text are saved names, which stand for numbers for a chosen bundle. */
const namesSaved = async ({ store }: Services, person: Person, text: string): Promise<boolean> => {
  const { named } = readList(text, { bundles: [], prefixes: {}, fixedBundleId: 0 })
  return (await namesMeant(store.contacts, bookOf(person), named)) !== null
}

interface Paste {
  person: Person
  text: string
  /** The bundle that was chosen before the list was sent. */
  fixedBundleId: number | null
}

const takeList = async (ctx: BotContext, { person, ...list }: Paste): Promise<void> => {
  await forgetQuestion(ctx)
  if (!(await admit(ctx, person))) return
  const { text, fixedBundleId } = list
  const { id } = await ctx.services.lists.draft(person, messageCause(ctx), {
    text: asCut(text),
    fixedBundleId,
  })
  await showWhole(ctx, id, text)
}

// ── Texts that Telegram has cut ────────────────────────────────────────────────────────────────────────────

const asCut = (text: string): string => (text.length >= surelyCut ? cutOff(text) : text)

/** Shows the preview. If the text may be cut, waits a moment for the next part first. */
const showWhole = async (ctx: BotContext, purchaseId: string, newest: string): Promise<void> => {
  if (newest.length < maybeCut) {
    showPreview(ctx, { id: purchaseId })
    return
  }
  await askNext(ctx, { what: 'rest', purchaseId, sentAt: sentAt(ctx) })
  const before = await ctx.services.store.lists.byPurchase(purchaseId)
  ctx.talk.aside(async () => {
    await wait(restMs)
    // If the list has changed, the next part has arrived, and its handler shows the whole list.
    const list = await ctx.services.store.lists.byPurchase(purchaseId)
    if (list?.text === before?.text) showPreview(ctx, { id: purchaseId })
  })
}

/**
 * When the message was sent, in epoch seconds by Telegram's clock, so that a delay in reading the message does not
 * matter.
 */
const sentAt = (ctx: BotContext): number => ctx.msg?.date ?? 0

const isRest = (
  ctx: BotContext,
  question: Question | null,
  text: string,
): question is Extract<Question, { what: 'rest' }> =>
  question?.what === 'rest' && sentAt(ctx) - question.sentAt <= restMs / 1000 && hasDigit.test(text)

interface Part {
  person: Person
  purchaseId: string
  text: string
}

const takeRest = async (ctx: BotContext, part: Part): Promise<boolean> => {
  const { person, purchaseId, text } = part
  await forgetQuestion(ctx)
  const extension = await ctx.services.lists.take(purchaseId, person, messageCause(ctx), {
    kind: 'part',
    text: asCut(text),
  })
  if (extension === 'gone') return false
  if (extension === 'too_long') ctx.talk.say(words.listTooLong)
  await showWhole(ctx, purchaseId, text)
  return true
}

// ── Corrections ────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The list that a message explicitly corrects, because it replies to the list's card or answers the question of the Fix
 * button.
 */
const correctedList = (ctx: BotContext, question: Question | null): string | null =>
  listOnCard(ctx.message?.reply_to_message) ?? (question?.what === 'fix' ? question.purchaseId : null)

/** The list whose buttons are below the bot's message. */
const listOnCard = (message: Pick<Message, 'reply_markup'> | undefined): string | null => {
  for (const button of message?.reply_markup?.inline_keyboard.flat() ?? []) {
    const press = 'callback_data' in button ? decodePress(button.callback_data) : null
    if (press?.do === 'list') return press.purchaseId
  }
  return null
}

interface OpenList {
  purchaseId: string
  belonging: Exclude<Belonging, 'apart'>
}

/**
 * The newest open list in the chat that a message seems to correct, although it neither replies to the list's card nor
 * answers a question.
 */
const openListOf = async (ctx: BotContext, person: Person, text: string): Promise<OpenList | null> => {
  const { store, lists, now } = ctx.services
  if (text.length >= maybeCut || !hasDigit.test(text)) return null
  for (const { id: purchaseId } of await store.purchases.openLists(personHere(ctx, person), now())) {
    const preview = await lists.preview(purchaseId)
    const belonging = preview && belongingOf(text, preview.reading, priceSnapshotOf(preview.list))
    if (belonging === 'corrects' || belonging === 'doubtful') return { purchaseId, belonging }
  }
  return null
}

const personHere = ({ talk: { chatId } }: BotContext, person: Person): Person => ({ ...person, chatId })

/** Stores the lines as a new list, and asks whether they correct the older list. */
const askWhich = async (ctx: BotContext, { person, purchaseId, text }: Part): Promise<void> => {
  await forgetQuestion(ctx)
  if (!(await admit(ctx, person))) return
  const own = await ctx.services.lists.draft(person, messageCause(ctx), { text, fixedBundleId: null })
  if (own.cardMessageId !== null) return
  const act = actsOf(own)
  const rows = [
    [act(words.labels.correctList, { act: 'correct', listId: purchaseId })],
    [act(words.labels.newList, { act: 'look' })],
  ]
  ctx.talk.say({ text: words.correctOrNew, rows }, (messageId) =>
    ctx.services.store.purchases.showOn(own.id, messageId),
  )
}

/** Corrects a list. @returns false if the draft no longer exists, so that the text must be read as a new message. */
const takeCorrections = async (
  ctx: BotContext,
  question: Question | null,
  { person, purchaseId, text }: Part,
): Promise<boolean> => {
  const { services } = ctx
  if (text.length >= maybeCut) {
    ctx.talk.say(words.correctionTooLong)
    return true
  }
  const preview = await services.lists.preview(purchaseId)
  const message = (preview && sizeAnswer(preview, text)) ?? { kind: 'corrections', text }
  const taken = await services.lists.take(purchaseId, person, messageCause(ctx), message)
  const asked = question?.what === 'fix'
  if (asked && !(taken === 'unchanged' || (await hasMoreToFix(services, purchaseId))))
    await forgetQuestion(ctx)
  switch (taken) {
    case 'taken':
    case 'known':
      showPreview(ctx, { id: purchaseId })
      return true
    case 'unchanged':
      ctx.talk.say({
        text: words.nothingCorrected(await lineToFix(services, purchaseId)),
        rows: asked ? [[leaveButton]] : [],
      })
      return true
    case 'too_long':
      ctx.talk.say(words.listTooLong)
      return true
    case 'gone':
      return false
  }
}

const hasMoreToFix = async ({ lists }: Services, purchaseId: string): Promise<boolean> => {
  const preview = await lists.preview(purchaseId)
  return preview?.purchase.state === 'draft' && preview.reading.lines.some(isToFix)
}

/** The answer if the text is only a size: it applies to all numbers without a size. Null if nothing asks for a size. */
const sizeAnswer = ({ reading }: Preview, text: string): ListMessage | null => {
  const size = readSize(text)
  const asked = reading.questions.find(({ kind }) => kind === 'size')
  const choice = size && asked?.choices.find(({ answer }) => answer === writtenSize(size))
  return asked && choice ? { kind: 'answer', question: asked.key, answer: choice.answer } : null
}
