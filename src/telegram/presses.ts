import { type ButtonPress, decodePress } from './buttons/button.ts'
import type { BotContext } from './chat/context.ts'
import type { Press, Presses } from './chat/press.ts'
import type { Services } from './chat/services.ts'
import * as agents from './features/agents/agents.ts'
import * as buy from './features/buying/buy.ts'
import * as correcting from './features/buying/correcting.ts'
import * as ownNumber from './features/buying/own-number.ts'
import * as connect from './features/connecting/connect.ts'
import * as disconnect from './features/connecting/disconnect.ts'
import * as contacts from './features/contacts/contacts.ts'
import * as exporting from './features/exporting/export.ts'
import * as enquiry from './features/following/enquiry.ts'
import * as lookup from './features/following/lookup.ts'
import * as home from './features/home/home.ts'
import * as bulk from './features/lists/bulk.ts'
import * as ownFile from './features/lists/own-file.ts'
import * as admin from './features/operating/admin.ts'
import * as history from './features/orders/history.ts'
import * as order from './features/orders/order.ts'
import * as selling from './features/selling/selling.ts'
import * as stats from './features/selling/stats.ts'
import * as settings from './features/settings/settings.ts'
import * as answering from './features/wallet/answering.ts'
import * as entries from './features/wallet/entries.ts'
import * as wallet from './features/wallet/wallet.ts'
import { groupOnly, outdatedButton } from './words/refusal.ts'

/** What each button does. The compiler refuses a button that no feature answers. */
const presses: Presses = {
  ...home.presses,
  ...connect.presses,
  ...disconnect.presses,
  ...buy.presses,
  ...ownNumber.presses,
  ...bulk.presses,
  ...order.presses,
  ...correcting.presses,
  ...lookup.presses,
  ...enquiry.presses,
  ...history.presses,
  ...wallet.presses,
  ...entries.presses,
  ...answering.presses,
  ...exporting.presses,
  ...ownFile.presses,
  ...contacts.presses,
  ...agents.presses,
  ...selling.presses,
  ...stats.presses,
  ...settings.presses,
  ...admin.presses,
}

const answer = async (ctx: BotContext, services: Services, press: ButtonPress): Promise<void> => {
  const handle = presses[press.do] as Press<ButtonPress>
  await handle(ctx, services, press)
}

/** Answers a press in a private chat. Forged data is noted for the operators. */
export const press = async (ctx: BotContext, services: Services, data: string): Promise<void> => {
  const press = decodePress(data)
  if (press) return answer(ctx, services, press)
  await services.security.note({ kind: 'forged_press', accountId: null, userId: ctx.from?.id ?? null })
  ctx.talk.toast(outdatedButton, true)
}

/** Answers a press in a group, where the only buttons are those below orders as strangers see them. */
export const pressInGroup = async (ctx: BotContext, services: Services, data: string): Promise<void> => {
  const press = decodePress(data)
  if (press?.do === 'follow' || press?.do === 'unfollow' || press?.do === 'look')
    return answer(ctx, services, press)
  ctx.talk.toast(groupOnly)
}
