import { looksLikeCredential } from '../../../accounts/membership.ts'
import * as typed from '../../../accounts/typed-credentials.ts'
import { agentPermissionsOf } from '../../cards/agent-permissions.ts'
import { connectAsAgent } from '../../cards/words/agent-permissions.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import { mayConnect, nameOf, personOf } from '../../chat/person.ts'
import { askingFor, leaveButton } from '../../chat/screen.ts'
import { enqueueRemoval } from '../../chat/secrets/removal.ts'
import { hints } from '../../words/hints.ts'
import { byInvitation } from '../operating/words.ts'
import { keptAccount } from './disconnect-words.ts'
import * as connectTexts from './words.ts'

/** `/connect`. @param rest credentials typed after the command. They count as if sent in the next message. */
export const connect = async (ctx: BotContext, rest = ''): Promise<void> => {
  const { services } = ctx
  if (!(await mayConnect(ctx))) {
    if (rest) return removeWith(ctx, () => byInvitation)
    return ctx.talk.say(byInvitation)
  }
  if (rest) return takeCredentials(ctx, 'key', rest)
  const person = await personOf(ctx)
  await services.store.chats.dropKey(ctx.talk.chatId)
  await askNext(ctx, { what: 'key' })
  const agentPermissions = await agentPermissionsOf(services.store, ctx.talk.chatId, services.now())
  const ask = connectTexts.askKey(person?.role === 'owner', ctx.me.username)
  const text = agentPermissions ? `${connectAsAgent(agentPermissions.shop)}\n\n${ask}` : ask
  ctx.talk.say({ text, rows: [[leaveButton]] })
}

/**
 * The work after a handler's commit: it may ask the provider, and it answers in the chat. `removed`: whether the
 * message with the credentials was deleted.
 */
type Answer = (removed: boolean) => Promise<void>

/**
 * Takes the answer to the question for the key or the secret. The message is always deleted before the provider is
 * asked. Typed credentials are never stored in the chat's memory: a key that waits for its secret is stored sealed.
 */
export const takeCredentials = async (
  ctx: BotContext,
  asked: 'key' | 'secret',
  text: string,
): Promise<void> => {
  const remove = await enqueueRemoval(ctx)
  const answer = await readCredentials(ctx, asked, text)
  ctx.talk.aside(async () => answer(await remove()))
}

/** Deletes a picture or a file that was sent instead of a credential, because it may show one. */
export const refuseFile = (ctx: BotContext): Promise<void> => removeWith(ctx, connectTexts.credentialsAsText)

/** Deletes a forwarded message that was sent instead of a credential. */
export const refuseForwarded = (ctx: BotContext): Promise<void> =>
  removeWith(ctx, connectTexts.forwardedSecret)

const removeWith = async (ctx: BotContext, words: (removed: boolean) => string): Promise<void> => {
  const remove = await enqueueRemoval(ctx)
  ctx.talk.aside(async () => ctx.talk.say(words(await remove())))
}

const readCredentials = async (ctx: BotContext, asked: 'key' | 'secret', text: string): Promise<Answer> => {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length === 0 || words.length > 2 || !words.every(looksLikeCredential)) {
    await askNext(ctx, { what: asked })
    return async () => ctx.talk.say(askingFor(hints[asked], connectTexts.notACredential(asked)))
  }
  const [first = '', second] = words
  if (second !== undefined) return tryCredentials(ctx, first, second)
  if (asked === 'key') return keepPendingKey(ctx, first)
  const { store, keyring, now } = ctx.services
  const held = await typed.pendingKey(store.chats, keyring, ctx.talk.chatId, now())
  // If the same key arrives again, its message was redelivered after a crash, or the person sent it twice.
  if (held === first) return keepPendingKey(ctx, first)
  if (held !== null) return tryCredentials(ctx, held, first)
  await askNext(ctx, { what: 'key' })
  return async () => ctx.talk.say(askingFor(hints.key, connectTexts.askKeyAgain))
}

const keepPendingKey = async (ctx: BotContext, apiKey: string): Promise<Answer> => {
  const { store, keyring, now } = ctx.services
  await typed.keepPendingKey(store.chats, keyring, ctx.talk.chatId, apiKey, now())
  await askNext(ctx, { what: 'secret' })
  const rows = [[leaveButton]]
  return async (removed) => ctx.talk.say({ text: connectTexts.askSecret(removed), rows })
}

/**
 * Commits the sealed credentials before the provider is asked, so that the person learns the result even after a crash.
 */
const tryCredentials = async (ctx: BotContext, apiKey: string, apiSecret: string): Promise<Answer> => {
  const { talk, from } = ctx
  if (!from) return async () => {}
  const user = { userId: from.id, chatId: talk.chatId, name: nameOf(from) }
  const check = await ctx.services.membership.take(user, apiKey, apiSecret)
  await forgetQuestion(ctx)
  return check
}

/** `Same account`: the person says that the checked credentials are a new key of the current account. */
export const answerSame = async (ctx: BotContext, until: Date): Promise<void> => {
  const { membership } = ctx.services
  const { talk, from } = ctx
  if (!from) return
  const user = { userId: from.id, chatId: talk.chatId, name: nameOf(from) }
  const work = await membership.replaceKey(user, until)
  talk.toast(work ? connectTexts.replacing : connectTexts.switchTooLate, work === null)
  if (work) talk.aside(work)
}

/** `Switch` or `Keep`: the person's answer about checked credentials of another account. */
export const answerSwitch = async (ctx: BotContext, sure: boolean, until: Date): Promise<void> => {
  const { membership } = ctx.services
  const { talk, from } = ctx
  if (!from) return
  if (!sure) {
    await membership.stay(talk.chatId, until)
    return talk.show(keptAccount)
  }
  const work = await membership.switchTo({ userId: from.id, chatId: talk.chatId, name: nameOf(from) }, until)
  talk.toast(work ? connectTexts.switching : connectTexts.switchTooLate, work === null)
  if (work) talk.aside(work)
}
