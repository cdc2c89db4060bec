import { isAhead } from '../../../domain/times/ahead.ts'
import { nextTry } from '../../../domain/times/unanswered.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { Unanswered } from '../../../store/chats/unanswered.ts'
import type { WalletError } from '../../../wallets/wallets.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import type { Asker, BotContext } from '../../chat/context.ts'
import type { Services } from '../../chat/services.ts'
import type { Talk } from '../../chat/talk.ts'
import { showPricesTo } from '../buying/bundles.ts'
import { offerTyped, showBundlesTo, takeChosen } from '../buying/buy.ts'
import { correctLate } from '../buying/correcting.ts'
import { buyByText } from '../buying/typed-order.ts'
import { orderAgainLate } from '../orders/order.ts'
import { showEntries } from './entries.ts'
import { type Ask, endedScreen, readAsk } from './unanswered.ts'
import * as words from './unanswered-words.ts'
import { showBalance } from './wallet.ts'

/** Tries again the requests that wait for the provider, when one is due or a person presses its button. */

/** When to try next if the process dies during a try, ms. No try takes this long. */
const tryTakesMs = 60_000
const atOnce = 20

/**
 * Tries all requests that are due. @param talkOn creates the talk that changes the message `messageId`, or sends a new
 * one if that is null.
 */
export const answerDue = async (
  services: Services,
  talkOn: (chatId: number, messageId: number | null) => Talk,
): Promise<void> => {
  const { store, now } = services
  const due = await store.unanswered.due(now(), atOnce)
  await Promise.all(due.map((row) => tryAgain(services, row, talkOn(row.chatId, row.messageId))))
}

const tryAgain = async (services: Services, row: Unanswered, talk: Talk): Promise<void> => {
  const { store, now } = services
  const at = now()
  if (!(await store.unanswered.beginTry(row, new Date(at.getTime() + tryTakesMs)))) return
  const ask = readAsk(row.ask)
  const person = await personOf(services, row)
  if (
    !ask ||
    !person ||
    !isAhead(row.until, 'unanswered', at) ||
    (isOwners(row) && person.role !== 'owner')
  ) {
    if (await store.unanswered.drop(row.id)) talk.show(endedScreen(row, at))
    return
  }
  const error = await attempt(services, { ask, person, talk, cause: row.cause })
  if (error) {
    const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : null
    await store.unanswered.tryAt(row.id, nextTry(row, retryAfterMs, now()) ?? row.until)
  } else await store.unanswered.drop(row.id)
}

const isOwners = ({ kind }: Unanswered): boolean => kind === 'balance' || kind === 'transactions'

/** The person who made the request; null if they no longer belong to the account. */
const personOf = async (
  { store }: Services,
  { userId, chatId, accountId }: Unanswered,
): Promise<Person | null> => {
  const member = await store.accounts.member(userId)
  return member?.accountId === accountId ? { userId, chatId, accountId, role: member.role } : null
}

/**
 * Tries a request once. Its answer replaces the message that said that the request waits. @returns why the provider
 * could not be read; null if the request was answered.
 */
const attempt = async (
  services: Services,
  { ask, person, talk, cause }: { ask: Ask; person: Person; talk: Talk; cause: string },
): Promise<WalletError | null> => {
  const works: Promise<void>[] = []
  const unread: WalletError[] = []
  const asker: Asker = {
    services,
    talk: { ...talk, say: talk.show, aside: (work) => void works.push(work()) },
    msgId: 'messageId' in ask ? ask.messageId : undefined,
    ...('text' in ask && { cause }),
    onUnread: (error) => void unread.push(error),
  }
  await answer(asker, person, ask)
  await Promise.all(works)
  return unread[0] ?? null
}

const answer = async (ctx: Asker, person: Person, ask: Ask): Promise<void> => {
  if ('text' in ask) {
    await buyByText(ctx, person, ask.text)
    return
  }
  if ('press' in ask) return pressLate(ctx, person, ask.press)
  if ('purchaseId' in ask) return correctLate(ctx, person, { purchaseId: ask.purchaseId, wanted: ask.phone })
  if ('phone' in ask) return offerTyped(ctx, person, ask.bundleId, ask.phone)
  const { view } = ask
  if (view.do === 'prices') return showPricesTo(ctx, person, view)
  if (view.do === 'balance') showBalance(ctx, person)
  else showEntries(ctx, person, view.wish)
}

const pressLate = async (
  ctx: Asker,
  person: Person,
  press: Extract<Ask, { press: unknown }>['press'],
): Promise<void> => {
  switch (press.do) {
    case 'again':
      return orderAgainLate(ctx, person, press)
    case 'bundles':
      return showBundlesTo(ctx, person, { ...press, phone: null })
    case 'bundles_for':
      return showBundlesTo(ctx, person, press)
    case 'bundle':
    case 'keep':
      return takeChosen(ctx, person, press)
    case 'draft':
      return correctLate(ctx, person, { purchaseId: press.purchaseId, wanted: press.act })
  }
}

export const pressUnanswered = async (
  ctx: BotContext,
  { id, act: { act } }: Extract<ButtonPress, { do: 'unanswered' }>,
): Promise<void> => {
  const { store } = ctx.services
  const row = await store.unanswered.byId(id)
  if (!row || row.userId !== ctx.from?.id || row.chatId !== ctx.talk.chatId)
    return ctx.talk.toast(words.overToast, true)
  if (act === 'drop') {
    if (await store.unanswered.drop(id)) ctx.talk.show(words.cancelledAsk)
    return
  }
  ctx.talk.toast(words.tryingToast)
  ctx.talk.aside(() => tryAgain(ctx.services, row, ctx.talk))
}
