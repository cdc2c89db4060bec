import { closingMs, isAwaited, isShared, type When } from '../../../accounts/departure.ts'
import type { Somebody } from '../../../settings/change.ts'
import { exportOf } from '../../../settings/data-export.ts'
import { forgetPerson } from '../../../settings/forgetting.ts'
import { withFileOf } from '../../../settings/kept-file.ts'
import type { ActOf } from '../../buttons/table.ts'
import { disconnectLabels } from '../../cards/words/leaving.ts'
import type { BotContext } from '../../chat/context.ts'
import { button, type Screen } from '../../chat/screen.ts'
import type { FileToSend } from '../../chat/sender.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import * as words from './words.ts'

const { settingsLabels } = words
const settingsButton = (label: string, act: ActOf<'settings'>) => button(label, { do: 'settings', act })

/** Shows what the bot keeps about the person, and what they can do with it. */
export const show = async (ctx: BotContext, person: Somebody): Promise<void> => {
  ctx.talk.show({
    text: words.data(await standingOf(ctx.services, person)),
    rows: [
      [
        settingsButton(settingsLabels.export, { act: 'export' }),
        settingsButton(settingsLabels.forget, { act: 'forget' }),
      ],
      [settingsButton(labels.back, { act: 'show' })],
    ],
  })
}

const standingOf = async ({ store }: Services, person: Somebody): Promise<words.DisconnectCase> => {
  if (person.accountId === null) return 'none'
  if (person.role === 'agent') return 'agent'
  return isShared(await store.accounts.members(person.accountId), person.userId) ? 'shared' : 'last'
}

/** Sends all of the person's data, as one or more files. */
export const sendExport = async (ctx: BotContext, person: Somebody): Promise<void> => {
  const { store, now, security } = ctx.services
  const { accountId, userId } = person
  await security.note({ kind: 'exported', accountId, userId, detail: 'data' })
  ctx.talk.toast(words.exportToast)
  ctx.talk.aside(async () => {
    let part = 0
    for await (const document of exportOf(store, person, now())) {
      part += 1
      const name = part === 1 ? 'my-data.json' : `my-data-${part}.json`
      await withFileOf(document, (path) =>
        sent(ctx, { name, content: { path }, caption: words.exportCaption }),
      )
    }
  })
}

/** Sends a file. Resolves when it was sent, or could not be sent, so that the caller can delete it. */
const sent = ({ talk }: BotContext, file: FileToSend): Promise<void> =>
  new Promise((resolve) => {
    talk.sendFile(async () => ({ ...file, after: resolve }))
  })

/** Asks whether to delete the data; if orders are open, asks when. */
export const ask = async (ctx: BotContext, person: Somebody): Promise<void> => {
  ctx.talk.show(await askScreen(ctx.services, person))
}

const askScreen = async (services: Services, person: Somebody): Promise<Screen> => {
  const { store } = services
  const { accountId } = person
  const standing = await standingOf(services, person)
  const isLast = standing === 'last' && accountId !== null
  const open = isLast ? (await store.orders.underWatch(accountId)).filter(isAwaited).length : 0
  const waiting = isLast ? (await store.orders.queuedOfAccount(accountId)).length : 0
  const sure = (label: string, when: When) => settingsButton(label, { act: 'forget_sure', accountId, when })
  const answers =
    open > 0
      ? [sure(disconnectLabels.whenDone, 'done'), sure(disconnectLabels.now, 'now')]
      : [sure(settingsLabels.forgetConfirm, 'confirmed')]
  return {
    text: words.askForget(standing, { waiting, open, isBlocked: await isBlocked(services, person) }),
    rows: [answers, [settingsButton(settingsLabels.keepData, { act: 'data' })]],
  }
}

/**
 * Whether a shop has blocked the person's questions. The block is kept when the data is deleted. A person's chat with
 * the bot has the person's id.
 */
const isBlocked = async ({ store }: Services, { userId }: Somebody): Promise<boolean> =>
  (await store.personalData.blocks(userId)).length > 0

/**
 * Handles the answer to the question whether to delete the data. A late answer still applies to the account in the
 * question, never to another one.
 */
export const forget = async (
  ctx: BotContext,
  person: Somebody,
  { accountId, when }: { accountId: string | null; when: When },
): Promise<void> => {
  const { services } = ctx
  const { store, now, onNotice, onForgotten } = services
  const standing = await standingOf(services, person)
  const blocked = await isBlocked(services, person)
  const outcome = await forgetPerson(store, { ...person, accountId }, when, now())
  onNotice()
  onForgotten()
  switch (outcome.kind) {
    case 'other_account':
      return ctx.talk.toast(words.changedMeanwhile, true)
    case 'open':
      // An order was made after the question was asked, so the person is asked again.
      return ctx.talk.show(await askScreen(services, person))
    case 'forgotten': {
      await services.security.note({ kind: 'data_deleted', accountId, userId: person.userId })
      const { departure } = outcome
      const leftMs = departure?.kind === 'closing' ? departure.eraseBy.getTime() - now().getTime() : closingMs
      ctx.talk.show({ text: words.forgotten(standing, departure, { closingMs: leftMs, isBlocked: blocked }) })
    }
  }
}
