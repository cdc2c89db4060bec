import { isAwaited, isShared, type When } from '../../../accounts/departure.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { agentPermissionsOf } from '../../cards/agent-permissions.ts'
import { askResign, resigned } from '../../cards/words/agent-permissions.ts'
import { type ClosingOptions, disconnectLabels } from '../../cards/words/leaving.ts'
import type { BotContext } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { type Button, button, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import { homeScreen } from '../home/home.ts'
import { settingsLabels } from '../settings/words.ts'
import * as disconnectTexts from './disconnect-words.ts'

/** `/disconnect`: asks for confirmation; if orders are open, asks when to remove the account. */
export const disconnect = async (ctx: BotContext, person: Person): Promise<void> =>
  ctx.talk.say(await leavingScreen(ctx.services, person))

const leavingScreen = async (services: Services, person: Person): Promise<Screen> => {
  const { orders, accounts } = services.store
  const { accountId, userId } = person
  const closing = await closingOf(services, person)
  const keepIt = disconnectButton(disconnectLabels.keepAccount, accountId, 'never')
  const now = disconnectButton(disconnectLabels.now, accountId, 'now')
  if (closing?.isOwner) return { text: disconnectTexts.closing(closing), rows: [[keepIt, now]] }
  if (person.role === 'agent') return resigningScreen(services, person)
  const members = await accounts.members(accountId)
  const watched = await orders.underWatch(accountId)
  const open = watched.filter(isAwaited).length
  const waiting = (await orders.queuedOfAccount(accountId)).length
  const confirm = disconnectButton(disconnectLabels.disconnectConfirm, accountId, 'confirmed')
  const cancel = disconnectButton(labels.cancel, accountId, 'never')
  if (isShared(members, userId)) return { text: disconnectTexts.askLeave, rows: [[confirm, cancel]] }
  if (open === 0) {
    const text = disconnectTexts.askDisconnect(waiting, watched.length)
    return { text, rows: [[confirm, cancel], [exportFirst]] }
  }
  return {
    text: disconnectTexts.askDisconnectOpen(waiting, open),
    rows: [
      [disconnectButton(disconnectLabels.whenDone, accountId, 'done'), now],
      [exportFirst, keepIt],
    ],
  }
}

/** Sends all data of the person and the account, because people who leave can’t open it any more. */
export const exportFirst: Button = button(settingsLabels.export, { do: 'settings', act: { act: 'export' } })

/** Asks an agent whether to stop ordering with the wallet. */
const resigningScreen = async ({ store, now }: Services, { accountId, userId }: Person): Promise<Screen> => {
  const isTheirs = (order: { userId: number }) => order.userId === userId
  const waiting = (await store.orders.queuedOfAccount(accountId)).filter(isTheirs).length
  const open = (await store.orders.underWatch(accountId)).filter(isTheirs).filter(isAwaited).length
  const shop = (await agentPermissionsOf(store, userId, now()))?.shop ?? null
  const confirm = disconnectButton(disconnectLabels.disconnectConfirm, accountId, 'confirmed')
  const cancel = disconnectButton(labels.cancel, accountId, 'never')
  return { text: askResign(shop, waiting, open), rows: [[confirm, cancel], [exportFirst]] }
}

/** A button below a question about leaving that account. `never` keeps the account. */
export const disconnectButton = (label: string, accountId: string, when: When | 'never'): Button =>
  button(label, { do: 'disconnect', accountId, when })

/** The facts that texts tell this member about an account that is closing; null if it is not closing. */
export const closingOf = async (
  { store, now }: Services,
  { accountId, userId }: Person,
): Promise<ClosingOptions | null> => {
  const eraseBy = (await store.accounts.byId(accountId))?.eraseBy
  if (!eraseBy) return null
  const open = (await store.orders.underWatch(accountId)).filter(isAwaited).length
  const isOwner = (await store.accounts.member(userId))?.role === 'owner'
  return { open, eraseBy, isOwner, now: now() }
}

/**
 * Handles a press below a question about leaving an account. A late press still applies to the account in the question,
 * never to another one.
 */
export const answerDisconnect = async (
  ctx: BotContext,
  accountId: string,
  when: When | 'never',
): Promise<void> => {
  const person = await personOf(ctx)
  if (person?.accountId !== accountId) {
    ctx.talk.toast(disconnectTexts.otherThanAsked)
    return ctx.talk.show(await homeScreen(ctx))
  }
  if (when === 'never') return keep(ctx, person)
  const departure = await ctx.services.membership.disconnect(person.userId, accountId, when)
  switch (departure.kind) {
    case 'open':
    case 'closing':
      // An order was made or ended after the question was asked, so the person is asked again.
      return ctx.talk.show(await leavingScreen(ctx.services, person))
    case 'gone':
      return ctx.talk.show(await homeScreen(ctx))
    case 'left':
      return ctx.talk.show(disconnectTexts.leftShared)
    case 'resigned':
      return ctx.talk.show(resigned(departure.cancelled, departure.open))
    case 'erased':
      ctx.talk.show(disconnectTexts.disconnected(departure))
  }
}

const keep = async (ctx: BotContext, person: Person): Promise<void> => {
  const kept = await ctx.services.membership.keep(person.userId, person.accountId)
  ctx.talk.toast(kept ? disconnectTexts.reopened : disconnectTexts.keptAccount)
  ctx.talk.show(await homeScreen(ctx))
}
