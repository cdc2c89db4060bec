import type { Contact } from 'grammy/types'
import { csvOf } from '../../lists/csv.ts'
import { readPhone } from '../../lists/phone.ts'
import { linesOf } from '../../lists/plain.ts'
import { meaningOf } from '../../lists/vocabulary.ts'
import type { Person } from '../../orders/purchases.ts'
import { mayRead } from '../../orders/purchases.ts'
import { isRemoved } from '../../orders/removed-phone.ts'
import { cleanName, nameKey } from '../../shop/customer-name.ts'
import { usualBundles } from '../../shop/habit.ts'
import { type NamedNumber, readNamedNumber } from '../../shop/named-number.ts'
import { type Book, type BookChange, bookOf, type Customer, mostCustomers } from '../../store/customers.ts'
import { newId } from '../../store/id.ts'
import type { CustomerAct } from '../buttons/customer.ts'
import { type HistoryFilter, noFilter } from '../buttons/history.ts'
import { askNext, type BotContext, type CustomerAsk, forgetQuestion } from '../context.ts'
import { personOf } from '../person.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { bundleName } from '../texts/bundle.ts'
import * as words from '../texts/customer.ts'
import { fileNotRead } from '../texts/file.ts'
import { labels } from '../texts/labels.ts'
import { needAccount, notYours } from '../texts/refusal.ts'
import { needsNumber } from '../texts/removed.ts'
import { offerUsual } from './customer-buy.ts'
import { inTwos } from './customer-choice.ts'
import { orderForCustomer } from './customer-order.ts'
import { mayOrder } from './disconnect.ts'
import { openKey } from './history.ts'
import * as keptNumbers from './kept-numbers.ts'
import { sayOrder } from './order.ts'

const { customerLabels } = words
const perPage = 10
const mostFound = 10
const shownOrders = 3
/** Of so many orders it is seen what somebody usually buys. */
const ordersLookedAt = 20

/** UTF-16 units; Telegram cuts at 4,096. */
const maybeCut = 3_500

const leaveKey: Key = key(labels.leave, { do: 'leave' })
const allKey: Key = key(customerLabels.all, { do: 'customers', act: { act: 'list', page: 0 } })
const importKey: Key = key(customerLabels.import, { do: 'customers', act: { act: 'import' } })
const homeKey: Key = key(labels.home, { do: 'home' })

interface Owner {
  person: Person
  book: Book
}

const ownerOf = async (ctx: BotContext, services: Services): Promise<Owner | null> => {
  const person = await personOf(ctx, services)
  return person && { person, book: bookOf(person) }
}

// ── The book ───────────────────────────────────────────────────────────────────────────────────────────────────

/** `/customers`, with or without a part of a name or number behind it. */
export const customers = async (ctx: BotContext, services: Services): Promise<void> => {
  const owner = await ownerOf(ctx, services)
  if (!owner) {
    ctx.talk.say(needAccount)
    return
  }
  const typed = typeof ctx.match === 'string' ? ctx.match.trim() : ''
  ctx.talk.say(
    typed === '' ? await bookScreen(services, owner.book, 0) : await foundScreen(services, owner, typed),
  )
}

const bookScreen = async ({ store }: Services, book: Book, page: number): Promise<Screen> => {
  const count = await store.customers.count(book)
  const add = key(customerLabels.add, { do: 'customers', act: { act: 'add' } })
  const kept = await keptNumbers.keys(store, book)
  if (count === 0) return { text: words.noCustomers, rows: [[add, importKey], kept, [homeKey]] }
  const pages = Math.ceil(count / perPage)
  // A page that is gone, after a deletion or on an old message, is the last one.
  const at = Math.min(page, pages - 1)
  const shown = await store.customers.page(book, at * perPage, perPage)
  const list = (label: string, to: number) => key(label, { do: 'customers', act: { act: 'list', page: to } })
  return {
    text: words.book(shown, count, at, pages),
    rows: [
      ...openKeys(shown),
      [
        ...(at > 0 ? [list(labels.previous, at - 1)] : []),
        ...(at + 1 < pages ? [list(labels.next, at + 1)] : []),
      ],
      [key(customerLabels.search, { do: 'customers', act: { act: 'search' } }), add],
      [importKey, key(customerLabels.export, { do: 'customers', act: { act: 'export' } })],
      kept,
      [homeKey],
    ],
  }
}

const openKeys = (shown: readonly Customer[]): Key[][] =>
  inTwos(
    shown.map((customer) => {
      const alone = shown.filter(({ name }) => name === customer.name).length === 1
      return key(words.choiceLabel(customer, alone), {
        do: 'customers',
        act: { act: 'open', id: customer.id },
      })
    }),
  )

const foundScreen = async (services: Services, owner: Owner, typed: string): Promise<Screen> => {
  const found = await search(services, owner.book, typed)
  const [only] = found
  if (only && found.length === 1) return customerScreen(services, owner, only)
  const shown = found.slice(0, mostFound)
  const again = key(customerLabels.search, { do: 'customers', act: { act: 'search' } })
  const add = key(customerLabels.add, { do: 'customers', act: { act: 'add' } })
  return {
    text: words.searched(typed, shown, found.length > mostFound),
    rows: [...openKeys(shown), shown.length === 0 ? [again, add] : [again], [allKey]],
  }
}

/** One more than is shown, to know whether there are more. */
const search = ({ store }: Services, book: Book, typed: string): Promise<Customer[]> => {
  const digits = typed.replace(/[\s().+-]/g, '')
  const whole = readPhone(typed)?.phone
  return store.customers.containing(
    book,
    {
      // Digits alone are looked for in names too: `Shop 2`.
      key: nameKey(cleanName(typed) ?? digits).slice(0, words.longestTyped),
      digits: whole ?? (/^\d{2,15}$/.test(digits) ? digits : null),
    },
    mostFound + 1,
  )
}

// ── One customer ───────────────────────────────────────────────────────────────────────────────────────────────

const ordersOf = ({ store }: Services, { person }: Owner, { phone }: Customer, take: number) =>
  store.customers.ordersFor(
    { accountId: person.accountId, userId: person.role === 'owner' ? null : person.userId, phone },
    take,
  )

const customerScreen = async (services: Services, owner: Owner, customer: Customer): Promise<Screen> => {
  const orders = await ordersOf(services, owner, customer, ordersLookedAt)
  const [usual] = usualBundles(orders)
  const shown = orders.slice(0, shownOrders)
  const act = (label: string, name: 'buy' | 'rename' | 'delete') =>
    key(label, { do: 'customers', act: { act: name, id: customer.id } })
  return {
    text: words.customer(
      customer,
      shown.map((order, index) => words.orderOf(order, customer.phone, index + 1, services.now())),
      usual
        ? { bundle: bundleName(usual.network, usual.volume), times: usual.times, of: orders.length }
        : null,
    ),
    rows: [
      [
        act(customerLabels.buy, 'buy'),
        key(customerLabels.orders, { do: 'orders', page: 0, filter: ofPhone(customer) }),
      ],
      shown.map((order, index) => openKey(order, words.openLabel(index + 1))),
      [act(customerLabels.rename, 'rename'), act(customerLabels.delete, 'delete')],
      [key(labels.back, { do: 'customers', act: { act: 'list', page: 0 } })],
    ],
  }
}

const ofPhone = ({ phone }: Customer): HistoryFilter => ({ ...noFilter, search: { by: 'phone', phone } })

/** A press on any button about saved numbers. */
export const press = async (ctx: BotContext, services: Services, act: CustomerAct): Promise<void> => {
  const owner = await ownerOf(ctx, services)
  if (!owner) {
    ctx.talk.toast(notYours)
    return
  }
  await forgetQuestion(ctx, services)
  switch (act.act) {
    case 'list':
      ctx.talk.show(await bookScreen(services, owner.book, act.page))
      return
    case 'search':
      return ask(ctx, { act: 'search' }, words.askSearch)
    case 'add':
      return ask(ctx, { act: 'add' }, words.askNew)
    case 'import':
      return ask(ctx, { act: 'import' }, words.askImport)
    case 'export':
      return exportBook(ctx, services, owner)
    case 'undo':
      return undo(ctx, services, owner, act.change)
    case 'save':
      return saveFromOrder(ctx, services, owner, act.orderId)
    case 'kept':
    case 'forget_kept':
    case 'forget_all_kept':
      return keptNumbers.press(ctx, services, owner.person, act)
    default:
      return pressOne(ctx, services, owner, act)
  }
}

type ActOnOne = Extract<CustomerAct, { id: string }>

const pressOne = async (ctx: BotContext, services: Services, owner: Owner, act: ActOnOne): Promise<void> => {
  const customer = await services.store.customers.byId(owner.book, act.id)
  if (!customer) {
    ctx.talk.toast(words.gone)
    return
  }
  switch (act.act) {
    case 'open':
      ctx.talk.show(await customerScreen(services, owner, customer))
      return
    case 'buy':
      if (await mayOrder(ctx, services, owner.person)) {
        const orders = await ordersOf(services, owner, customer, ordersLookedAt)
        offerUsual(ctx, services, { person: owner.person, customer, usual: usualBundles(orders) })
      }
      return
    case 'rename':
      return ask(ctx, { act: 'rename', id: customer.id }, words.askRename(customer))
    case 'delete':
      return remove(ctx, services, owner, customer)
    case 'meant':
      await orderForCustomer(ctx, services, owner.person, customer, act)
  }
}

const remove = async (ctx: BotContext, services: Services, owner: Owner, { id }: Customer): Promise<void> => {
  const removed = await services.store.transaction((tx) =>
    tx.customers.remove(owner.book, id, { now: services.now(), newId }),
  )
  if (!removed) {
    ctx.talk.toast(words.gone)
    return
  }
  ctx.talk.show({ text: words.deleted(removed.customer), rows: [[undoKey(removed.changeId)], [allKey]] })
}

const undoKey = (change: string): Key =>
  key(customerLabels.undo, { do: 'customers', act: { act: 'undo', change } })

const undo = async (ctx: BotContext, services: Services, owner: Owner, change: string): Promise<void> => {
  const undone = await services.store.transaction((tx) =>
    tx.customers.undo(owner.book, change, services.now()),
  )
  if (!undone) {
    ctx.talk.toast(words.tooLateToUndo, true)
    return
  }
  ctx.talk.toast(words.undoneToast)
  ctx.talk.show({ text: words.undone(undone), rows: [[allKey]] })
}

const exportBook = async (ctx: BotContext, { store, now }: Services, { book }: Owner): Promise<void> => {
  const all = await store.customers.page(book, 0, mostCustomers)
  if (all.length === 0) {
    ctx.talk.toast(words.nothingToExport)
    return
  }
  ctx.talk.toast(words.exporting)
  ctx.talk.sendFile(async () => ({
    name: words.exportFile(now().toISOString().slice(0, 10)),
    content: csvOf([words.exportColumns, ...all.map(({ name, phone }) => [name, phone])]),
    caption: words.exportCaption(all.length),
  }))
}

// ── What is asked and answered ─────────────────────────────────────────────────────────────────────────────────

const ask = async (ctx: BotContext, what: CustomerAsk, text: string): Promise<void> => {
  await askNext(ctx, { what: 'customer', ask: what })
  // Below what was pressed, which stays readable: a card, or the customer.
  ctx.talk.say({ text, rows: [[leaveKey]] })
}

/** The text that answers what was asked. */
export const takeAnswer = async (
  ctx: BotContext,
  services: Services,
  what: CustomerAsk,
  text: string,
): Promise<void> => {
  const owner = await ownerOf(ctx, services)
  if (!owner) {
    ctx.talk.say(needAccount)
    return
  }
  switch (what.act) {
    case 'search':
      await forgetQuestion(ctx, services)
      ctx.talk.say(await foundScreen(services, owner, text))
      return
    case 'add':
    case 'import':
      return takeLines(ctx, services, owner, linesOf(text))
    case 'name':
    case 'rename':
      return takeName(ctx, services, owner, what, text)
  }
}

const takeName = async (
  ctx: BotContext,
  services: Services,
  owner: Owner,
  what: Extract<CustomerAsk, { act: 'name' | 'rename' }>,
  text: string,
): Promise<void> => {
  const name = cleanName(text)
  const renamed = what.act === 'rename' ? await services.store.customers.byId(owner.book, what.id) : null
  const phone = what.act === 'name' ? what.phone : renamed?.phone
  if (!phone) {
    await forgetQuestion(ctx, services)
    ctx.talk.say({ text: words.gone, rows: [[allKey]] })
    return
  }
  const hasNumber = /\d{6,}/.test(text.replace(/[\s-]/g, ''))
  if (!name || hasNumber) {
    ctx.talk.say({ text: hasNumber ? words.numberNotName(phone) : words.notAName, rows: [[leaveKey]] })
    return
  }
  await forgetQuestion(ctx, services)
  const change = await save(services, owner.book, [{ phone, name }])
  ctx.talk.say(await oneSaved(services, owner.book, { phone, name }, change))
  if (what.act === 'name' && what.orderId) await redrawOrder(ctx, services, owner.person, what.orderId)
}

/** The card on which the name was missing. */
const redrawOrder = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  orderId: string,
): Promise<void> => {
  const order = await services.store.orders.byId(orderId)
  if (!order || !mayRead(person, order)) return
  if (order.chatId !== ctx.talk.chatId) return sayOrder(ctx, services, order)
  await services.purchases.redraw(order.purchaseId, null)
}

const saveFromOrder = async (
  ctx: BotContext,
  services: Services,
  { person, book }: Owner,
  orderId: string,
): Promise<void> => {
  const order = await services.store.orders.byId(orderId)
  const [only, more] = order?.recipients ?? []
  if (!order || !mayRead(person, order) || !only || more) {
    ctx.talk.toast(notYours)
    return
  }
  const { phone } = only
  if (isRemoved(phone)) {
    ctx.talk.toast(needsNumber, true)
    return
  }
  const known = await services.store.customers.byPhone(book, phone)
  if (known) ctx.talk.say(await customerScreen(services, { person, book }, known))
  else await ask(ctx, { act: 'name', phone, orderId }, words.askName(phone))
}

const save = ({ store, now }: Services, book: Book, numbers: readonly NamedNumber[]): Promise<BookChange> =>
  store.transaction((tx) => tx.customers.save(book, numbers, { now: now(), newId }))

/** What became of one number. */
const oneSaved = async (
  { store }: Services,
  book: Book,
  number: NamedNumber,
  { id, saved, renamed, left }: BookChange,
): Promise<Screen> => {
  if (left.length > 0) return { text: words.bookFull(mostCustomers), rows: [[allKey]] }
  const customer = await store.customers.byPhone(book, number.phone)
  const text =
    saved.length > 0
      ? words.savedOne(number)
      : renamed.length > 0
        ? words.renamedOne(number)
        : words.knownOne(number)
  const open = customer
    ? [key(words.customerLabel(number.name), { do: 'customers', act: { act: 'open', id: customer.id } })]
    : []
  return { text, rows: [[...(id ? [undoKey(id)] : []), ...open], [allKey]] }
}

/** Lines with names and numbers. What holds none keeps the question. */
const takeLines = async (
  ctx: BotContext,
  services: Services,
  { book }: Owner,
  lines: readonly string[],
): Promise<void> => {
  const outcome = await importLines(services, book, lines)
  if (outcome) {
    // A text as long as that may have been cut by Telegram, and its other part be on its way.
    if ((ctx.message?.text?.length ?? 0) < maybeCut) await forgetQuestion(ctx, services)
    ctx.talk.say(outcome)
    return
  }
  const [alone, more] = lines.filter((line) => line.trim() !== '')
  const phone = alone !== undefined && more === undefined ? readPhone(alone)?.phone : undefined
  // A number alone only lacks its name.
  if (phone) await ask(ctx, { act: 'name', phone, orderId: null }, words.askName(phone))
  else ctx.talk.say({ text: words.nothingToImport, rows: [[leaveKey]] })
}

/** Saves what the lines hold; null where that is nothing. */
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
    text: words.imported(change, bad, mostCustomers),
    rows: [change.id ? [undoKey(change.id)] : [], [allKey]],
  }
}

/** A file that was asked for. @returns false where none was. */
export const takeFile = async (ctx: BotContext, services: Services, what: CustomerAsk): Promise<boolean> => {
  const document = ctx.message?.document
  const owner = await ownerOf(ctx, services)
  if (!owner || !document || (what.act !== 'import' && what.act !== 'add')) return false
  await forgetQuestion(ctx, services)
  ctx.talk.aside(async () => {
    const reading = await ctx.readDocument(document)
    if (reading.kind === 'secret') return
    const read =
      reading.kind === 'text' ? await importLines(services, owner.book, linesOf(reading.text)) : null
    ctx.talk.say(
      read ?? {
        text: reading.kind === 'text' ? words.nothingInFile : fileNotRead(reading),
        rows: [[importKey], [allKey]],
      },
    )
  })
  return true
}

/** A contact that is no answer to a question for a number: it is saved. */
export const takeContact = async (ctx: BotContext, services: Services, contact: Contact): Promise<void> => {
  const owner = await ownerOf(ctx, services)
  if (!owner) {
    ctx.talk.say(needAccount)
    return
  }
  const name = cleanName(`${contact.first_name} ${contact.last_name ?? ''}`)
  const phone = readPhone(contact.phone_number)?.phone
  if (!phone) {
    ctx.talk.say(words.notGhanaian(name ?? '', contact.phone_number))
    return
  }
  if (!name) return ask(ctx, { act: 'name', phone, orderId: null }, words.askName(phone))
  const change = await save(services, owner.book, [{ phone, name }])
  ctx.talk.say(await oneSaved(services, owner.book, { phone, name }, change))
}

/**
 * `Kofi 0241234567`, sent by itself: who is not saved yet is saved, and can be taken back; who is, is opened.
 * @returns false where a word beside the number means something else.
 */
export const takeNamedNumber = async (
  ctx: BotContext,
  services: Services,
  text: string,
): Promise<boolean> => {
  const owner = await ownerOf(ctx, services)
  const read = linesOf(text.trim()).length === 1 ? readNamedNumber(text) : null
  if (!owner || read?.kind !== 'read' || !isNothingElse(read.name)) return false
  const { phone, name } = read
  const known = await services.store.customers.byPhone(owner.book, phone)
  if (known) {
    ctx.talk.say(await customerScreen(services, owner, known))
    return true
  }
  const change = await save(services, owner.book, [{ phone, name }])
  ctx.talk.say(await oneSaved(services, owner.book, { phone, name }, change))
  return true
}

/** `call 0241234567`, `0241234567 2x5gb`: no names. */
const isNothingElse = (name: string): boolean => {
  const words = name.split(' ')
  return words.length <= mostWords && words.every((word) => plainName.test(word) && meaningOf(word) === null)
}

const mostWords = 4
const plainName = /^\p{L}[\p{L}\p{M}'’.-]*$/u

/** A text that is nothing but the name of somebody who is saved opens them. @returns false where it is not. */
export const openByName = async (ctx: BotContext, services: Services, text: string): Promise<boolean> => {
  const owner = await ownerOf(ctx, services)
  const name = text.length > 80 || /\d{5}|\n/.test(text) ? null : cleanName(text)
  if (!owner || !name) return false
  const named = await services.store.customers.named(owner.book, nameKey(name), mostFound)
  const [only, more] = named
  if (!only) return false
  ctx.talk.say(more ? await foundScreen(services, owner, name) : await customerScreen(services, owner, only))
  return true
}
