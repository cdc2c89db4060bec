import { type ExportPeriod, namedPeriods, readPeriod } from '../../../exports/export-period.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { ExportSubject } from '../../buttons/export-choice.ts'
import type { ActOf } from '../../buttons/table.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { askingFor, type Button, button, homeButton, leaveButton, type Screen } from '../../chat/screen.ts'
import type { ExportWish } from '../../chat/services.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import type { Answer } from '../feature.ts'
import * as exportTexts from './words.ts'
import { ownersOnly } from './words.ts'

const { exportLabels } = exportTexts

/** `/export`: asks for the subject, the period and the kind of file, then makes the file. */
export const begin = (ctx: BotContext, { role }: Person): void =>
  ctx.talk.show(role === 'owner' ? subjectScreen : periodScreen('orders', true))

/**
 * Handles a button of the questions about an export. Agents export their own orders, owners all orders of the account.
 */
export const pressExport = async (
  ctx: BotContext,
  person: Person,
  act: Exclude<ActOf<'export'>, { act: 'stop' }>,
): Promise<void> => {
  await forgetQuestion(ctx)
  if ('subject' in act && !mayExport(person, act.subject)) return ctx.talk.toast(ownersOnly, true)
  switch (act.act) {
    case 'begin':
      return begin(ctx, person)
    case 'of':
      return ctx.talk.show(periodScreen(act.subject, false))
    case 'type':
      return askPeriod(ctx, act.subject)
    case 'period':
      return ctx.talk.show(formatScreen(act.subject, act.period))
    case 'make':
      return make(ctx, person, act)
    default:
      return act satisfies never
  }
}

const mayExport = ({ role }: Person, subject: ExportSubject): boolean =>
  role === 'owner' || subject === 'orders'

const exportButton = (label: string, act: ActOf<'export'>): Button => button(label, { do: 'export', act })
const subjectScreen: Screen = {
  text: exportTexts.chooseSubject,
  rows: [
    [
      exportButton(exportLabels.orders, { act: 'of', subject: 'orders' }),
      exportButton(exportLabels.transactions, { act: 'of', subject: 'transactions' }),
    ],
    [homeButton],
  ],
}

const periodScreen = (subject: ExportSubject, isFirst: boolean): Screen => {
  const buttons = namedPeriods.map((period) =>
    exportButton(exportTexts.periodLabels[period], { act: 'period', subject, period }),
  )
  return {
    text: isFirst ? exportTexts.chooseSubjectAgent : exportTexts.choosePeriod(subject),
    rows: [
      buttons.slice(0, 3),
      buttons.slice(3),
      [exportButton(exportLabels.typed, { act: 'type', subject })],
      [isFirst ? homeButton : exportButton(labels.back, { act: 'begin' })],
    ],
  }
}

const formatScreen = (subject: ExportSubject, period: ExportPeriod): Screen => ({
  text: exportTexts.chooseFormat(subject, period),
  rows: [
    [
      exportButton(exportLabels.xlsx, { act: 'make', subject, period, format: 'xlsx' }),
      exportButton(labels.csv, { act: 'make', subject, period, format: 'csv' }),
    ],
    [exportButton(labels.back, { act: 'of', subject }), homeButton],
  ],
})

const askPeriod = async (ctx: BotContext, subject: ExportSubject): Promise<void> => {
  await askNext(ctx, { what: 'period', subject })
  ctx.talk.say({ text: exportTexts.askPeriod, rows: [[leaveButton]] })
}

/** Takes the typed dates of the period. If they cannot be read, the question stays open. */
export const takePeriod = async (
  ctx: BotContext,
  person: Person,
  { question: { subject }, text }: Answer<Extract<Question, { what: 'period' }>>,
): Promise<void> => {
  const { timeZone } = await ctx.services.store.preferences.of(person.userId)
  const written = readPeriod(text, ctx.services.now(), timeZone)
  if (written.kind === 'refused')
    return ctx.talk.say(askingFor(hints.dates, exportTexts.notAPeriod(written.fault)))
  await forgetQuestion(ctx)
  ctx.talk.say(formatScreen(subject, written.period))
}

const make = async (ctx: BotContext, person: Person, wish: ExportWish): Promise<void> => {
  const { exporter, security } = ctx.services
  if (exporter.isBusy(person.chatId)) return ctx.talk.toast(exportTexts.alreadyRunning, true)
  const { subject, period, format } = wish
  const messageId = ctx.callbackQuery?.message?.message_id ?? null
  await security.note({ kind: 'exported', ...ofPerson(person), detail: `${subject} ${format}` })
  ctx.talk.aside(async () => exporter.begin(person, { subject, period, format }, messageId))
}

const ofPerson = ({ accountId, userId }: Person) => ({ accountId, userId })

/** `Stop`: ends the export that the message shows. */
export const stop = async (ctx: BotContext): Promise<void> => {
  const { exporter } = ctx.services
  const messageId = ctx.callbackQuery?.message?.message_id ?? null
  if (await exporter.cancel(ctx.talk.chatId, messageId)) return ctx.talk.toast(exportTexts.stopping)
  ctx.talk.show({
    text: exportTexts.notRunning,
    rows: [[exportButton(exportLabels.another, { act: 'begin' }), homeButton]],
  })
}
