import { newId } from '../../../database/id.ts'
import { isRedacted, type Order } from '../../../domain/order/order.ts'
import { recognize } from '../../../lists/recognition.ts'
import { writtenSize } from '../../../lists/size.ts'
import { everyDay, readReminder, readSchedule, type Schedule } from '../../../lists/written-reminder.ts'
import { clockOf, readTime } from '../../../lists/written-time.ts'
import { mayRead, type Person } from '../../../orders/buying/purchases.ts'
import { addReminder, type NewReminder } from '../../../orders/reminding/reminders.ts'
import type { Phone } from '../../../provider/index.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { ActOf } from '../../buttons/table.ts'
import { dayNames, reminderLabels } from '../../cards/words/reminder.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { type Button, button, inRows, leaveButton } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { withPrices } from '../buying/priced-bundles.ts'
import { clearOrder } from '../buying/typed-order.ts'
import { meantBy } from '../contacts/contact-order.ts'
import type { Answer, TextReader } from '../feature.ts'
import { toastNotYours } from '../guards/guards.ts'
import * as words from './words.ts'

/** New reminders: written in a message, or made from an order. */

export const remindButton = (label: string, act: ActOf<'remind'>): Button =>
  button(label, { do: 'remind', act })

/** `Fridays 18:00: MTN 5GB for Ama`. A forwarded message sets no reminder, because somebody else wrote it. */
export const takeReminder: TextReader = async (ctx, services, { text }) => {
  const written = ctx.message?.forward_origin ? null : readReminder(text)
  const person = written && (await personOf(ctx, services))
  if (!written || !person) return false
  const { order, weekday, minutes } = written
  const meant = recognize(order)
  const named = meant.kind === 'named' ? await byNumber(services, person, meant.request) : order
  if (named === null) {
    if (meant.kind !== 'named' || !meant.isName) return false
    ctx.talk.say(words.unknownName(meant.request.written))
    return true
  }
  withPrices(ctx, services, person, async (bundles, offered) => {
    const wanted = await clearOrder(services, person, bundles, named)
    if (!wanted) return ctx.talk.say(words.notClear)
    const { bundleId, network, volume, offerSlug } = offered({ id: wanted.bundleId })
    const { phone, name } = wanted
    const bundle = { bundleId, network, volume, offerSlug }
    await add(ctx, services, person, { ...bundle, phone, name, weekday, minutes }, 'say')
  })
  return true
}

/** An order by name, with the number in place of the name; null unless one saved customer is meant. */
const byNumber = async (
  services: Services,
  person: Person,
  request: Extract<ReturnType<typeof recognize>, { kind: 'named' }>['request'],
): Promise<string | null> => {
  const { found, network } = await meantBy(services, person, request)
  const [only, more] = found
  if (!only || more || !request.size) return null
  return `${only.phone} ${writtenSize(request.size)} ${network ?? ''}`.trim()
}

const add = async (
  ctx: BotContext,
  { store, now }: Services,
  person: Person,
  wanted: NewReminder,
  how: 'say' | 'show',
): Promise<void> => {
  const at = now()
  const reminder = await store.transaction((tx) => addReminder(tx, person, wanted, { id: newId(), at }), {
    accounts: [person.accountId],
  })
  if (!reminder) return ctx.talk[how](words.tooMany)
  const { id } = reminder
  const undo = remindButton(words.ownLabels.undo, { act: 'delete', id })
  const all = remindButton(reminderLabels.all, { act: 'list', page: 0 })
  ctx.talk[how]({ text: words.made(reminder, wanted.name, at), rows: [[undo, all]] })
}

/** `Remind me`: asks for the day. The message with the order stays as it is. */
export const askDay = async (ctx: BotContext, order: Order): Promise<void> => {
  await askNext(ctx, { what: 'reminder', orderId: order.id, weekday: null })
  const day = (weekday: number) =>
    remindButton(dayNames[weekday] ?? '', { act: 'times', orderId: order.id, weekday })
  const days = [everyDay, 1, 2, 3, 4, 5, 6, 0].map(day)
  ctx.talk.say({ text: words.askDay, rows: inRows(days, 2), isQuestion: true })
}

/** In minutes since midnight. */
const offeredTimes = [7, 9, 12, 15, 18, 20].map((hour) => hour * 60)

export const askTime = async (ctx: BotContext, order: Order, weekday: number): Promise<void> => {
  await askNext(ctx, { what: 'reminder', orderId: order.id, weekday })
  const times = offeredTimes.map((minutes) =>
    remindButton(clockOf(minutes), { act: 'set', orderId: order.id, weekday, minutes }),
  )
  ctx.talk.show({ text: words.askTime(weekday), rows: [...inRows(times, 3), [leaveButton]] })
}

/** Takes the typed day and time. If they cannot be read, the question stays open. */
export const takeSchedule = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  { question: { orderId, weekday }, text }: Answer<Extract<Question, { what: 'reminder' }>>,
): Promise<void> => {
  const order = await remindable(services, person, orderId)
  const minutes = weekday === null ? null : readTime(text)
  const schedule = minutes === null || weekday === null ? readSchedule(text) : { weekday, minutes }
  if (!order || !schedule) return ctx.talk.say(order ? words.notASchedule : words.notClear)
  await remindOf(ctx, services, person, order, schedule, 'say')
}

/** An order for one number that the person may read; null if there is none, or its number was removed. */
const remindable = async ({ store }: Services, person: Person, orderId: string): Promise<Order | null> => {
  const order = await store.orders.byId(orderId)
  return order && mayRead(person, order) && !isRedacted(order) && order.recipients.length === 1 ? order : null
}

const remindOf = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  order: Order,
  { weekday, minutes }: Schedule,
  how: 'say' | 'show',
): Promise<void> => {
  await forgetQuestion(ctx, services)
  const { bundleId, network, volume, offerSlug } = order
  const phone = order.recipients[0]?.phone as Phone
  const name = (await services.store.contacts.byPhone(bookOf(person), phone))?.name ?? null
  await add(
    ctx,
    services,
    person,
    { bundleId, network, volume, offerSlug, phone, name, weekday, minutes },
    how,
  )
}

/** The presses that make a reminder from an order. */
export const pressNew = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  act: Extract<ActOf<'remind'>, { orderId: string }>,
): Promise<void> => {
  const order = await remindable(services, person, act.orderId)
  if (!order) return toastNotYours(ctx)
  if (act.act === 'days') return askDay(ctx, order)
  if (act.act === 'times') return askTime(ctx, order, act.weekday)
  await remindOf(ctx, services, person, order, act, 'show')
}
