import type { Hindrance } from '../../orders/allowance.ts'
import { oweOrdersAgain } from '../../settings/orders-again.ts'
import type { BotContext } from '../context.ts'
import type { Services } from '../services.ts'
import { hindered } from '../texts/agent.ts'

/** Why a press did not order. Who was refused by maintenance is told when it is over. */
export const sayHindered = async (
  { talk }: BotContext,
  { store, now }: Services,
  hindrance: Hindrance,
): Promise<void> => {
  talk.toast(hindered(hindrance, now()), true)
  if (hindrance.kind === 'maintenance') await oweOrdersAgain(store, talk.chatId, now())
}
