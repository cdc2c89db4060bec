import type { ActOf, ButtonPress } from '../buttons/button.ts'
import type { BotContext } from './context.ts'
import type { Services } from './services.ts'

/** Answers a press of a button, or of one act of it: commits, then says what came of it (see `talk.ts`). */
export type Press<Pressed> = (ctx: BotContext, services: Services, pressed: Pressed) => Promise<void> | void

/** The handler of each button. A feature has those of its own: `satisfies Partial<Presses>`. */
export type Presses = { [Do in ButtonPress['do']]: Press<Extract<ButtonPress, { do: Do }>> }

/** The handler of each act of one button. */
export type ActPresses<Do extends ButtonPress['do']> = {
  [Act in ActOf<Do>['act']]: Press<Extract<ActOf<Do>, { act: Act }>>
}
