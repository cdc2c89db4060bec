import type { ActOf, ButtonPress } from '../buttons/button.ts'
import type { BotContext } from './context.ts'
import type { Services } from './services.ts'

/**
 * Handles an update: commits, then says what came of it (see `talk.ts`).
 * @param what what came with it: the text behind a command, what a button carries, an answer.
 */
export type Handler<What = void, Result = void> = (
  ctx: BotContext,
  services: Services,
  what: What,
) => Promise<Result> | Result

/** The handler of each act of one button. */
export type ActHandlers<Do extends ButtonPress['do']> = {
  [Act in ActOf<Do>['act']]: Handler<Extract<ActOf<Do>, { act: Act }>>
}
