import { newId } from '../../../database/id.ts'
import { text } from '../../../exports/cell-value.ts'
import { type ExportFormat, fileBytes } from '../../../exports/export-file.ts'
import { cleanName, nameKey } from '../../../lists/names/contact-name.ts'
import { dayIn } from '../../../messaging/time-zone.ts'
import { usualBundles } from '../../../shop/habit.ts'
import { type Contact, maxContacts } from '../../../store/shop/contacts.ts'
import type { ActOf, ButtonPress } from '../../buttons/table.ts'
import { type BotContext, forgetQuestion } from '../../chat/context.ts'
import { namedFile, sheetOf } from '../../words/column-headings.ts'
import { labels } from '../../words/labels.ts'
import type { TextReader } from '../feature.ts'
import { admit } from '../guards/order-denial.ts'
import { offerUsual } from './contact-buy.ts'
import { orderForContact } from './contact-order.ts'
import {
  allButton,
  bookMenu,
  bookScreen,
  contactScreen,
  foundScreen,
  maxFound,
  type Owner,
  ordersLookedAt,
  ordersOf,
  ownerOf,
  undoButton,
} from './contact-screens.ts'
import { contactsButton } from './contacts-button.ts'
import * as keptNumbers from './kept-numbers.ts'
import { ask, saveFromOrder } from './saving-contacts.ts'
import * as words from './words.ts'
import * as exportTexts from './words.ts'

/** `/customers`: shows the contact book, or the contacts that match a part of a name or number. */
export const showContacts = async (ctx: BotContext, owner: Owner, typed: string): Promise<void> => {
  ctx.talk.say(
    typed === ''
      ? await bookScreen(ctx.services, owner.book, 0)
      : await foundScreen(ctx.services, owner, typed),
  )
}

export const pressContacts = async (
  ctx: BotContext,
  owner: Owner,
  { act }: Extract<ButtonPress, { do: 'contacts' }>,
): Promise<void> => {
  await forgetQuestion(ctx)
  switch (act.act) {
    case 'list':
      return ctx.talk.show(await bookScreen(ctx.services, owner.book, act.page))
    case 'more':
      return ctx.talk.show(await bookMenu(ctx.services, owner.book))
    case 'search':
      return ask(ctx, { act: 'search' }, words.askSearch)
    case 'add':
      return ask(ctx, { act: 'add' }, words.askNew)
    case 'import':
      return ask(ctx, { act: 'import' }, words.askImport)
    case 'export':
      return exportBook(ctx, owner, 'xlsx')
    case 'export_csv':
      return exportBook(ctx, owner, 'csv')
    case 'undo':
      return undo(ctx, owner, act.change)
    case 'save':
      return saveFromOrder(ctx, owner, act.orderId)
    case 'kept':
    case 'forget_kept':
    case 'forget_all_kept':
      return keptNumbers.press(ctx, owner.person, act)
    default:
      return pressOne(ctx, owner, act)
  }
}

type ActOnOne = Extract<ActOf<'contacts'>, { id: string }>

const pressOne = async (ctx: BotContext, owner: Owner, act: ActOnOne): Promise<void> => {
  const { services } = ctx
  const contact = await services.store.contacts.byId(owner.book, act.id)
  if (!contact) return ctx.talk.toast(words.gone)
  switch (act.act) {
    case 'open':
      return ctx.talk.show(await contactScreen(services, owner, contact))
    case 'buy':
      if (await admit(ctx, owner.person)) {
        const orders = await ordersOf(services, owner, contact, ordersLookedAt)
        offerUsual(ctx, { person: owner.person, contact, usual: usualBundles(orders) })
      }
      return
    case 'rename':
      return ask(ctx, { act: 'rename', id: contact.id }, words.askRename(contact))
    case 'delete':
      return remove(ctx, owner, contact)
    case 'meant':
      return orderForContact(ctx, owner.person, contact, act)
    default:
      return act satisfies never
  }
}

const remove = async (ctx: BotContext, owner: Owner, { id }: Contact): Promise<void> => {
  const removed = await ctx.services.store.transaction(
    (tx) => tx.contacts.remove(owner.book, id, { now: ctx.services.now(), newId }),
    { accounts: [owner.book.accountId] },
  )
  if (!removed) return ctx.talk.toast(words.gone)
  ctx.talk.show({ text: words.deleted(removed.contact), rows: [[undoButton(removed.changeId)], [allButton]] })
}

/** Undoes a change of the contact book, and shows the result. @param change the id of the change. */
export const undo = async (ctx: BotContext, owner: Owner, change: string): Promise<void> => {
  const undone = await ctx.services.store.transaction(
    (tx) => tx.contacts.undo(owner.book, change, ctx.services.now()),
    { accounts: [owner.book.accountId] },
  )
  if (!undone) return ctx.talk.toast(words.tooLateToUndo, true)
  ctx.talk.toast(words.undoneToast)
  ctx.talk.show({ text: words.undone(undone), rows: [[allButton]] })
}

/** Sends the contact book as a file. Below an Excel file, a button offers the same as CSV. */
const exportBook = async (ctx: BotContext, { book, person }: Owner, format: ExportFormat): Promise<void> => {
  const { store, security, now } = ctx.services
  const all = await store.contacts.page(book, 0, maxContacts)
  if (all.length === 0) return ctx.talk.toast(words.nothingToExport)
  const { accountId, userId } = person
  await security.note({ kind: 'exported', accountId, userId, detail: `customers ${format}` })
  ctx.talk.toast(words.exporting)
  ctx.talk.sendFile(async () => {
    const { timeZone } = await store.preferences.of(person.userId)
    const sheet = sheetOf(exportTexts.bookSheetName, ['contact', 'phone'], timeZone)
    const rows = all.map(({ name, phone }) => [text(name), text(phone)])
    return {
      name: namedFile(exportTexts.bookFileName, dayIn(timeZone, now()), format),
      content: await fileBytes(format, sheet, rows),
      caption: words.exportCaption(all.length),
      rows: format === 'csv' ? [] : [[csvButton]],
    }
  })
}

const csvButton = contactsButton(labels.csv, { act: 'export_csv' })

/** Opens a contact if the whole text is a saved name. @returns false if it is not a saved name. */
export const openByName: TextReader = async (ctx, { text }) => {
  const { services } = ctx
  const owner = await ownerOf(ctx)
  const name = text.length > 80 || /\d{5}|\n/.test(text) ? null : cleanName(text)
  if (!owner || !name) return false
  const named = await services.store.contacts.named(owner.book, nameKey(name), maxFound)
  const [only, more] = named
  if (!only) return false
  ctx.talk.say(more ? await foundScreen(services, owner, name) : await contactScreen(services, owner, only))
  return true
}
