import { CannotOpen } from '../../accounts/keyring.ts'
import { looksLikeCredential } from '../../accounts/membership.ts'
import { askNext, type BotContext, forgetQuestion } from '../context.ts'
import { mayConnect, personOf } from '../person.ts'
import { key } from '../screen.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'
import { homeScreen } from './home.ts'

/** How long the key waits for its secret. */
const heldMs = 10 * 60_000

const heldKeyPlace = (chatId: number): string => `chat:${chatId}/key`

/** `/connect`. Credentials that stand behind the command are taken as if they were sent after it. */
export const connect = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!(await mayConnect(ctx, services))) {
    ctx.talk.say(texts.byInvitation)
    return
  }
  const rest = typeof ctx.match === 'string' ? ctx.match.trim() : ''
  if (rest) return takeCredentials(ctx, services, 'key', rest)
  const person = await personOf(ctx, services)
  await services.store.chats.dropKey(ctx.talk.chatId)
  await askNext(ctx, { what: 'key' })
  ctx.talk.say({ text: texts.askKey(person !== null), rows: [[key(texts.labels.leave, { do: 'leave' })]] })
}

/** What is left to do after a handler has committed: it may ask the provider, and it speaks. */
type Answer = (removed: boolean) => Promise<void>

/**
 * A text that answers the question for the key or the secret. The message goes first, whatever it holds, and only
 * then is the provider asked; what was typed is never put into the chat's memory: a key that waits for its secret
 * waits sealed in the vault.
 */
export const takeCredentials = async (
  ctx: BotContext,
  services: Services,
  asked: 'key' | 'secret',
  text: string,
): Promise<void> => {
  const remove = await oweRemoval(ctx, services)
  const answer = await readCredentials(ctx, services, asked, text)
  ctx.talk.aside(async () => answer(await remove()))
}

/** A picture or a file in place of a credential: it may show one, so it goes too. */
export const refuseFile = async (ctx: BotContext, services: Services): Promise<void> => {
  const remove = await oweRemoval(ctx, services)
  ctx.talk.aside(async () => ctx.talk.say(texts.credentialsAsText(await remove())))
}

const readCredentials = async (
  ctx: BotContext,
  services: Services,
  asked: 'key' | 'secret',
  text: string,
): Promise<Answer> => {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length === 0 || words.length > 2 || !words.every(looksLikeCredential)) {
    await askNext(ctx, { what: asked })
    return async () => ctx.talk.say(texts.notACredential(asked))
  }
  const [first = '', second] = words
  if (second !== undefined) return tryCredentials(ctx, services, first, second)
  if (asked === 'key') return holdKey(ctx, services, first)
  const held = await heldKey(ctx, services)
  if (held !== null) return tryCredentials(ctx, services, held, first)
  await askNext(ctx, { what: 'key' })
  return async () => ctx.talk.say(texts.askKeyAgain)
}

/**
 * The removal of the message is owed durably, so that a crash does not leave a secret standing.
 * @returns removes it now; where Telegram refuses, the person is told.
 */
const oweRemoval = async (
  ctx: BotContext,
  { store, now, onNotice }: Services,
): Promise<() => Promise<boolean>> => {
  const messageId = ctx.msgId
  if (messageId === undefined) return async () => false
  const content = { kind: 'delete', subject: `message:${messageId}`, messageId } as const
  const noticeId = await store.notices.owe(ctx.talk.chatId, content, now())
  return async () => {
    try {
      await ctx.api.deleteMessage(ctx.talk.chatId, messageId)
      await store.notices.done([noticeId])
      return true
    } catch {
      // The outbox may have been faster.
      if (!(await store.notices.isOwed(noticeId))) return true
      ctx.talk.say(texts.couldNotDelete)
      onNotice()
      return false
    }
  }
}

const holdKey = async (
  ctx: BotContext,
  { store, keyring, now }: Services,
  apiKey: string,
): Promise<Answer> => {
  const { chatId } = ctx.talk
  const sealed = keyring.seal(apiKey, heldKeyPlace(chatId))
  await store.chats.holdKey(chatId, sealed, new Date(now().getTime() + heldMs))
  await askNext(ctx, { what: 'secret' })
  const rows = [[key(texts.labels.leave, { do: 'leave' })]]
  return async (removed) => ctx.talk.say({ text: texts.askSecret(removed), rows })
}

const heldKey = async (ctx: BotContext, { store, keyring, now }: Services): Promise<string | null> => {
  const sealed = await store.chats.heldKey(ctx.talk.chatId, now())
  if (sealed === null) return null
  try {
    return keyring.open(sealed, heldKeyPlace(ctx.talk.chatId))
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

const tryCredentials = async (
  ctx: BotContext,
  services: Services,
  apiKey: string,
  apiSecret: string,
): Promise<Answer> => {
  const { talk, from } = ctx
  await forgetQuestion(ctx, services)
  await services.store.chats.dropKey(talk.chatId)
  return async () => {
    if (!from) return
    const user = { userId: from.id, chatId: talk.chatId }
    const connection = await services.membership.connect(user, apiKey, apiSecret)
    switch (connection.kind) {
      case 'connected': {
        const { rows } = await homeScreen(ctx, services)
        const { accountType, balancePesewas } = connection.balance
        talk.say({ text: texts.connected(accountType, balancePesewas), ...(rows && { rows }) })
        return
      }
      case 'refused':
        talk.say(texts.credentialsRefused)
        return
      case 'other_account':
        talk.say(texts.otherAccount(connection.open))
        return
      case 'unchecked':
        talk.say(texts.credentialsUnchecked(connection.error))
    }
  }
}

/** `/disconnect` asks once. */
export const disconnect = async (ctx: BotContext, services: Services): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.say(texts.needAccount)
    return
  }
  const { orders, accounts } = services.store
  const open = await orders.open(person.accountId)
  const members = await accounts.members(person.accountId)
  const shared = members.some(({ userId, role }) => userId !== person.userId && role === 'owner')
  ctx.talk.say({
    text: texts.askDisconnect(open.length, shared),
    rows: [
      [
        key(texts.labels.disconnectConfirm, { do: 'disconnect', sure: true }),
        key(texts.labels.cancel, { do: 'disconnect', sure: false }),
      ],
    ],
  })
}

export const answerDisconnect = async (ctx: BotContext, services: Services, sure: boolean): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person || !sure) {
    if (person) ctx.talk.toast(texts.keptAccount)
    ctx.talk.show(await homeScreen(ctx, services))
    return
  }
  const result = await services.membership.disconnect(person.userId)
  services.onNotice()
  ctx.talk.show(texts.disconnected(result?.cancelled ?? 0, result?.openReferences ?? []))
}
