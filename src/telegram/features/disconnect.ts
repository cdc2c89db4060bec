import { isAwaited, isShared, type When } from '../../accounts/departure.ts'
import type { Person } from '../../orders/purchases.ts'
import type { BotContext } from '../context.ts'
import { engagementOf } from '../engagement.ts'
import { personOf } from '../person.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { askResign, pausedNow, resigned } from '../texts/agent.ts'
import * as disconnectTexts from '../texts/disconnect.ts'
import { noRoom } from '../texts/disk.ts'
import { labels } from '../texts/labels.ts'
import { needAccount } from '../texts/refusal.ts'
import { homeScreen } from './home.ts'

/** `/disconnect` asks once; with open orders, when. */
export const disconnect = async (ctx: BotContext, services: Services): Promise<void> => {
  const person = await personOf(ctx, services)
  ctx.talk.say(person ? await leavingScreen(services, person) : needAccount)
}

const leavingScreen = async (services: Services, person: Person): Promise<Screen> => {
  const { orders, accounts } = services.store
  const { accountId, userId } = person
  const closing = await closingOf(services, person)
  const keepIt = leaveKey(disconnectTexts.disconnectLabels.keepAccount, accountId, 'never')
  const now = leaveKey(disconnectTexts.disconnectLabels.now, accountId, 'now')
  if (closing?.isOwner) return { text: disconnectTexts.closing(closing), rows: [[keepIt, now]] }
  if (person.role === 'agent') return resigningScreen(services, person)
  const members = await accounts.members(accountId)
  const watched = await orders.underWatch(accountId)
  const open = watched.filter(isAwaited).length
  const waiting = (await orders.queuedOfAccount(accountId)).length
  const confirm = leaveKey(disconnectTexts.disconnectLabels.disconnectConfirm, accountId, 'confirmed')
  const cancel = leaveKey(labels.cancel, accountId, 'never')
  if (isShared(members, userId)) return { text: disconnectTexts.askLeave, rows: [[confirm, cancel]] }
  if (open === 0) {
    const text = disconnectTexts.askDisconnect(waiting, watched.length)
    return { text, rows: [[confirm, cancel]] }
  }
  return {
    text: disconnectTexts.askDisconnectOpen(waiting, open),
    rows: [[leaveKey(disconnectTexts.disconnectLabels.whenDone, accountId, 'done'), now], [keepIt]],
  }
}

/** An agent stops ordering on the wallet. */
const resigningScreen = async ({ store, now }: Services, { accountId, userId }: Person): Promise<Screen> => {
  const isTheirs = (order: { userId: number }) => order.userId === userId
  const waiting = (await store.orders.queuedOfAccount(accountId)).filter(isTheirs).length
  const open = (await store.orders.underWatch(accountId)).filter(isTheirs).filter(isAwaited).length
  const shop = (await engagementOf(store, userId, now()))?.shop ?? null
  const confirm = leaveKey(disconnectTexts.disconnectLabels.disconnectConfirm, accountId, 'confirmed')
  const cancel = leaveKey(labels.cancel, accountId, 'never')
  return { text: askResign(shop, waiting, open), rows: [[confirm, cancel]] }
}

const leaveKey = (label: string, accountId: string, when: When | 'never'): Key =>
  key(label, { do: 'disconnect', accountId, when })

/** What a closing account looks like to that member; null where it is not closing. */
const closingOf = async (
  { store, now }: Services,
  { accountId, userId }: Person,
): Promise<disconnectTexts.ClosingOptions | null> => {
  const eraseBy = (await store.accounts.byId(accountId))?.eraseBy
  if (!eraseBy) return null
  const open = (await store.orders.underWatch(accountId)).filter(isAwaited).length
  const isOwner = (await store.accounts.member(userId))?.role === 'owner'
  return { open, eraseBy, isOwner, now: now() }
}

/** Whether anything new may be ordered; who may not is told why, and what undoes it. */
export const mayOrder = async (ctx: BotContext, services: Services, person: Person): Promise<boolean> => {
  if (isRefusedForRoom(ctx, services)) return false
  const closing = await closingOf(services, person)
  if (!closing) {
    const isPaused = (await services.store.accounts.member(person.userId))?.pausedAt != null
    if (isPaused) ctx.talk.say({ text: pausedNow, rows: [[key(labels.home, { do: 'home' })]] })
    return !isPaused
  }
  const keepIt = leaveKey(disconnectTexts.disconnectLabels.keepAccount, person.accountId, 'never')
  ctx.talk.say({ text: disconnectTexts.nothingNew(closing), rows: closing.isOwner ? [[keepIt]] : [] })
  return false
}

/** While the disk is nearly full nothing new is taken in, which is said. */
export const isRefusedForRoom = ({ talk }: BotContext, { isShortOfRoom }: Services): boolean => {
  if (!isShortOfRoom()) return false
  talk.say({ text: noRoom, rows: [[key(labels.home, { do: 'home' })]] })
  return true
}

/** A press below one of these questions: of the account that it asked about, whenever it comes. */
export const answerDisconnect = async (
  ctx: BotContext,
  services: Services,
  accountId: string,
  when: When | 'never',
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (person?.accountId !== accountId) {
    ctx.talk.toast(disconnectTexts.otherThanAsked)
    ctx.talk.show(await homeScreen(ctx, services))
    return
  }
  if (when === 'never') return keep(ctx, services, person)
  const departure = await services.membership.disconnect(person.userId, accountId, when)
  switch (departure.kind) {
    case 'open':
    case 'closing':
      // An order was made, or ended, since the question was asked: what is true now is shown.
      ctx.talk.show(await leavingScreen(services, person))
      return
    case 'gone':
      ctx.talk.show(await homeScreen(ctx, services))
      return
    case 'left':
      ctx.talk.show(disconnectTexts.leftShared)
      return
    case 'resigned':
      ctx.talk.show(resigned(departure.cancelled, departure.open))
      return
    case 'erased':
      ctx.talk.show(disconnectTexts.disconnected(departure))
  }
}

const keep = async (ctx: BotContext, services: Services, person: Person): Promise<void> => {
  const kept = await services.membership.keep(person.userId, person.accountId)
  ctx.talk.toast(kept ? disconnectTexts.reopened : disconnectTexts.keptAccount)
  ctx.talk.show(await homeScreen(ctx, services))
}
