import { type Person, whoseOrders } from '../../../orders/buying/purchases.ts'
import { isRefused } from '../../../wallets/refused-credentials.ts'
import type { HelpTopic } from '../../buttons/help.ts'
import { agentPermissionsOf } from '../../cards/agent-permissions.ts'
import { followedButtons } from '../../cards/followed.ts'
import { homeRows, moreRows, ordersCounted } from '../../cards/home-rows.ts'
import { agentHome } from '../../cards/words/agent-permissions.ts'
import { welcomeFollower } from '../../cards/words/follower.ts'
import { type BotContext, forgetQuestion } from '../../chat/context.ts'
import { isOperator, mayConnect, personOf } from '../../chat/person.ts'
import { type Button, button, homeButton, inRows, type Screen } from '../../chat/screen.ts'
import { homeLabels, labels } from '../../words/labels.ts'
import { endNewestOrder } from '../wallet/unanswered.ts'
import { helpLabels, helpOn, help as helpText, topicsFor } from './help-words.ts'
import * as homeTexts from './words.ts'

/** The menu that suits the person's role. Operators also read which command opens the operators' menu. */
export const homeScreen = async (ctx: BotContext): Promise<Screen> => {
  const screen = await menuScreen(ctx)
  return isOperator(ctx) ? { ...screen, text: `${screen.text}\n\n${homeTexts.operatorHint}` } : screen
}

const menuScreen = async (ctx: BotContext): Promise<Screen> => {
  const { services } = ctx
  const person = await personOf(ctx)
  const account = person && (await services.store.accounts.byId(person.accountId))
  if (!account) {
    const may = await mayConnect(ctx)
    const connect: Button[] = may ? [button(homeLabels.connect, { do: 'connect' })] : []
    const followed = await followedButtons(services.store, ctx.talk.chatId)
    return {
      text: [homeTexts.welcome(may), ...(followed.length > 0 ? [welcomeFollower] : [])].join('\n\n'),
      rows: [...followed, connect, [button(homeLabels.help, { do: 'help', topic: null })]],
    }
  }
  const agentPermissions = await agentPermissionsOf(services.store, person.userId, services.now())
  if (agentPermissions) {
    const { eraseBy } = account
    const state = { isRefused: isRefused(account), eraseBy, now: services.now() }
    return { text: agentHome(agentPermissions, state), rows: homeRows('agent') }
  }
  return {
    text: homeTexts.home({
      accountType: account.accountType,
      balance: account.balancePesewas,
      balanceAt: account.balanceAt,
      refused: isRefused(account),
      eraseBy: account.eraseBy,
      now: services.now(),
    }),
    rows: homeRows('owner'),
  }
}

/** `/start` without a payload: shows the menu. */
export const start = async (ctx: BotContext): Promise<void> => {
  ctx.talk.say(await homeScreen(ctx))
}

export const showHome = async (ctx: BotContext): Promise<void> => {
  ctx.talk.show(await homeScreen(ctx))
}

/** `More`: shows what is not on the home menu. */
export const showMore = async (ctx: BotContext, person: Person): Promise<void> => {
  const orders = await ctx.services.store.walletOrders.countUpTo(ordersCounted, whoseOrders(person))
  const hasReminders = (await ctx.services.store.reminders.all(person.userId)).length > 0
  ctx.talk.show({ text: homeTexts.more, rows: moreRows(person.role, orders, hasReminders) })
}

/** `/help`: shows the topics for the person's role. */
export const help = async (ctx: BotContext): Promise<void> => {
  const person = await personOf(ctx)
  ctx.talk.say(helpScreen(person?.role ?? null, null))
}

/** The Help button: shows the topics, or one of them. */
export const showHelp = async (ctx: BotContext, topic: HelpTopic | null): Promise<void> => {
  const person = await personOf(ctx)
  ctx.talk.show(helpScreen(person?.role ?? null, topic))
}

const helpScreen = (role: Person['role'] | null, topic: HelpTopic | null): Screen => {
  const home = homeButton
  // An old message may have a button to a topic that is not for the person's role.
  if (topic && topicsFor(role).includes(topic))
    return { text: helpOn(topic, role), rows: [[button(labels.back, { do: 'help', topic: null }), home]] }
  const topics = topicsFor(role).map((each) => button(helpLabels[each], { do: 'help', topic: each }))
  return { text: helpText(role), rows: [...inRows(topics, 2), [home]] }
}

/**
 * `/cancel`: leaves the pending question. If there is none, ends the order that waits for the provider, or else cancels
 * the card that waits to be confirmed.
 */
export const leave = async (ctx: BotContext): Promise<void> => {
  const left = (await forgetQuestion(ctx)) || (await endNewestOrder(ctx)) || (await cancelDraft(ctx))
  ctx.talk.say(left ? homeTexts.left : homeTexts.nothingToLeave)
}

const cancelDraft = async (ctx: BotContext): Promise<boolean> =>
  ctx.from !== undefined &&
  ctx.services.purchases.cancelNewestDraft({ userId: ctx.from.id, chatId: ctx.talk.chatId })

/** The Cancel button of a flow: says that the flow was left. */
export const leaveByButton = (ctx: BotContext): void => {
  ctx.talk.show({ text: homeTexts.left, rows: [[homeButton]] })
}
