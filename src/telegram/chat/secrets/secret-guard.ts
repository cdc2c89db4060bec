import type { Document, Message } from 'grammy/types'
import { holdsOwnSecret } from '../../../accounts/own-secrets.ts'
import { type BotContext, pendingQuestion } from '../context.ts'
import { type ListFileReading, smallBytes } from '../files/read-list-file.ts'
import { memberOf } from '../person.ts'
import { commandMenu } from '../profile/command-menu-words.ts'
import { currentSnapshot } from '../request-context.ts'
import type { Services } from '../services.ts'
import { hasSecretBehindConnect, readsLikeSecret, writtenIn } from './exposed-secret.ts'
import { enqueueRemoval } from './removal.ts'
import { secretFound, secretInGroup } from './secret-words.ts'

/**
 * Runs before all handlers. Removes a message with a credential that no question asked for. Nothing from the message is
 * stored, shown or passed on.
 * @returns whether the message has such a credential. A file is searched only when it has been loaded, after the
 * handler has returned; its readers then get `secret`.
 */
export const removesSecret = async (ctx: BotContext): Promise<boolean> => {
  ctx.readDocument = async () => ({ kind: 'unavailable', reason: 'absent' })
  const message = ctx.message ?? ctx.editedMessage
  if (!message || !ctx.from || (await isTakenAsSecret(ctx))) return false
  const text = writtenIn(message)
  const found = isSecretForAll(message) ? 'alike' : await secretIn(ctx, text)
  if (found) await removeAndSay(ctx, found)
  else if (ctx.message?.document && ctx.chat?.type === 'private') lookInto(ctx, ctx.message.document)
  return found !== null
}

/** Puts the command into lower case, because phones write it with a capital: `/Connect`. */
export const lowerCommand = ({ message }: Pick<BotContext, 'message'>): void => {
  const [command] = commandIn(message?.text ?? '') ?? []
  if (message?.text && command) message.text = command.toLowerCase() + message.text.slice(command.length)
}

type Found = 'own' | 'alike'

const names = [commandMenu.members, commandMenu.operators].flat().map(([name]) => name)
const commands = new RegExp(`^/(?:${[...names, 'start', 'profit'].join('|')})(?=@|\\s|$)`, 'i')

const commandIn = (text: string): RegExpExecArray | null => commands.exec(text)

/** Whether the message goes to the flow that asked for a secret. That flow removes the message. */
const isTakenAsSecret = async (ctx: BotContext): Promise<boolean> => {
  const { message } = ctx
  if (!message || ctx.chat?.type !== 'private') return false
  const isForwarded = message.forward_origin !== undefined
  const [command] = commandIn(message.text ?? '') ?? []
  if (command && !isForwarded) return command === '/connect'
  const question = await pendingQuestion(ctx)
  const isAsked = question?.what === 'key' || question?.what === 'secret'
  return isAsked && (isForwarded || !message.contact)
}

/** Whether a group's message is `/connect` followed by something, which everybody in the group can read. */
const isSecretForAll = ({ chat, text = '' }: Message): boolean =>
  chat.type !== 'private' && hasSecretBehindConnect(text)

const secretIn = async (ctx: BotContext, text: string): Promise<Found | null> => {
  const userId = ctx.from?.id
  if (userId === undefined || text === '') return null
  const { store, keyring } = ctx.services
  const { member, pending } =
    currentSnapshot() ?? (await store.chatSnapshots.of({ chatId: ctx.talk.chatId, userId: userId }))
  if (holdsOwnSecret(keyring, { account: member?.account ?? null, pending }, text)) return 'own'
  return readsLikeSecret(text) && !(await isDamagedLink(store, text)) ? 'alike' : null
}

/** Whether `/start` comes from the link of an order, but the code after the order's id is cut off or damaged. */
const isDamagedLink = async ({ orders }: Services['store'], text: string): Promise<boolean> => {
  const [, orderId] = /^\/start(?:@\w+)?\s+s([\w-]{22})[\w-]*\s*$/i.exec(text) ?? []
  return orderId !== undefined && (await orders.byId(orderId)) !== null
}

const removeAndSay = async (ctx: BotContext, found: Found): Promise<void> => {
  const isPrivate = ctx.chat?.type === 'private'
  const remove = isPrivate ? await enqueueRemoval(ctx) : () => deletedInGroup(ctx)
  const member = await memberOf(ctx)
  await ctx.services.security.note({
    kind: 'secret_typed',
    accountId: member?.accountId ?? null,
    userId: ctx.from?.id ?? null,
    detail: found,
  })
  ctx.talk.aside(async () => {
    const removed = await remove()
    ctx.talk.say(isPrivate ? secretFound(found === 'own', removed) : secretInGroup(removed))
  })
}

/** Deletes a message in a group. Telegram allows that only if the bot is an administrator of the group. */
const deletedInGroup = (ctx: BotContext): Promise<boolean> =>
  ctx.deleteMessage().then(
    () => true,
    () => false,
  )

/** Loads a small file whether or not a handler reads it, and a larger one only when a handler does. */
const lookInto = (ctx: BotContext, document: Document): void => {
  let reading: Promise<ListFileReading> | null = null
  ctx.readDocument = () => {
    reading ??= read(ctx, document)
    return reading
  }
  if ((document.file_size ?? 0) <= smallBytes)
    ctx.talk.aside(async () => void (await ctx.readDocument(document)))
}

const read = async (ctx: BotContext, document: Document): Promise<ListFileReading> => {
  let found: Found | null = null
  const reading = await ctx.services.readFile(document, async (text) => {
    found ??= await secretIn(ctx, text)
    return found !== null
  })
  if (found) await removeAndSay(ctx, found)
  return reading
}
