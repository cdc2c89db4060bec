import type { Person } from '../../../orders/buying/purchases.ts'
import { nextOccasion } from '../../../orders/reminding/occasions.ts'
import type { Reminder } from '../../../store/orders/reminders.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import { contactLabels } from '../../cards/words/contact.ts'
import { reminderLabel, reminderLabels } from '../../cards/words/reminder.ts'
import type { BotContext } from '../../chat/context.ts'
import { button, homeButton, pagingButtons, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import { pressNew, remindButton } from './new-reminder.ts'
import * as words from './words.ts'

/** The person's reminders: the list of them, and one of them to pause or delete. */

const perPage = 5

/** `/reminders`: shows the person's reminders. */
export const showReminders = async ({ talk, services }: BotContext, person: Person): Promise<void> =>
  talk.say(await listScreen(services, person, 0))

export const pressReminder = async (
  ctx: BotContext,
  person: Person,
  { act }: Extract<ButtonPress, { do: 'remind' }>,
): Promise<void> => {
  const { services } = ctx
  const { store, now } = services
  if ('orderId' in act || act.act === 'set') return pressNew(ctx, person, act)
  if (act.act === 'list') return ctx.talk.show(await listScreen(services, person, act.page))
  const reminder = await store.reminders.of(person.userId, act.id)
  if (!reminder) return ctx.talk.toast(words.gone)
  if (act.act === 'delete') {
    await store.reminders.delete(person.userId, act.id)
    const all = remindButton(reminderLabels.all, { act: 'list', page: 0 })
    return ctx.talk.show({ text: words.deleted, rows: [[all, homeButton]] })
  }
  if (act.act === 'open') return ctx.talk.show(await screenOf(services, person, reminder))
  const { timeZone } = await store.preferences.of(person.userId)
  const nextAt = act.paused ? null : (reminder.nextAt ?? nextOccasion(reminder, timeZone, now()))
  await store.reminders.plan(person.userId, act.id, nextAt)
  ctx.talk.show(await screenOf(services, person, { ...reminder, nextAt }))
}

const listScreen = async ({ store }: Services, person: Person, page: number): Promise<Screen> => {
  const all = await store.reminders.all(person.userId)
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  // If the page no longer exists, because reminders were deleted, the last one is shown.
  const at = Math.min(page, pages - 1)
  const shown = all.slice(at * perPage, (at + 1) * perPage)
  const names = await store.contacts.names(
    bookOf(person),
    shown.map(({ phone }) => phone),
  )
  return {
    text: all.length === 0 ? words.none : words.all(all.length),
    rows: [
      ...shown.map((each) => [
        remindButton(reminderLabel(each, names.get(each.phone) ?? null), { act: 'open', id: each.id }),
      ]),
      [
        ...pagingButtons(at, at + 1 < pages, (label, page) => remindButton(label, { act: 'list', page })),
        homeButton,
      ],
    ],
  }
}

const screenOf = async ({ store, now }: Services, person: Person, reminder: Reminder): Promise<Screen> => {
  const { id, bundleId, phone, nextAt } = reminder
  const name = (await store.contacts.byPhone(bookOf(person), phone))?.name ?? null
  const isPaused = nextAt === null
  return {
    text: words.one(reminder, name, now()),
    rows: [
      [
        button(reminderLabels.orderNow, { do: 'bundle', bundleId, phone }),
        remindButton(isPaused ? words.ownLabels.resume : words.ownLabels.pause, {
          act: 'pause',
          id,
          paused: !isPaused,
        }),
      ],
      [
        remindButton(contactLabels.delete, { act: 'delete', id }),
        remindButton(labels.back, { act: 'list', page: 0 }),
      ],
    ],
  }
}
