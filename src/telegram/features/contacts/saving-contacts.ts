import type { Contact } from 'grammy/types'
import { newId } from '../../../database/id.ts'
import { isRemoved } from '../../../domain/order/removed-phone.ts'
import { cleanName } from '../../../lists/names/contact-name.ts'
import { type NamedNumber, readNamedNumber } from '../../../lists/names/named-number.ts'
import { isName } from '../../../lists/names/names-in.ts'
import { readPhone } from '../../../lists/read-phone.ts'
import { linesOf } from '../../../lists/reading/normalize.ts'
import { recognize } from '../../../lists/recognition.ts'
import { mayRead, type Person } from '../../../orders/buying/purchases.ts'
import { type Book, type BookChange, bookOf, maxContacts } from '../../../store/shop/contacts.ts'
import { contactLabel } from '../../cards/words/contact.ts'
import {
  askNext,
  type BotContext,
  type ContactAsk,
  forgetQuestion,
  type Question,
} from '../../chat/context.ts'
import type { Handler } from '../../chat/handler.ts'
import { leaveButton, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { fileNotRead } from '../../words/file.ts'
import { needsNumber } from '../../words/numbers.ts'
import { notYours } from '../../words/unusable.ts'
import type { Answer, TextReader } from '../feature.ts'
import { sayOrder } from '../orders/order.ts'
import {
  allButton,
  contactScreen,
  foundScreen,
  importButton,
  type Owner,
  ownerOf,
  undoButton,
} from './contact-screens.ts'
import { contactsButton } from './contacts-button.ts'
import * as words from './words.ts'

/** A text this long may have been cut by Telegram, in UTF-16 units. Telegram cuts at 4,096. */
const maybeCut = 3_500

export const ask = async (ctx: BotContext, what: ContactAsk, text: string): Promise<void> => {
  await askNext(ctx, { what: 'contact', ask: what })
  // Sent as a new message, so that the card or contact whose button was pressed stays readable.
  ctx.talk.say({ text, rows: [[leaveButton]] })
}

/**
 * Asks for the number of a name that was ordered for but is not saved. If the answer is only a number, it is saved
 * under that name.
 */
export const askNumber = (ctx: BotContext, written: string): Promise<void> =>
  ask(ctx, { act: 'number', name: written }, words.nobodySaved(written))

export const takeAnswer = async (
  ctx: BotContext,
  owner: Owner,
  { question: { ask: what }, text }: Answer<ContactQuestion>,
): Promise<void> => {
  switch (what.act) {
    case 'search':
      await forgetQuestion(ctx)
      return ctx.talk.say(await foundScreen(ctx.services, owner, text))
    case 'add':
    case 'import':
      return takeLines(ctx, owner, linesOf(text))
    case 'number': {
      const meant = recognize(text)
      return takeLines(ctx, owner, [meant.kind === 'number' ? `${what.name} ${meant.phone}` : text])
    }
    case 'name':
    case 'rename':
      return takeName(ctx, owner, what, text)
  }
}

const takeName = async (
  ctx: BotContext,
  owner: Owner,
  what: Extract<ContactAsk, { act: 'name' | 'rename' }>,
  text: string,
): Promise<void> => {
  const { services } = ctx
  const name = cleanName(text)
  const renamed = what.act === 'rename' ? await services.store.contacts.byId(owner.book, what.id) : null
  const phone = what.act === 'name' ? what.phone : renamed?.phone
  if (!phone) {
    await forgetQuestion(ctx)
    return ctx.talk.say({ text: words.gone, rows: [[allButton]] })
  }
  const hasNumber = /\d{6,}/.test(text.replace(/[\s-]/g, ''))
  if (!name || hasNumber)
    return ctx.talk.say({
      text: hasNumber ? words.numberNotName(phone) : words.notAName,
      rows: [[leaveButton]],
    })
  await forgetQuestion(ctx)
  const change = await save(services, owner.book, [{ phone, name }])
  ctx.talk.say(await oneSaved(services, owner.book, { phone, name }, change))
  if (what.act === 'name' && what.orderId) await redrawOrder(ctx, owner.person, what.orderId)
}

/** Redraws the order's card, which now shows the name. */
const redrawOrder = async (ctx: BotContext, person: Person, orderId: string): Promise<void> => {
  const order = await ctx.services.store.orders.byId(orderId)
  if (!order || !mayRead(person, order)) return
  if (order.chatId !== ctx.talk.chatId) return sayOrder(ctx, order)
  await ctx.services.purchases.redraw(order.purchaseId, null)
}

/** Asks for the name of an order's number. If the number is saved, opens the contact. */
export const saveFromOrder = async (
  ctx: BotContext,
  { person, book }: Owner,
  orderId: string,
): Promise<void> => {
  const { services } = ctx
  const order = await services.store.orders.byId(orderId)
  const [only, more] = order?.recipients ?? []
  if (!order || !mayRead(person, order) || !only || more) return ctx.talk.toast(notYours)
  const { phone } = only
  if (isRemoved(phone)) return ctx.talk.toast(needsNumber, true)
  const known = await services.store.contacts.byPhone(book, phone)
  if (known) ctx.talk.say(await contactScreen(services, { person, book }, known))
  else await ask(ctx, { act: 'name', phone, orderId }, words.askName(phone))
}

const save = ({ store, now }: Services, book: Book, numbers: readonly NamedNumber[]): Promise<BookChange> =>
  store.transaction((tx) => tx.contacts.save(book, numbers, { now: now(), newId }), {
    accounts: [book.accountId],
  })

/** Saves the names that a list had for its numbers, and offers an undo. */
export const saveNames = async (
  ctx: BotContext,
  person: Person,
  names: readonly NamedNumber[],
): Promise<void> => {
  const [only, another] = names
  if (!only) return ctx.talk.toast(words.namesKnown)
  const book = bookOf(person)
  const change = await save(ctx.services, book, names)
  if (!another) return ctx.talk.say(await oneSaved(ctx.services, book, only, change))
  ctx.talk.say({
    text: words.imported(change, [], maxContacts),
    rows: [change.id ? [undoButton(change.id)] : [], [allButton]],
  })
}

/** The text that says what happened when one number was saved. */
const oneSaved = async (
  { store }: Services,
  book: Book,
  number: NamedNumber,
  { id, saved, renamed, left }: BookChange,
): Promise<Screen> => {
  if (left.length > 0) return { text: words.bookFull(maxContacts), rows: [[allButton]] }
  const contact = await store.contacts.byPhone(book, number.phone)
  const text =
    saved.length > 0
      ? words.savedOne(number)
      : renamed.length > 0
        ? words.renamedOne(number)
        : words.knownOne(number)
  const open = contact ? [contactsButton(contactLabel(number.name), { act: 'open', id: contact.id })] : []
  return { text, rows: [[...(id ? [undoButton(id)] : []), ...open], [allButton]] }
}

/** Takes lines with names and numbers. If there are none, the question stays open. */
const takeLines = async (ctx: BotContext, { book }: Owner, lines: readonly string[]): Promise<void> => {
  const outcome = await importLines(ctx.services, book, lines)
  if (outcome) {
    // A text of this length may have been cut by Telegram, so the question stays open for the rest.
    if ((ctx.message?.text?.length ?? 0) < maybeCut) await forgetQuestion(ctx)
    return ctx.talk.say(outcome)
  }
  const [alone, more] = lines.filter((line) => line.trim() !== '')
  const phone = alone !== undefined && more === undefined ? readPhone(alone)?.phone : undefined
  // The text is a number without a name, so only the name is asked for.
  if (phone) await ask(ctx, { act: 'name', phone, orderId: null }, words.askName(phone))
  else ctx.talk.say({ text: words.nothingToImport, rows: [[leaveButton]] })
}

/** Saves the names and numbers in the lines; null if there are none. */
const importLines = async (
  services: Services,
  book: Book,
  lines: readonly string[],
): Promise<Screen | null> => {
  const read = lines.map((line, index) => ({ ...readNamedNumber(line), text: line, line: index + 1 }))
  const numbers = read.flatMap((each) =>
    each.kind === 'read' ? [{ phone: each.phone, name: each.name }] : [],
  )
  const bad = read.flatMap((each) =>
    each.kind === 'fault' ? [{ line: each.line, text: each.text, fault: each.fault }] : [],
  )
  const [only, more] = numbers
  if (!only) return null
  const change = await save(services, book, numbers)
  if (!more && bad.length === 0) return oneSaved(services, book, only, change)
  return {
    text: words.imported(change, bad, maxContacts),
    rows: [change.id ? [undoButton(change.id)] : [], [allButton]],
  }
}

type ContactQuestion = Extract<Question, { what: 'contact' }>

/**
 * Whether the question asks for names and numbers. Its answer is
 * accepted even if it is forwarded or looks like a list of orders.
 */
export const isForNames = ({ ask: { act } }: ContactQuestion): boolean => act === 'import' || act === 'add'

/** Takes a file with names and numbers. */
export const takeFile: Handler<ContactQuestion, boolean> = async (ctx, question) => {
  const document = ctx.message?.document
  const owner = await ownerOf(ctx)
  if (!owner || !document || !isForNames(question)) return false
  await forgetQuestion(ctx)
  ctx.talk.aside(async () => {
    const reading = await ctx.readDocument(document)
    if (reading.kind === 'secret') return
    const read =
      reading.kind === 'text' ? await importLines(ctx.services, owner.book, linesOf(reading.text)) : null
    ctx.talk.say(
      read ?? {
        text: reading.kind === 'text' ? words.nothingInFile : fileNotRead(reading),
        rows: [[importButton], [allButton]],
      },
    )
  })
  return true
}

/** Saves a shared contact that answers no question. */
export const takeContact = async (ctx: BotContext, owner: Owner, contact: Contact): Promise<void> => {
  const name = cleanName(`${contact.first_name} ${contact.last_name ?? ''}`)
  const phone = readPhone(contact.phone_number)?.phone
  if (!phone) return ctx.talk.say(words.notGhanaian(name ?? '', contact.phone_number))
  if (!name) return ask(ctx, { act: 'name', phone, orderId: null }, words.askName(phone))
  const change = await save(ctx.services, owner.book, [{ phone, name }])
  ctx.talk.say(await oneSaved(ctx.services, owner.book, { phone, name }, change))
}

/**
 * `Kofi 0241234567` as the whole text: saves a new number and offers an undo, or opens a saved one. @returns false if the
 * text is anything else, for example if a word next to the number cannot be a name.
 */
export const takeNamedNumber: TextReader = async (ctx, { text }) => {
  const { services } = ctx
  const owner = await ownerOf(ctx)
  const read = linesOf(text.trim()).length === 1 ? readNamedNumber(text) : null
  if (!owner || read?.kind !== 'read' || !isName(read.name)) return false
  const { phone, name } = read
  const known = await services.store.contacts.byPhone(owner.book, phone)
  if (known) {
    ctx.talk.say(await contactScreen(services, owner, known))
    return true
  }
  const change = await save(services, owner.book, [{ phone, name }])
  ctx.talk.say(await oneSaved(services, owner.book, { phone, name }, change))
  return true
}
