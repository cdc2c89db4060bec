import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from 'grammy/types'
import { isList } from '../../lists/recognition.ts'
import { cutOff } from '../../lists/seam.ts'
import { readSize } from '../../lists/size.ts'
import type { ListMessage, Preview } from '../../orders/lists.ts'
import type { Person } from '../../orders/purchases.ts'
import { decodeButton } from '../buttons/button.ts'
import { askNext, type BotContext, forgetQuestion, messageCause, type Question } from '../context.ts'
import { isToFix } from '../list-preview.ts'
import { personOf } from '../person.ts'
import { key } from '../screen.ts'
import type { Services } from '../services.ts'
import { labels } from '../texts/labels.ts'
import * as words from '../texts/preview.ts'
import { isRefusedForRoom, mayOrder } from './disconnect.ts'
import { showPreview } from './preview.ts'

/** A text this long (UTF-16 units) may be the first part of one that Telegram has cut at 4,096. */
const maybeCut = 3_500
/** One that is as long as Telegram allows, but for blanks at its ends, was cut for sure. */
const surelyCut = 4_090
/** Its continuation comes within this. */
const restMs = 2_000

/** A text that may be a list, or belong to one. @returns false where it is neither. */
export const takeText = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
  text: string,
): Promise<boolean> => {
  const person = await personOf(ctx, services)
  if (!person) return false
  const purchaseId = correctedList(ctx, question)
  if ((purchaseId || isRest(ctx, question, text)) && isRefusedForRoom(ctx, services)) return true
  if (purchaseId && (await takeCorrections(ctx, services, question, { person, purchaseId, text })))
    return true
  if (isRest(ctx, question, text) && (await takeRest(ctx, services, { ...question, person, text })))
    return true
  if (question?.what === 'list') {
    if (hasDigit.test(text)) await takeList(ctx, services, { person, text, fixedBundleId: question.bundleId })
    else ctx.talk.say({ text: words.noNumbers, rows: [[key(labels.leave, { do: 'leave' })]] })
    return true
  }
  if (!isList(text)) return false
  // Numbers for the bundle that was chosen for one.
  const fixedBundleId = question?.what === 'phone' ? question.bundleId : null
  await takeList(ctx, services, { person, text, fixedBundleId })
  return true
}

const hasDigit = /\p{Nd}/u

interface Paste {
  person: Person
  text: string
  /** The bundle that was chosen before. */
  fixedBundleId: number | null
}

const takeList = async (ctx: BotContext, services: Services, { person, ...list }: Paste): Promise<void> => {
  await forgetQuestion(ctx, services)
  if (!(await mayOrder(ctx, services, person))) return
  const { text, fixedBundleId } = list
  const { id } = await services.lists.draft(person, messageCause(ctx), { text: asCut(text), fixedBundleId })
  await showWhole(ctx, services, id, text)
}

// ── Texts that Telegram has cut ────────────────────────────────────────────────────────────────────────────

const asCut = (text: string): string => (text.length >= surelyCut ? cutOff(text) : text)

/** Shows the preview, once no further part is to be expected. */
const showWhole = async (
  ctx: BotContext,
  services: Services,
  purchaseId: string,
  newest: string,
): Promise<void> => {
  if (newest.length < maybeCut) {
    showPreview(ctx, services, { id: purchaseId })
    return
  }
  await askNext(ctx, { what: 'rest', purchaseId, sentAt: sentAt(ctx) })
  const before = await services.store.lists.byPurchase(purchaseId)
  ctx.talk.aside(async () => {
    await wait(restMs)
    // Who has taken the next part shows it all.
    const list = await services.store.lists.byPurchase(purchaseId)
    if (list?.text === before?.text) showPreview(ctx, services, { id: purchaseId })
  })
}

/** Epoch seconds, by Telegram's clock: how late the message is read here does not matter. */
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

const takeRest = async (ctx: BotContext, services: Services, part: Part): Promise<boolean> => {
  const { person, purchaseId, text } = part
  await forgetQuestion(ctx, services)
  const extension = await services.lists.take(purchaseId, person, messageCause(ctx), {
    kind: 'part',
    text: asCut(text),
  })
  if (extension === 'gone') return false
  if (extension === 'too_long') ctx.talk.say(words.listTooLong)
  await showWhole(ctx, services, purchaseId, text)
  return true
}

// ── Corrections ────────────────────────────────────────────────────────────────────────────────────────────

/** The list that a message corrects: it replies to its card, or the person had pressed Fix. */
const correctedList = (ctx: BotContext, question: Question | null): string | null =>
  listOnCard(ctx.message?.reply_to_message) ?? (question?.what === 'fix' ? question.purchaseId : null)

/** The list whose buttons stand below a message of ours. */
const listOnCard = (message: Pick<Message, 'reply_markup'> | undefined): string | null => {
  for (const key of message?.reply_markup?.inline_keyboard.flat() ?? []) {
    const button = 'callback_data' in key ? decodeButton(key.callback_data) : null
    if (button?.do === 'list') return button.purchaseId
  }
  return null
}

/** @returns false where there is no such draft any more: the text stands for itself. */
const takeCorrections = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
  { person, purchaseId, text }: Part,
): Promise<boolean> => {
  if (text.length >= maybeCut) {
    ctx.talk.say(words.correctionTooLong)
    return true
  }
  const preview = await services.lists.preview(purchaseId)
  const message = (preview && sizeAnswer(preview, text)) ?? { kind: 'corrections', text }
  const taken = await services.lists.take(purchaseId, person, messageCause(ctx), message)
  const asked = question?.what === 'fix'
  if (asked && !(taken === 'unchanged' || (await hasMoreToFix(services, purchaseId))))
    await forgetQuestion(ctx, services)
  switch (taken) {
    case 'taken':
    case 'known':
      showPreview(ctx, services, { id: purchaseId })
      return true
    case 'unchanged':
      ctx.talk.say({
        text: words.nothingCorrected,
        rows: asked ? [[key(labels.leave, { do: 'leave' })]] : [],
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

/** A size alone answers which size all get who have none. */
const sizeAnswer = ({ reading }: Preview, text: string): ListMessage | null => {
  const size = readSize(text)
  const asked = reading.questions.find(({ kind }) => kind === 'size')
  const choice = size && asked?.choices.find(({ answer }) => answer === words.sizeText(size))
  return asked && choice ? { kind: 'answer', question: asked.key, answer: choice.answer } : null
}
