import type { BotContext } from '../../chat/context.ts'
import { mayConnect } from '../../chat/person.ts'
import { button, homeButton, type Screen } from '../../chat/screen.ts'
import { homeLabels } from '../../words/labels.ts'
import { needAccount } from '../../words/unusable.ts'

/**
 * Tells a person that they need an account. If they may not connect one, the Home button leads to a screen that says
 * who may.
 */
export const sayAccountNeeded = (ctx: BotContext): void => {
  ctx.talk.show(async (): Promise<Screen> => {
    const next = (await mayConnect(ctx)) ? button(homeLabels.connect, { do: 'connect' }) : homeButton
    return { text: needAccount, rows: [[next]] }
  })
}
