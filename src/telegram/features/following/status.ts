import { followedButtons } from '../../cards/followed.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { readReference } from '../../chat/reference.ts'
import { leaveButton } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { search } from '../orders/search.ts'
import { lookUp } from './lookup.ts'
import { askReference, notAReference } from './lookup-words.ts'

/** `/status`: looks up what was written, or asks for a reference. */
export const status = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  if (text !== '') return lookUpWritten(ctx, services, text)
  const isPrivate = ctx.chat?.type === 'private'
  if (isPrivate) await askNext(ctx, { what: 'reference' })
  const followed = isPrivate ? await followedButtons(services.store, ctx.talk.chatId) : []
  ctx.talk.say({
    text: askReference,
    rows: isPrivate ? [...followed, [leaveButton]] : [],
  })
}

/** Looks up a reference. Members also find their own orders by whatever `/orders` understands. */
export const lookUpWritten = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  const reference = readReference(text)
  if (reference) return lookUp(ctx, services, reference)
  const person = ctx.chat?.type === 'private' ? await personOf(ctx, services) : null
  if (person && (await search(ctx, services, person, text))) await forgetQuestion(ctx, services)
  else ctx.talk.say(notAReference(text))
}
