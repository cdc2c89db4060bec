import type { ActOf, ButtonPress } from '../buttons/table.ts'
import type { BotContext } from './context.ts'

/**
 * Handles an update: commits, then says what happened (see `talk.ts`).
 * @param what the text after a command, the values that a button carries, or the answer to a question.
 */
export type Handler<What = void, Result = void> = (ctx: BotContext, what: What) => Promise<Result> | Result

/** A handler for each act of one button. */
export type ActHandlers<Do extends ButtonPress['do']> = {
  [Act in ActOf<Do>['act']]: Handler<Extract<ActOf<Do>, { act: Act }>>
}
