import type { BotContext } from '../context.ts'
import { forgetQuestion } from '../context.ts'
import { mayConnect, personOf } from '../person.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'

const { labels } = texts

/** What a member finds below the menu, and below what greets them. */
export const memberRows: Key[][] = [
  [key(labels.buy, { do: 'networks' }), key(labels.bulk, { do: 'bulk' })],
  [key(labels.orders, { do: 'orders', page: 0 }), key(labels.prices, { do: 'prices', network: null })],
  [key(labels.balance, { do: 'balance' }), key(labels.transactions, { do: 'transactions', page: 1 })],
  [key(labels.help, { do: 'help' })],
]

/** The menu by what the person can do. */
export const homeScreen = async (ctx: BotContext, services: Services): Promise<Screen> => {
  const person = await personOf(ctx, services)
  const account = person && (await services.store.accounts.byId(person.accountId))
  if (!account) {
    const may = await mayConnect(ctx, services)
    const connect: Key[] = may ? [key(labels.connect, { do: 'connect' })] : []
    return { text: texts.welcome(may), rows: [connect, [key(labels.help, { do: 'help' })]] }
  }
  return {
    text: texts.home({
      accountType: account.accountType,
      balance: account.balancePesewas,
      balanceAt: account.balanceAt,
      refused: account.unauthorizedSince !== null,
      eraseBy: account.eraseBy,
      now: services.now(),
    }),
    rows: memberRows,
  }
}

/** `/start` without a payload, and the Home button. */
export const start = async (ctx: BotContext, services: Services): Promise<void> => {
  await forgetQuestion(ctx, services)
  ctx.talk.say(await homeScreen(ctx, services))
}

export const showHome = async (ctx: BotContext, services: Services): Promise<void> => {
  await forgetQuestion(ctx, services)
  ctx.talk.show(await homeScreen(ctx, services))
}

export const help = async (ctx: BotContext, services: Services): Promise<void> => {
  const person = await personOf(ctx, services)
  const rows = [[key(labels.home, { do: 'home' })]]
  ctx.talk.say({ text: texts.help(person !== null), rows })
}

/** `/cancel`: leaves the pending question; where none is, the card that still waits to be confirmed. */
export const leave = async (ctx: BotContext, services: Services): Promise<void> => {
  const left = (await forgetQuestion(ctx, services)) || (await cancelDraft(ctx, services))
  ctx.talk.say(left ? texts.left : texts.nothingToLeave)
}

const cancelDraft = async (ctx: BotContext, { purchases }: Services): Promise<boolean> =>
  ctx.from !== undefined && purchases.cancelNewestDraft({ userId: ctx.from.id, chatId: ctx.talk.chatId })

/** The Cancel button of a flow. */
export const leaveByButton = async (ctx: BotContext, services: Services): Promise<void> => {
  await forgetQuestion(ctx, services)
  ctx.talk.show({ text: texts.left, rows: [[key(labels.home, { do: 'home' })]] })
}
