import type { Person } from '../../../orders/buying/purchases.ts'
import type { Somebody } from '../../../settings/change.ts'
import { type BotContext, forgetQuestion } from '../../chat/context.ts'
import type { Handler } from '../../chat/handler.ts'
import { isOperator, personOf } from '../../chat/person.ts'
import { notYours } from '../../words/unusable.ts'
import { sayAccountNeeded } from './account-needed.ts'
import { admit } from './order-denial.ts'

/**
 * Who may use a command, a button or an answer. A feature names the guard where it declares the handler, and the
 * handler receives the person that the guard found. Buttons can be forged, so a guard checks the person who pressed,
 * not the message.
 */

/** A handler that also receives the person whom a guard has found. */
export type HandlerFor<Whom, What = void> = (ctx: BotContext, whom: Whom, what: What) => Promise<void> | void

/** For members. @param refuse answers people without an account. */
export const member =
  <What>(run: HandlerFor<Person, What>, refuse: Handler = sayAccountNeeded): Handler<What> =>
  async (ctx, what) => {
    const person = await personOf(ctx)
    return person ? run(ctx, person, what) : refuse(ctx)
  }

/** For owners. @param refuse answers agents, and people without an account (null). */
export const owner =
  <What>(run: HandlerFor<Person, What>, refuse: Handler<Person | null>): Handler<What> =>
  async (ctx, what) => {
    const person = await personOf(ctx)
    return person?.role === 'owner' ? run(ctx, person, what) : refuse(ctx, person)
  }

/** For members who may order now. Others are told why they may not. */
export const orderer = <What>(run: HandlerFor<Person, What>, refuse?: Handler): Handler<What> =>
  member(async (ctx, person, what) => {
    if (await admit(ctx, person)) await run(ctx, person, what)
  }, refuse)

/** For all people, with or without an account. */
export const anybody =
  <What>(run: HandlerFor<Somebody, What>): Handler<What> =>
  async (ctx, what) => {
    const person = await personOf(ctx)
    if (person) return run(ctx, person, what)
    if (ctx.from) return run(ctx, { userId: ctx.from.id, accountId: null, role: null }, what)
  }

/** For operators, by their user id. @param refuse answers all others. */
export const operator =
  <What>(run: HandlerFor<number, What>, refuse: Handler = toastNotYours): Handler<What> =>
  async (ctx, what) =>
    ctx.from && isOperator(ctx) ? run(ctx, ctx.from.id, what) : refuse(ctx)

/** Ends the chat's question, then runs the handler. */
export const leaving =
  <What>(run: Handler<What>): Handler<What> =>
  async (ctx, what) => {
    await forgetQuestion(ctx)
    return run(ctx, what)
  }

/** Tells the person that they may not use the button. */
export const toastNotYours = ({ talk }: BotContext): void => talk.toast(notYours)
