import { newId } from '../../../database/id.ts'
import { isRedacted } from '../../../domain/order/order.ts'
import type { NamedRequest } from '../../../lists/names/named-request.ts'
import { recognize } from '../../../lists/recognition.ts'
import { writtenSize } from '../../../lists/size.ts'
import { everyDay, readReminder, readSchedule, type Schedule } from '../../../lists/written-reminder.ts'
import { clockOf, readTime } from '../../../lists/written-time.ts'
import { mayRead, type Person } from '../../../orders/buying/purchases.ts'
import { addReminder } from '../../../orders/reminding/reminders.ts'
import { isPhone } from '../../../provider/phone.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { ActOf } from '../../buttons/table.ts'
import { contactLabels } from '../../cards/words/contact.ts'
import { dayNames, reminderLabels } from '../../cards/words/reminder.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { type Button, button, inRows, leaveButton, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { soldNoMore } from '../../words/bundle.ts'
import { withPrices } from '../buying/priced-bundles.ts'
import { chooseWritten } from '../buying/typed-order.ts'
import { meantBy } from '../contacts/contact-order.ts'
import type { Answer, TextReader } from '../feature.ts'
import { toastNotYours } from '../guards/guards.ts'
import * as words from './words.ts'

/** New reminders: written in a message, or made from an order. */

export const remindButton = (label: string, act: ActOf<'remind'>): Button =>
  button(label, { do: 'remind', act })

/** `Fridays 18:00: MTN 5GB for Ama`. A forwarded message sets no reminder, because somebody else wrote it. */
export const takeReminder: TextReader = async (ctx, { text }) => {
  const written = ctx.message?.forward_origin ? null : readReminder(text)
  const person = written && (await personOf(ctx))
  if (!written || !person) return false
  const { order, ...schedule } = written
  const meant = recognize(order)
  const byNumber = meant.kind === 'named' ? await withNumber(ctx.services, person, meant.request) : order
  if (byNumber === null) {
    if (meant.kind !== 'named' || !meant.isName) return false
    ctx.talk.say(words.unknownName(meant.request.written))
    return true
  }
  withPrices(ctx, person, async (bundles) => {
    const wanted = await chooseWritten(ctx.services, person, bundles, byNumber)
    if (!wanted) ctx.talk.say(words.notClear)
    else if (wanted.kind === 'ask') ctx.talk.say(choiceScreen(wanted.screen, schedule))
    else set(ctx, person, { bundleId: wanted.bundle.id, phone: wanted.phone, ...schedule }, 'say')
  })
  return true
}

/** An order by name, with the number in place of the name; null unless one saved customer is meant. */
const withNumber = async (
  services: Services,
  person: Person,
  request: NamedRequest,
): Promise<string | null> => {
  const { found, network } = await meantBy(services, person, request)
  const [only, more] = found
  if (!only || more || !request.size) return null
  return `${only.phone} ${writtenSize(request.size)} ${network ?? ''}`.trim()
}

/** The question which bundle is meant, whose buttons set the reminder in place of making a card. */
const choiceScreen = ({ text, rows = [] }: Screen, schedule: Schedule): Screen => {
  const choices = rows.flat().flatMap((each) => {
    if (!('press' in each) || (each.press.do !== 'keep' && each.press.do !== 'bundle')) return []
    const { bundleId, phone } = each.press
    if (!phone) return []
    return [[remindButton(each.label, { act: 'set', bundleId, phone, ...schedule })]]
  })
  return choices.length > 0 ? { text, rows: choices } : { text: words.notClear }
}

type Wanted = Omit<Extract<ActOf<'remind'>, { act: 'set' }>, 'act'>

const set = (ctx: BotContext, person: Person, wanted: Wanted, how: 'say' | 'show'): void =>
  withPrices(ctx, person, async (bundles, offered) => {
    const { store, now } = ctx.services
    const at = now()
    const bundle = bundles.find(({ id }) => id === wanted.bundleId)
    if (!bundle) return ctx.talk[how](soldNoMore)
    const { network, volume, offerSlug } = offered(bundle)
    const name = (await store.contacts.byPhone(bookOf(person), wanted.phone))?.name ?? null
    const reminder = await store.transaction(
      (tx) => addReminder(tx, person, { ...wanted, network, volume, offerSlug, name }, { id: newId(), at }),
      { accounts: [person.accountId] },
    )
    if (!reminder) return ctx.talk[how](words.tooMany)
    const undo = remindButton(contactLabels.undo, { act: 'delete', id: reminder.id })
    const all = remindButton(reminderLabels.all, { act: 'list', page: 0 })
    ctx.talk[how]({ text: words.made(reminder, name, at), rows: [[undo, all]] })
  })

/** The presses that make a reminder. `Remind me` asks in a new message, so that the order's card stays. */
export const pressNew = async (
  ctx: BotContext,
  person: Person,
  act: Extract<ActOf<'remind'>, { act: 'days' | 'times' | 'set' }>,
): Promise<void> => {
  if (act.act === 'set') {
    await forgetQuestion(ctx)
    const { act: _, ...wanted } = act
    return set(ctx, person, wanted, 'show')
  }
  const { orderId } = act
  const order = await orderedBefore(ctx.services, person, orderId)
  if (!order) return toastNotYours(ctx)
  const weekday = act.act === 'times' ? act.weekday : null
  await askNext(ctx, { what: 'reminder', orderId, weekday })
  if (weekday === null) {
    const days = [everyDay, 1, 2, 3, 4, 5, 6, 0].map((day) =>
      remindButton(dayNames[day] ?? '', { act: 'times', orderId, weekday: day }),
    )
    return ctx.talk.say({ text: words.askDay, rows: inRows(days, 2) })
  }
  const times = offeredHours.map((hour) =>
    remindButton(clockOf(hour * 60), { act: 'set', ...order, weekday, minutes: hour * 60 }),
  )
  ctx.talk.show({ text: words.askTime(weekday), rows: [...inRows(times, 3), [leaveButton]] })
}

const offeredHours = [7, 9, 12, 15, 18, 20]

/** Takes the typed day and time. If they cannot be read, the question stays open. */
export const takeSchedule = async (
  ctx: BotContext,
  person: Person,
  { question: { orderId, weekday }, text }: Answer<Extract<Question, { what: 'reminder' }>>,
): Promise<void> => {
  const minutes = weekday === null ? null : readTime(text)
  const schedule = minutes === null || weekday === null ? readSchedule(text) : { weekday, minutes }
  if (!schedule) return ctx.talk.say(words.notASchedule)
  await forgetQuestion(ctx)
  const order = await orderedBefore(ctx.services, person, orderId)
  if (order) set(ctx, person, { ...order, ...schedule }, 'say')
  else ctx.talk.say(words.notClear)
}

/** What an order was for; null unless it is for one number, and the person may read it. */
const orderedBefore = async (
  { store }: Services,
  person: Person,
  orderId: string,
): Promise<Pick<Wanted, 'bundleId' | 'phone'> | null> => {
  const order = await store.orders.byId(orderId)
  if (!order || !mayRead(person, order) || isRedacted(order)) return null
  const [{ phone = '' } = {}, ...others] = order.recipients
  return isPhone(phone) && others.length === 0 ? { bundleId: order.bundleId, phone } : null
}
