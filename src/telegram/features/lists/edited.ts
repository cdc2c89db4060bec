import { createHash } from 'node:crypto'
import type { Message } from 'grammy/types'
import type { List } from '../../../domain/list-draft.ts'
import type { Order, Purchase } from '../../../domain/order/order.ts'
import { scissors } from '../../../lists/meaning/truncation.ts'
import { readList } from '../../../lists/read-list.ts'
import { defaultPrefixes } from '../../../lists/read-phone.ts'
import { type Recognized, recognize } from '../../../lists/recognition.ts'
import { writtenSize } from '../../../lists/size.ts'
import { readReminder } from '../../../lists/written-reminder.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { leftOver } from '../../../orders/listing/list-left.ts'
import { isLive, readsAlike } from '../../../orders/listing/list-message.ts'
import type { AskedOrder } from '../../chat/asked-orders.ts'
import { type BotContext, causeOf, messageCause } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import type { Services } from '../../chat/services.ts'
import { bundleName } from '../../words/bundle.ts'
import { phoneText } from '../../words/numbers.ts'
import { offerTyped } from '../buying/buy.ts'
import { buyByText } from '../buying/typed-order.ts'
import { admit } from '../guards/order-denial.ts'
import { readAsk } from '../wallet/unanswered.ts'
import { askedAgain } from '../wallet/unanswered-words.ts'
import * as words from './edit-words.ts'
import { withCaption } from './list-file.ts'
import { showPreview } from './list-preview.ts'

/** An edited message of a person with an account. */
interface Edit {
  person: Person
  text: string
  messageId: number
}

/**
 * Reads an edited message again, and replaces the draft that the message had made. If Confirm and an edit arrive
 * together, a guarded update makes sure that only the first one counts. A confirmed order stays as it is, and the
 * person is told. An edit that changes only the spelling gets no answer.
 */
export const readEdited = async (ctx: BotContext): Promise<void> => {
  const message = ctx.editedMessage
  const text = message && textOf(message)
  const person = text === undefined ? null : await personOf(ctx)
  if (!message || text === undefined || !person) return
  const { purchases } = ctx.services.store
  const cause = editCause(ctx.talk.chatId, message, text)
  if (await purchases.byCause(cause)) return
  const { chatId } = ctx.talk
  const made = await purchases.ofMessage(chatId, message.message_id)
  const asked = ctx.services.askedOrders.of(chatId, message.message_id)
  const chosen = asked && (await purchases.byButtonOf(chatId, asked.questionId))
  const edit = { person, text, messageId: message.message_id }
  // If the message has made no purchase yet, it may still be handled later. So the edit uses the message's own cause
  // (the key under which a purchase is stored), and only one of the two makes a purchase.
  if (made.length > 0 || chosen) ctx.cause = cause
  const told = made.find(({ purchase, hasList }) => purchase.kind !== 'list' || hasList)?.purchase
  const own = chosen && (!told || chosen.createdAt > told.createdAt) ? chosen : told
  if (message.document) {
    if (own) await readCaption(ctx, edit, own)
  } else if (own?.kind === 'list') await readListAnew(ctx, edit, own)
  else if (own) await readOrderAnew(ctx, edit, own)
  else if (made[0]) await readCorrectionAnew(ctx, edit, made[0].purchase)
  else if (asked) await readAskedAnew(ctx, edit, asked)
  else await readFirst(ctx, edit)
}

const command = /^\/(?:buy|bulk)(?:@\w+)?\s+/i

const textOf = ({ text, caption, document, photo, video }: Message): string | undefined =>
  document ? (caption ?? '') : (text?.replace(command, '') ?? (photo || video ? caption : undefined))

/**
 * The key under which an edit's purchase is stored. It is the same if Telegram delivers the edit twice, so only one
 * purchase is made.
 */
const editCause = (chatId: number, { message_id, edit_date = 0 }: Message, text: string): string => {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 8)
  return `edit:${chatId}:${message_id}:${edit_date}:${digest}`
}

const orderKinds: ReadonlySet<Recognized['kind']> = new Set(['one', 'list', 'damaged', 'number'])

const takeAsOrder = async (ctx: BotContext, { person, text }: Edit): Promise<void> => {
  if (recognize(text).kind !== 'list') {
    await buyByText(ctx, person, text)
    return
  }
  if (!(await admit(ctx, person))) return
  const list = { text, fixedBundleId: null }
  showPreview(ctx, await ctx.services.lists.draft(person, messageCause(ctx), list))
}

/**
 * Reads an edit of a message that has made no purchase: the message still waits for the provider, or only the edit
 * makes it an order.
 */
const readFirst = async (ctx: BotContext, edit: Edit): Promise<void> => {
  const { store } = ctx.services
  const waiting = await store.unanswered.byCause(causeOf(ctx.talk.chatId, edit.messageId))
  const ask = waiting && readAsk(waiting.ask)
  if (ask && 'text' in ask && orderOf(ask.text) === orderOf(edit.text)) return
  if (readReminder(edit.text)) return ctx.talk.say(words.editedReminder)
  const { kind } = recognize(edit.text)
  if (kind !== 'one' && kind !== 'list') return
  if (waiting && (await store.unanswered.drop(waiting.id)) && waiting.messageId !== null)
    ctx.talk.edit(waiting.messageId, askedAgain)
  await takeAsOrder(ctx, edit)
}

/** Reads an edit of a message that the bot answered with a question, if the question is still open. */
const readAskedAnew = async (
  ctx: BotContext,
  edit: Edit,
  { text, bundleId, questionId }: AskedOrder,
): Promise<void> => {
  if (orderOf(text) === orderOf(edit.text)) return
  const meant = recognize(edit.text)
  if (!orderKinds.has(meant.kind)) return ctx.talk.edit(questionId, words.askedNoMore)
  ctx.talk.edit(questionId, words.askedAnew)
  await takeInPlace(ctx, edit, bundleId)
}

/**
 * Takes the edited text as an order. A number without a size gets the bundle that belonged to the message before the
 * edit.
 */
const takeInPlace = async (ctx: BotContext, edit: Edit, bundleId: number | null): Promise<void> => {
  const meant = recognize(edit.text)
  if (meant.kind !== 'number' || bundleId === null) return takeAsOrder(ctx, edit)
  if (await admit(ctx, edit.person)) offerTyped(ctx, edit.person, bundleId, meant.phone)
}

/** What a text orders, in a form that is the same for different spellings. */
const orderOf = (text: string): string =>
  JSON.stringify(
    readList(text, { bundles: [], prefixes: defaultPrefixes, fixedBundleId: null }).lines.flatMap(
      ({ written }) =>
        written.map(({ phone, size, network, amountPesewas }) => [
          phone,
          size && writtenSize(size),
          network,
          amountPesewas,
        ]),
    ),
  )

// ── An edited order for one number ─────────────────────────────────────────────────────────────────────────────────

const readOrderAnew = async (ctx: BotContext, edit: Edit, own: Purchase): Promise<void> => {
  const { services } = ctx
  if (isSameOrder(own, edit.text)) return
  const what = nameOf(own)
  const live = await liveOf(services, own)
  const isOthers = isTwin(own, live)
  const isOpen = isLive(live, services.now()) && !isOthers
  if (isOpen && !(await services.purchases.withdraw(live.id, edit.person))) {
    // The order was confirmed before the edit arrived.
    return sayTooLate(ctx, await liveOf(services, own), what)
  }
  if (!isOpen && !isOthers && live.confirmedAt && !(await isOver(services, live)))
    return sayTooLate(ctx, live, what)
  const isOrder = orderKinds.has(recognize(edit.text).kind)
  if (isOpen) ctx.talk.say(isOrder ? words.reread(what) : words.noOrderNow(what))
  if (isOrder) await takeInPlace(ctx, edit, own.lines[0]?.bundleId ?? null)
}

const isSameOrder = ({ lines }: Purchase, text: string): boolean => {
  const priceSnapshot = { bundles: [], prefixes: defaultPrefixes, fixedBundleId: null }
  const [number, another] = readList(text, priceSnapshot).lines.flatMap(({ written }) => written)
  const [line] = lines
  if (!number || another || !line) return false
  const { phone, size, network, amountPesewas } = number
  return (
    phone === line.phone &&
    (size === null || writtenSize(size) === line.volume) &&
    (network === null || network === line.network) &&
    (amountPesewas ?? null) === (line.writtenPesewas ?? null)
  )
}

const nameOf = ({ lines: [line] }: Purchase): string =>
  line
    ? `${bundleName(line.network, line.volume, line.offerSlug)} for ${phoneText(line.phone)}`
    : words.thisList

/**
 * Whether another message ordered the same, so that its card replaced this message's card. An edit of this message must
 * not close the other message's card.
 */
const isTwin = (own: Purchase, live: Purchase): boolean => {
  const [[line], [other]] = [own.lines, live.lines]
  const isSame = line?.phone === other?.phone && line?.bundleId === other?.bundleId
  return live.id !== own.id && isSame && live.remark === null
}

/** The purchase that has replaced `own`, directly or through others; `own` itself if none has. */
const liveOf = async ({ store }: Services, own: Purchase): Promise<Purchase> => {
  let live = (await store.purchases.byId(own.id)) ?? own
  while (live.state === 'superseded' && live.successorId !== null) {
    const next = await store.purchases.byId(live.successorId)
    if (!next) break
    live = next
  }
  return live
}

const over: ReadonlySet<Order['placement']> = new Set(['cancelled', 'rejected', 'not_placed', 'superseded'])

/** Whether all orders of the purchase ended without reaching the provider, or were refused. */
const isOver = async ({ store }: Services, { id }: Purchase): Promise<boolean> =>
  (await store.orders.ofPurchase(id)).every(({ placement }) => over.has(placement))

const sayTooLate = async (ctx: BotContext, live: Purchase, what: string): Promise<void> => {
  const { store, now } = ctx.services
  const orders = await store.orders.ofPurchase(live.id)
  const isOrdered = orders.some(({ placement }) => placement === 'placed')
  ctx.talk.say(words.tooLate(what, isOrdered, (await leftOver(store, live, now())) !== null))
}

// ── An edited list ──────────────────────────────────────────────────────────────────────────────────────────────────

const readListAnew = async (ctx: BotContext, edit: Edit, own: Purchase): Promise<void> => {
  const { store, lists, now } = ctx.services
  const list = await store.lists.byPurchase(own.id)
  const before = list && { ...list, text: list.answers.sent ?? list.text }
  if (!list || !before || readsAlike(before, edit.text)) return
  const live = await liveOf(ctx.services, own)
  if (isLive(live, now()) && (live.id !== own.id || list.text.includes(scissors)))
    return ctx.talk.say(words.unclear)
  const message = { kind: 'edit', text: edit.text } as const
  const taken = isLive(live, now())
    ? await lists.take(own.id, edit.person, messageCause(ctx), message)
    : 'gone'
  if (taken === 'taken') showPreview(ctx, own)
  else if (taken === 'gone') await readEnded(ctx, edit, own)
}

/**
 * Reads an edit of a message whose list has ended. If the list was never confirmed, the edit is read as a new order.
 */
const readEnded = async (ctx: BotContext, edit: Edit, own: Purchase): Promise<void> => {
  const live = await liveOf(ctx.services, own)
  if (live.confirmedAt && !(await isOver(ctx.services, live))) await sayTooLate(ctx, live, words.thisList)
  else if (orderKinds.has(recognize(edit.text).kind)) await takeAsOrder(ctx, edit)
}

/** Reads an edit of a message that was a correction of a list, or a part of the list. */
const readCorrectionAnew = async (
  ctx: BotContext,
  { person, text, messageId }: Edit,
  own: Purchase,
): Promise<void> => {
  const { services } = ctx
  const live = await liveOf(services, own)
  const list = await services.store.lists.byPurchase(live.id)
  if (!list) return
  if (!isLive(live, services.now())) {
    if (live.confirmedAt) await sayTooLate(ctx, live, words.thisList)
    return
  }
  const of = causeOf(ctx.talk.chatId, messageId)
  if (list.answers.correctedBy !== of) return ctx.talk.say(words.unclear)
  const message = { kind: 'corrections_again', text, of } as const
  const taken = await services.lists.take(live.id, person, messageCause(ctx), message)
  if (taken === 'taken') showPreview(ctx, live)
  else if (taken === 'gone') await sayTooLate(ctx, live, words.thisList)
}

/** Applies the edited caption of a file to that file and to the other files of its album. */
const readCaption = async (ctx: BotContext, edit: Edit, own: Purchase): Promise<void> => {
  const { lists, purchases } = ctx.services.store
  const list = await lists.byPurchase(own.id)
  if (!list || edit.text === (list.answers.caption ?? '')) return
  const { album } = list.answers
  const open =
    album === undefined ? [] : await purchases.openLists(edit.person, ctx.services.now(), mostOfAlbum)
  const changed: boolean[] = [await readWithCaption(ctx, edit, own, list)]
  for (const other of open) {
    const beside = other.id === own.id ? null : await lists.byPurchase(other.id)
    if (beside && beside.answers.album === album)
      changed.push(await readWithCaption(ctx, edit, other, beside))
  }
  if (changed.includes(true)) ctx.talk.say(words.captionReread)
}

/**
 * How many open lists are searched for those of the same album. It is more than the ten files that Telegram allows in
 * one.
 */
const mostOfAlbum = 20

/** Reads a list's file again with the new caption. @returns false if the list reads as before. */
const readWithCaption = async (
  ctx: BotContext,
  { person, text: caption }: Edit,
  own: Purchase,
  list: List,
): Promise<boolean> => {
  const { services } = ctx
  const before = list.answers.caption ?? ''
  const bare =
    before !== '' && list.text.startsWith(`${before}\n`) ? list.text.slice(before.length + 1) : list.text
  const { text, answers } = withCaption(bare, caption, list.fixedBundleId)
  const { size: _, ...others } = list.answers.questions
  const questions = { ...others, ...answers.questions }
  const isSame = text === list.text && questions.size === list.answers.questions.size
  if (isSame) return false
  const live = await liveOf(services, own)
  if (live.confirmedAt) {
    await sayTooLate(ctx, live, words.thisList)
    return false
  }
  const isChanged = await services.lists.change(own.id, person, () => ({
    text,
    answers: { ...list.answers, caption, questions },
  }))
  if (!isChanged) {
    const now = await liveOf(services, own)
    if (now.confirmedAt) await sayTooLate(ctx, now, words.thisList)
    return false
  }
  showPreview(ctx, own)
  return true
}
