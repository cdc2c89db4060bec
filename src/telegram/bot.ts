import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { autoRetry } from '@grammyjs/auto-retry'
import { sequentialize } from '@grammyjs/runner'
import { Bot, type ChatTypeContext, type Composer, lazySession, type StorageAdapter } from 'grammy'
import { sendAgain } from '../domain/notice.ts'
import { endMute } from '../messaging/digest.ts'
import { type BotContext, causeOf, type Memory } from './chat/context.ts'
import type { FloodGuard } from './chat/flood-guard.ts'
import { observeCalls, type TelegramCall } from './chat/observed-calls.ts'
import { isOperator, nameOf } from './chat/person.ts'
import type { CommandMenu } from './chat/profile/command-menu.ts'
import { createPrompts } from './chat/prompts.ts'
import { withSnapshot } from './chat/request-context.ts'
import { lowerCommand, removesSecret } from './chat/secrets/secret-guard.ts'
import type { Sender } from './chat/sender.ts'
import type { Services } from './chat/services.ts'
import { createTalk } from './chat/talk.ts'
import type { Tasks } from './chat/tasks.ts'
import { features } from './features/features.ts'
import { readContact, readFile, readForwarded, readMessage, refuseOther } from './messages.ts'
import { addCommands, addGroupCommands, addGroupRefusals, press } from './routes.ts'

interface BotOptions {
  services: Services
  /** `member` sends the answers to members, `stranger` those to strangers. */
  senders: { member: Sender; stranger: Sender }
  floodGuard: FloodGuard
  tasks: Tasks
  menu: CommandMenu
  memory: StorageAdapter<Memory>
  /** Called if work that continues after an update fails. */
  onFault: (chatId: number, error: unknown) => Promise<void>
}

/**
 * Creates the bot without its features: the connection to Telegram's server.
 * @param onCall called after each call of the API.
 * @param proxy the address of the HTTP proxy to Telegram; null: none.
 */
export const createBot = (
  token: string,
  apiRoot: string,
  { onCall, proxy = null }: { onCall?: (call: TelegramCall) => void; proxy?: string | null } = {},
): Bot<BotContext> => {
  // Following a redirect would send messages and files to another server.
  const baseFetchConfig = { redirect: 'error', agent: agentFor(apiRoot, proxy) } as const
  const bot = new Bot<BotContext>(token, { client: { apiRoot, timeoutSeconds: 40, baseFetchConfig } })
  if (onCall) bot.api.config.use(observeCalls(onCall))
  bot.api.config.use(
    interactiveOnly(autoRetry({ maxRetryAttempts: 1, maxDelaySeconds: 2, rethrowHttpErrors: true })),
  )
  return bot
}

/** How long to try one of a server's addresses, ms. Node's default of 250 ms is too short for a slow mobile network. */
const addressMs = 2_000

const agentFor = (apiRoot: string, proxy: string | null): HttpAgent => {
  const options = {
    keepAlive: true,
    autoSelectFamilyAttemptTimeout: addressMs,
    ...(proxy !== null && { proxyEnv: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy } }),
  }
  return apiRoot.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options)
}

/**
 * Methods that are retried immediately, because a person is waiting. The outbox and `sendWithRetries` retry messages.
 */
const interactive = new Set(['answerCallbackQuery', 'deleteMessage'])

type Transformer = ReturnType<typeof autoRetry>

const interactiveOnly =
  (retry: Transformer): Transformer =>
  (previous, method, payload, signal) =>
    interactive.has(method) ? retry(previous, method, payload, signal) : previous(method, payload, signal)

/** Adds the features to the bot. Each handler only commits; see `talk.ts`. */
export const addFeatures = (bot: Bot<BotContext>, options: BotOptions): void => {
  const { services, senders, floodGuard, tasks, menu, memory, onFault } = options
  const { chatSnapshots } = services.store
  const prompts = createPrompts(services.store.alerts, services.now)
  // A press and a message of one chat may arrive on different connections, and must be handled in order.
  bot.use(sequentialize((ctx) => (ctx.chat ? String(ctx.chat.id) : undefined)))
  bot.use(async (ctx, next) => {
    if (floodGuard.begins(ctx.update)) await next()
  })
  bot.use(async (ctx, next) => {
    ctx.services = services
    lowerCommand(ctx)
    await next()
  })
  bot.use(async (ctx, next) => {
    const chatId = ctx.chat?.id ?? ctx.from?.id
    if (chatId === undefined) return
    const cause = ctx.message ? causeOf(chatId, ctx.msgId) : null
    ctx.snapshot = await chatSnapshots.of({ chatId, userId: ctx.from?.id ?? null, cause })
    await next()
  })
  bot.use(
    lazySession({ initial: (): Memory => ({}), storage: memory, getSessionKey: (ctx) => sessionKey(ctx) }),
  )
  bot.use(async (ctx, next) => {
    const { chatId } = ctx.snapshot
    const query = ctx.callbackQuery
    const pressed = query
      ? {
          queryId: query.id,
          messageId: query.message?.message_id ?? null,
          isPhoto: query.message?.photo !== undefined,
        }
      : null
    const sender = floodGuard.isMember(ctx.from?.id) ? senders.member : senders.stranger
    ctx.memoryNow = async () => (await memory.read(String(chatId))) ?? {}
    ctx.talk = createTalk({
      api: ctx.api,
      sender,
      tasks,
      chatId,
      pressed,
      prompts,
      threadId: ctx.msg?.is_topic_message ? ctx.msg.message_thread_id : undefined,
      onFault: (error) => onFault(chatId, error),
      onLost: () => enqueueSendAgain(chatId, services),
    })
    const { chat, from, snapshot } = ctx
    if (from && chat?.type === 'private')
      services.recentPeople.meet({ id: from.id, name: nameOf(from), username: from.username ?? null })
    if (from) floodGuard.meets(from.id, snapshot.member !== null || isOperator(ctx))
    if (snapshot.isBlocked && !isOperator(ctx)) return
    if (snapshot.isMuted) await wakeMuted(ctx)
    const after = await withSnapshot(snapshot, async () => {
      if (await removesSecret(ctx)) return
      if (!ctx.editedMessage) await next()
      else if (chat?.type === 'private') for (const { edited } of features) await edited?.(ctx)
    })
    ctx.talk.begin()
    if (chat?.type === 'private' && from) {
      const known = after && { menu: after.menu, role: after.member?.role ?? null }
      tasks.aside(() => menu.greet(from.id, known))
    }
  })

  addGroupCommands(bot)
  addPrivateChats(bot.chatType('private'))
  addGroupRefusals(bot)
}

/** Routes private chats: the first route that matches takes the update. */
const addPrivateChats = (privately: Composer<ChatTypeContext<BotContext, 'private'>>): void => {
  privately.on('message', async (ctx, next) => {
    for (const { first } of features) if (await first?.(ctx)) return
    await next()
  })
  privately
    .filter((ctx) => ctx.message?.forward_origin !== undefined)
    .on('message', (ctx) => readForwarded(ctx, ctx.message))
  addCommands(privately)
  privately.on('message:text', (ctx) => readMessage(ctx, ctx.message.text))
  privately.on('message:contact', (ctx) => readContact(ctx, ctx.message.contact))
  privately.on([':photo', ':document', ':video'], (ctx) => readFile(ctx))
  privately.on('message', (ctx) => refuseOther(ctx))
  privately.on('callback_query:data', (ctx) => press(ctx, ctx.callbackQuery.data))
}

/** Only private chats have a session, which holds the pending question. */
const sessionKey = (ctx: { chat?: { id: number; type: string } | undefined }): string | undefined =>
  ctx.chat?.type === 'private' ? String(ctx.chat.id) : undefined

/** Asks the person to send their message again. A group is not told, because it does not concern the others. */
const enqueueSendAgain = async (chatId: number, { store, onNotice, now }: Services): Promise<void> => {
  if (chatId < 0) return
  await store.notices.enqueue(chatId, sendAgain, now())
  onNotice()
}

/** Releases the messages that wait for a chat that had blocked the bot and now writes again. */
const wakeMuted = async (ctx: BotContext): Promise<void> => {
  const { store, onNotice, now, log } = ctx.services
  if (ctx.myChatMember?.new_chat_member.status === 'kicked') return
  const missed = await endMute(store, ctx.talk.chatId, now())
  if (missed === null) return
  log.info({ missed }, 'a chat takes messages again')
  onNotice()
}
