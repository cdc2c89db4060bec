import { followedButtons } from '../../cards/followed.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { readReference } from '../../chat/reference.ts'
import { leaveButton } from '../../chat/screen.ts'
import { search } from '../orders/search.ts'
import { lookUp } from './lookup.ts'
import { askReference, notAReference } from './lookup-words.ts'

/** `/status`: looks up what was written, or asks for a reference. */
export const status = async (ctx: BotContext, text: string): Promise<void> => {
  if (text !== '') return lookUpWritten(ctx, text)
  const isPrivate = ctx.chat?.type === 'private'
  if (isPrivate) await askNext(ctx, { what: 'reference' })
  const followed = isPrivate ? await followedButtons(ctx.services.store, ctx.talk.chatId) : []
  ctx.talk.say({
    text: askReference,
    rows: isPrivate ? [...followed, [leaveButton]] : [],
  })
}

/** Looks up a reference. Members also find their own orders by whatever `/orders` understands. */
export const lookUpWritten = async (ctx: BotContext, text: string): Promise<void> => {
  const reference = readReference(text)
  if (reference) return lookUp(ctx, reference)
  const person = ctx.chat?.type === 'private' ? await personOf(ctx) : null
  if (person && (await search(ctx, person, text))) await forgetQuestion(ctx)
  else ctx.talk.say(notAReference(text))
}
