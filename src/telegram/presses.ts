import { type Button, decodeButton } from './buttons/button.ts'
import type { BotContext } from './chat/context.ts'
import type { Press, Presses } from './chat/press.ts'
import type { Services } from './chat/services.ts'
import * as admin from './features/admin.ts'
import * as agents from './features/agents.ts'
import * as answering from './features/answering.ts'
import * as bulk from './features/bulk.ts'
import * as buy from './features/buy.ts'
import * as connect from './features/connect.ts'
import * as correcting from './features/correcting.ts'
import * as customers from './features/customers.ts'
import * as disconnect from './features/disconnect.ts'
import * as enquiry from './features/enquiry.ts'
import * as entries from './features/entries.ts'
import * as exporting from './features/export.ts'
import * as history from './features/history.ts'
import * as home from './features/home.ts'
import * as lookup from './features/lookup.ts'
import * as order from './features/order.ts'
import * as ownFile from './features/own-file.ts'
import * as ownNumber from './features/own-number.ts'
import * as selling from './features/selling.ts'
import * as settings from './features/settings.ts'
import * as stats from './features/stats.ts'
import * as wallet from './features/wallet.ts'
import { groupOnly, outdatedButton } from './texts/refusal.ts'

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
  ...customers.presses,
  ...agents.presses,
  ...selling.presses,
  ...stats.presses,
  ...settings.presses,
  ...admin.presses,
}

const answer = async (ctx: BotContext, services: Services, button: Button): Promise<void> => {
  const press = presses[button.do] as Press<Button>
  await press(ctx, services, button)
}

/** Answers a press in a private chat. Forged data is noted for the operators. */
export const press = async (ctx: BotContext, services: Services, data: string): Promise<void> => {
  const button = decodeButton(data)
  if (button) return answer(ctx, services, button)
  await services.security.note({ kind: 'forged_press', accountId: null, userId: ctx.from?.id ?? null })
  ctx.talk.toast(outdatedButton, true)
}

/** Answers a press in a group, where the only buttons are those below orders as strangers see them. */
export const pressInGroup = async (ctx: BotContext, services: Services, data: string): Promise<void> => {
  const button = decodeButton(data)
  if (button?.do === 'follow' || button?.do === 'unfollow' || button?.do === 'look')
    return answer(ctx, services, button)
  ctx.talk.toast(groupOnly)
}
