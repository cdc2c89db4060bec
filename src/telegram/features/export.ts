import { namedPeriods, type Period, readPeriod } from '../../exports/period.ts'
import type { Person } from '../../orders/purchases.ts'
import type { ExportAct, ExportSubject } from '../buttons/export.ts'
import { askNext, type BotContext, forgetQuestion } from '../context.ts'
import type { ExportWish } from '../exporter.ts'
import { personOf } from '../person.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import * as exportTexts from '../texts/export.ts'
import { labels } from '../texts/labels.ts'
import { needAccount } from '../texts/refusal.ts'
import { ownersOnly } from '../texts/wallet.ts'

const { exportLabels } = exportTexts

/** `/export`: what, of what time, as which kind of file; then the file. */
export const begin = (ctx: BotContext, services: Services): Promise<void> =>
  press(ctx, services, { act: 'begin' })

/** A press on the way to a file. Agents export their own orders, owners all of the account. */
export const press = async (ctx: BotContext, services: Services, act: ExportAct): Promise<void> => {
  if (act.act === 'stop') return stop(ctx, services)
  const person = await personOf(ctx, services)
  if (!person) return ctx.talk.show(needAccount)
  await forgetQuestion(ctx, services)
  if ('subject' in act && !mayExport(person, act.subject)) return ctx.talk.toast(ownersOnly, true)
  switch (act.act) {
    case 'begin':
      return ctx.talk.show(person.role === 'owner' ? subjectScreen : periodScreen('orders', true))
    case 'of':
      return ctx.talk.show(periodScreen(act.subject, false))
    case 'type':
      return askPeriod(ctx, act.subject)
    case 'period':
      return ctx.talk.show(formatScreen(act.subject, act.period))
    case 'make':
      return make(ctx, services, person, act)
  }
}

const mayExport = ({ role }: Person, subject: ExportSubject): boolean =>
  role === 'owner' || subject === 'orders'

const exportKey = (label: string, act: ExportAct): Key => key(label, { do: 'export', act })
const homeKey = key(labels.home, { do: 'home' })

const subjectScreen: Screen = {
  text: exportTexts.chooseSubject,
  rows: [
    [
      exportKey(exportLabels.orders, { act: 'of', subject: 'orders' }),
      exportKey(exportLabels.transactions, { act: 'of', subject: 'transactions' }),
    ],
    [homeKey],
  ],
}

const periodScreen = (subject: ExportSubject, isFirst: boolean): Screen => {
  const keys = namedPeriods.map((period) =>
    exportKey(exportTexts.periodLabels[period], { act: 'period', subject, period }),
  )
  return {
    text: isFirst ? exportTexts.chooseSubjectAgent : exportTexts.choosePeriod(subject),
    rows: [
      keys.slice(0, 3),
      keys.slice(3),
      [exportKey(exportLabels.typed, { act: 'type', subject })],
      [...(isFirst ? [] : [exportKey(labels.back, { act: 'begin' })]), homeKey],
    ],
  }
}

const formatScreen = (subject: ExportSubject, period: Period): Screen => ({
  text: exportTexts.chooseFormat(subject, period),
  rows: [
    [
      exportKey(exportLabels.csv, { act: 'make', subject, period, format: 'csv' }),
      exportKey(exportLabels.xlsx, { act: 'make', subject, period, format: 'xlsx' }),
    ],
    [exportKey(labels.back, { act: 'of', subject }), homeKey],
  ],
})

const askPeriod = async (ctx: BotContext, subject: ExportSubject): Promise<void> => {
  await askNext(ctx, { what: 'period', subject })
  ctx.talk.say({ text: exportTexts.askPeriod, rows: [[key(labels.leave, { do: 'leave' })]] })
}

/** The dates that were typed. What are none is said, and asked for again. */
export const takePeriod = async (
  ctx: BotContext,
  services: Services,
  subject: ExportSubject,
  text: string,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) return ctx.talk.say(needAccount)
  const written = readPeriod(text, services.now())
  if (written.kind === 'refused') return ctx.talk.say(exportTexts.notAPeriod(written.fault))
  await forgetQuestion(ctx, services)
  ctx.talk.say(formatScreen(subject, written.period))
}

const make = async (ctx: BotContext, services: Services, person: Person, wish: ExportWish): Promise<void> => {
  const { exporter, security } = services
  if (exporter.isBusy(person.chatId)) return ctx.talk.toast(exportTexts.alreadyRunning, true)
  const { subject, period, format } = wish
  const messageId = ctx.callbackQuery?.message?.message_id ?? null
  await security.note({ kind: 'exported', ...ofPerson(person), detail: `${subject} ${format}` })
  ctx.talk.aside(async () => exporter.begin(person, { subject, period, format }, messageId))
}

const ofPerson = ({ accountId, userId }: Person) => ({ accountId, userId })

const stop = async (ctx: BotContext, { exporter }: Services): Promise<void> => {
  const messageId = ctx.callbackQuery?.message?.message_id ?? null
  if (await exporter.cancel(ctx.talk.chatId, messageId)) return ctx.talk.toast(exportTexts.stopping)
  ctx.talk.show({
    text: exportTexts.notRunning,
    rows: [[exportKey(exportLabels.another, { act: 'begin' }), homeKey]],
  })
}
