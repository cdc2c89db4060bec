import { autoRetry } from '@grammyjs/auto-retry'
import { sequentialize } from '@grammyjs/runner'
import { Bot, lazySession, type StorageAdapter } from 'grammy'
import type { Contact } from 'grammy/types'
import { readPhone } from '../lists/phone.ts'
import { isList } from '../lists/recognition.ts'
import { readRequest } from '../lists/request.ts'
import { comeBack } from '../relay/digest.ts'
import { type Button, decodeButton } from './buttons/button.ts'
import { noFilter } from './buttons/history.ts'
import type { CommandMenu } from './command-menu.ts'
import { type BotContext, forgetQuestion, type Memory, pendingQuestion, type Question } from './context.ts'
import * as admin from './features/admin.ts'
import * as agents from './features/agents.ts'
import * as bulk from './features/bulk.ts'
import * as buy from './features/buy.ts'
import * as connect from './features/connect.ts'
import * as customerOrder from './features/customer-order.ts'
import * as customers from './features/customers.ts'
import * as disconnect from './features/disconnect.ts'
import * as enquiry from './features/enquiry.ts'
import * as entries from './features/entries.ts'
import * as exporting from './features/export.ts'
import * as history from './features/history.ts'
import * as home from './features/home.ts'
import * as invitation from './features/invitation.ts'
import * as listFile from './features/list-file.ts'
import * as lookup from './features/lookup.ts'
import * as order from './features/order.ts'
import * as paste from './features/paste.ts'
import * as selling from './features/selling.ts'
import * as settings from './features/settings.ts'
import * as stats from './features/stats.ts'
import * as wallet from './features/wallet.ts'
import type { FloodGuard } from './flood-guard.ts'
import { followedKeys } from './followed.ts'
import { observeCalls, type TelegramCall } from './observed-calls.ts'
import { isOperator, personOf } from './person.ts'
import { linkIn, readReference, referenceIn } from './reference.ts'
import { lowerCommand, removesSecret } from './secret-guard.ts'
import type { Sender } from './sender.ts'
import type { Services } from './services.ts'
import { createTalk } from './talk.ts'
import type { Tasks } from './tasks.ts'
import { commandMenu } from './texts/command-menu.ts'
import { notAReference } from './texts/lookup.ts'
import * as refusalTexts from './texts/refusal.ts'

interface BotOptions {
  services: Services
  /** For answers to members, and to strangers. */
  senders: { member: Sender; stranger: Sender }
  floodGuard: FloodGuard
  tasks: Tasks
  menu: CommandMenu
  memory: StorageAdapter<Memory>
  /** Told of what went on after an update and could not be made or done. */
  onFault: (chatId: number, error: unknown) => Promise<void>
}

/** The bot without its features: what talks to Telegram's server. */
export const createBot = (
  token: string,
  apiRoot: string,
  onCall?: (call: TelegramCall) => void,
): Bot<BotContext> => {
  // A redirect would take messages, and what is uploaded, to wherever it leads.
  const baseFetchConfig = { redirect: 'error' } as const
  const bot = new Bot<BotContext>(token, { client: { apiRoot, timeoutSeconds: 40, baseFetchConfig } })
  if (onCall) bot.api.config.use(observeCalls(onCall))
  bot.api.config.use(
    interactiveOnly(autoRetry({ maxRetryAttempts: 1, maxDelaySeconds: 2, rethrowHttpErrors: true })),
  )
  return bot
}

/** Only what a person waits for at this moment is tried again at once; the outbox has its own ways. */
const interactive = new Set(['answerCallbackQuery', 'deleteMessage'])

type Transformer = ReturnType<typeof autoRetry>

const interactiveOnly =
  (retry: Transformer): Transformer =>
  (previous, method, payload, signal) =>
    interactive.has(method) ? retry(previous, method, payload, signal) : previous(method, payload, signal)

/** Puts the features onto the bot. Each handler only commits; see `talk.ts`. */
export const addFeatures = (bot: Bot<BotContext>, options: BotOptions): void => {
  const { services, senders, floodGuard, tasks, menu, memory, onFault } = options
  // A button and a message of one chat may arrive on different connections: they are handled in order.
  bot.use(sequentialize((ctx) => (ctx.chat ? String(ctx.chat.id) : undefined)))
  bot.use(async (ctx, next) => {
    if (floodGuard.begins(ctx.update)) await next()
  })
  bot.use(async (ctx, next) => {
    lowerCommand(ctx)
    await next()
  })
  bot.use(
    lazySession({ initial: (): Memory => ({}), storage: memory, getSessionKey: (ctx) => sessionKey(ctx) }),
  )
  bot.use(async (ctx, next) => {
    const chatId = ctx.chat?.id ?? ctx.from?.id
    if (chatId === undefined) return
    const query = ctx.callbackQuery
    const pressed = query
      ? {
          queryId: query.id,
          messageId: query.message?.message_id ?? null,
          isPhoto: query.message?.photo !== undefined,
        }
      : null
    const sender = floodGuard.isMember(ctx.from?.id) ? senders.member : senders.stranger
    ctx.talk = createTalk({
      ...{ api: ctx.api, sender, tasks, chatId, pressed },
      onFault: (error) => onFault(chatId, error),
    })
    if (!(await isRead(ctx, services))) return
    if (!(await removesSecret(ctx, services)) && !ctx.editedMessage) await next()
    ctx.talk.begin()
    const { chat, from } = ctx
    if (chat?.type === 'private' && from) tasks.aside(() => menu.greet(from.id))
  })

  const features = (handler: (ctx: BotContext, services: Services) => Promise<void>) => (ctx: BotContext) =>
    handler(ctx, services)
  // The one command of groups too. It stands before the private ones, of which the last takes every text.
  bot.command('status', features(lookup.status))
  const privately = bot.chatType('private')
  /** A command leaves the flow that the chat is in. */
  const leaving = (handler: (ctx: BotContext) => Promise<void>) => async (ctx: BotContext) => {
    await forgetQuestion(ctx, services)
    await handler(ctx)
  }

  privately
    .filter((ctx) => ctx.message?.forward_origin !== undefined)
    .on('message', async (ctx) => {
      const question = await pendingQuestion(ctx)
      if (question?.what === 'key' || question?.what === 'secret')
        await connect.refuseForwarded(ctx, services)
      else if (ctx.message.contact) await readContact(ctx, services, ctx.message.contact)
      else if (ctx.message.text === undefined) await readFile(ctx, services)
      else if (isOfCustomers(question))
        await customers.takeAnswer(ctx, services, question.ask, ctx.message.text)
      else await readText(ctx, services, isOfList(question) ? question : null, ctx.message.text)
    })
  privately.command(
    'start',
    leaving((ctx) => start(ctx, services, typeof ctx.match === 'string' ? ctx.match.trim() : '')),
  )
  privately.command('help', leaving(features(home.help)))
  privately.command('cancel', features(home.leave))
  privately.command('connect', features(connect.connect))
  privately.command('disconnect', leaving(features(disconnect.disconnect)))
  privately.command('bundles', leaving(features(buy.bundles)))
  privately.command('buy', features(buy.buy))
  privately.command('bulk', features(bulk.bulk))
  privately.command(
    'orders',
    leaving((ctx) => history.orders(ctx, services)),
  )
  privately.command('balance', leaving(features(wallet.balance)))
  privately.command(
    'transactions',
    leaving((ctx) => entries.entries(ctx, services, { filter: 'all', seek: null })),
  )
  privately.command('export', leaving(features(exporting.begin)))
  privately.command('customers', leaving(features(customers.customers)))
  privately.command('prices', leaving(features(selling.selling)))
  privately.command('agents', leaving(features(agents.agents)))
  privately.command('settings', leaving(features(settings.settings)))
  privately.command(
    // The second is in no menu: it is what who looks for their profit types.
    ['stats', 'profit'],
    leaving((ctx) => stats.stats(ctx, services)),
  )
  privately.command('admin', leaving(features(admin.admin)))
  privately.on('message:text', (ctx) => readMessage(ctx, services, ctx.message.text))
  privately.on('message:contact', (ctx) => readContact(ctx, services, ctx.message.contact))
  privately.on([':photo', ':document', ':video'], (ctx) => readFile(ctx, services))
  privately.on('message', async (ctx) => {
    const isRefused = await enquiry.refuseMedia(ctx, await pendingQuestion(ctx))
    if (!isRefused) await notUnderstood(ctx, services)
  })
  privately.on('callback_query:data', (ctx) => press(ctx, services, ctx.callbackQuery.data))
  bot.on('callback_query:data', (ctx) => pressInGroup(ctx, services, ctx.callbackQuery.data))
  bot
    .chatType(['group', 'supergroup'])
    .command(ordinaryCommands)
    .use((ctx) => ctx.talk.say(refusalTexts.groupOnly))
}

/** The commands that are no secret of the operators. */
const ordinaryCommands = [...commandMenu.everyone, ...commandMenu.members, ...commandMenu.owners].map(
  ([name]) => name,
)

/** Only private chats have a pending question. */
const sessionKey = (ctx: { chat?: { id: number; type: string } | undefined }): string | undefined =>
  ctx.chat?.type === 'private' ? String(ctx.chat.id) : undefined

/** What a blocked chat or person sends is not read; a muted chat is woken. Both are one query. */
const isRead = async (ctx: BotContext, services: Services): Promise<boolean> => {
  const { isMuted, isBlocked } = await services.store.operations.standing(ctx.talk.chatId, ctx.from?.id)
  if (isBlocked && !isOperator(ctx, services)) return false
  if (isMuted) await wakeMuted(ctx, services)
  return true
}

/** A chat that had blocked the bot writes again: what is owed to it may go. */
const wakeMuted = async (ctx: BotContext, { store, onNotice, now, log }: Services): Promise<void> => {
  if (ctx.myChatMember?.new_chat_member.status === 'kicked') return
  const missed = await comeBack(store, ctx.talk.chatId, now())
  if (missed === null) return
  log.info({ missed }, 'a chat takes messages again')
  onNotice()
}

/** `/start`, with what a link carries: a shared order or an invitation. */
const start = async (ctx: BotContext, services: Services, payload: string): Promise<void> => {
  if (payload.startsWith('s')) return lookup.openLink(ctx, services, payload.slice(1))
  if (payload.startsWith('a')) return invitation.open(ctx, services, payload.slice(1))
  if (payload.startsWith('i')) return admin.acceptInvitation(ctx, services, payload.slice(1))
  return home.start(ctx, services)
}

/** A text: the answer to what was asked, or something that stands for itself. */
const readMessage = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  const question = await pendingQuestion(ctx)
  const asksForSecret = question?.what === 'key' || question?.what === 'secret'
  if (asksForSecret ? looksLikeCommand.test(text) : text.startsWith('/')) {
    ctx.talk.say(refusalTexts.unknownCommand)
    return
  }
  if (!asksForSecret && (await enquiry.takeText(ctx, services, question, text))) return
  if (!asksForSecret && linkIn(text, ctx.me.username)) return readText(ctx, services, null, text)
  switch (question?.what) {
    case 'key':
    case 'secret':
      return connect.takeCredentials(ctx, services, question.what, text)
    case 'phone':
      if (readReference(text) || isList(text)) break
      return buy.takePhone(ctx, services, question.bundleId, text)
    case 'reference': {
      if (readReference(text) || isList(text)) break
      ctx.talk.say(notAReference(text))
      return
    }
    case 'period':
      if (readReference(text) || isList(text)) break
      return exporting.takePeriod(ctx, services, question.subject, text)
    case 'customer':
      if (!isForOrder(text) || (isOfCustomers(question) && !readReference(text) && !readRequest(text)))
        return customers.takeAnswer(ctx, services, question.ask, text)
      await forgetQuestion(ctx, services)
      break
    case 'selling':
      if (!isForOrder(text)) return selling.takeText(ctx, services, question.ask, text)
      await forgetQuestion(ctx, services)
      break
    case 'agent_limit':
      if (readReference(text) || isList(text)) break
      return agents.takeLimit(ctx, services, question.agentId, text)
    case 'setting':
      if (readReference(text) || isList(text)) break
      return settings.takeSetting(ctx, services, question.topic, text)
    case 'operator':
      if (readReference(text) || isList(text)) break
      return admin.takeText(ctx, services, question.ask, text)
    case 'search_orders':
      if (!readReference(text) && !isList(text) && !readRequest(text))
        return history.takeSearch(ctx, services, text)
      await forgetQuestion(ctx, services)
      break
    case 'list':
    case 'fix':
    case 'rest':
    case 'ask':
    case 'answer':
    case undefined:
      break
  }
  await readText(ctx, services, question, text)
}

/** What customers wrote is forwarded to be ordered; to other questions people answer themselves. */
const isOfList = (question: Question | null): boolean =>
  question?.what === 'list' || question?.what === 'fix' || question?.what === 'rest'

/** It stands for itself, whatever was asked: a reference, a list, a number with a size. */
const isForOrder = (text: string): boolean =>
  readReference(text) !== null || isList(text) || readRequest(text) !== null

/** Names and numbers are a list too, when they were asked for; they may be forwarded. */
const isOfCustomers = (question: Question | null): question is Extract<Question, { what: 'customer' }> =>
  question?.what === 'customer' && (question.ask.act === 'import' || question.ask.act === 'add')

/** A contact is the number that is asked for, or somebody to be saved. */
const readContact = async (ctx: BotContext, services: Services, contact: Contact): Promise<void> => {
  const question = await pendingQuestion(ctx)
  if (question?.what === 'phone') {
    return buy.takePhone(ctx, services, question.bundleId, contact.phone_number)
  }
  if (question?.what === 'list' && readPhone(contact.phone_number)) {
    await paste.takeText(ctx, services, question, contact.phone_number)
    return
  }
  await customers.takeContact(ctx, services, contact)
}

/** A credential may begin with a slash too; a command is a plain word behind it. */
const looksLikeCommand = /^\/[a-z_]{1,32}(@\w+)?$/

/** A file is a list, or no credential that may show one. */
const readFile = async (ctx: BotContext, services: Services): Promise<void> => {
  const question = await pendingQuestion(ctx)
  if (question?.what === 'key' || question?.what === 'secret') return connect.refuseFile(ctx, services)
  if (await enquiry.refuseMedia(ctx, question)) return
  if (question?.what === 'customer' && (await customers.takeFile(ctx, services, question.ask))) return
  if (!(await listFile.takeFile(ctx, services, question))) await notUnderstood(ctx, services)
}

/** What belongs to a list, or stands for itself: a reference, a list, or a number with a size. */
const readText = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
  text: string,
): Promise<void> => {
  const payload = linkIn(text, ctx.me.username)
  if (payload !== null) {
    await forgetQuestion(ctx, services)
    return start(ctx, services, payload)
  }
  const reference = readReference(text)
  if (reference) {
    ctx.session = {}
    return lookup.lookUp(ctx, services, reference)
  }
  const read = await customerOrder.withNumbers(ctx, services, question, text)
  if (read.kind === 'said' || (await paste.takeText(ctx, services, question, read.text))) return
  const person = await personOf(ctx, services)
  if (person && (await buy.buyByText(ctx, services, person, read.text))) return
  if (await customerOrder.orderByName(ctx, services, text)) return
  if (await customers.openByName(ctx, services, text)) return
  if (await customers.takeNamedNumber(ctx, services, text)) return
  const within = referenceIn(text)
  if (within) return lookup.lookUp(ctx, services, within)
  if (!person && readRequest(text)) {
    ctx.talk.say(refusalTexts.needAccount)
    return
  }
  await notUnderstood(ctx, services)
}

const notUnderstood = async (ctx: BotContext, services: Services): Promise<void> => {
  if (await enquiry.isRepeat(ctx, services)) return
  const isMember = (await personOf(ctx, services)) !== null
  const rows = isMember ? [] : await followedKeys(services.store, ctx.talk.chatId)
  ctx.talk.say({ text: refusalTexts.notUnderstood(isMember), rows })
}

const press = async (ctx: BotContext, services: Services, data: string): Promise<void> => {
  const button = decodeButton(data)
  if (!button) {
    await services.security.note({ kind: 'forged_press', accountId: null, userId: ctx.from?.id ?? null })
    ctx.talk.toast(refusalTexts.outdatedButton, true)
    return
  }
  await carryOut(ctx, services, button)
}

const carryOut = (ctx: BotContext, services: Services, button: Button): Promise<void> => {
  switch (button.do) {
    case 'home':
      return home.showHome(ctx, services)
    case 'leave':
      return home.leaveByButton(ctx, services)
    case 'help':
      return home.showHelp(ctx, services, button.topic ?? null)
    case 'connect':
      return connect.connect(ctx, services)
    case 'disconnect':
      return disconnect.answerDisconnect(ctx, services, button.accountId, button.when)
    case 'switch':
      return connect.answerSwitch(ctx, services, button.sure, new Date(button.untilMs))
    case 'networks':
      return buy.showNetworks(ctx, services, null)
    case 'all_networks':
      return buy.showNetworks(ctx, services, null, true)
    case 'bulk_networks':
      return bulk.allNetworks(ctx, services)
    case 'networks_for':
      return buy.showNetworks(ctx, services, button.phone)
    case 'bundles':
      return buy.showBundles(ctx, services, button.network, null, button.page)
    case 'bundles_for':
      return buy.showBundles(ctx, services, button.network, button.phone, button.page)
    case 'bundle':
      return buy.chooseByButton(ctx, services, button.bundleId, button.phone, false)
    case 'keep':
      return buy.chooseByButton(ctx, services, button.bundleId, button.phone, true)
    case 'prices':
      return buy.showPrices(ctx, services, button.network)
    case 'selling':
      return selling.press(ctx, services, button.act)
    case 'confirm':
      return order.confirm(ctx, services, button.purchaseId, button.after)
    case 'cancel':
      return order.cancel(ctx, services, button.purchaseId)
    case 'judge':
      return order.judge(ctx, services, button.orderId, button.charged)
    case 'send_anyway':
      return order.sendAnyway(ctx, services, button.orderId)
    case 'refresh':
      return order.refresh(ctx, services, button.orderId)
    case 'open':
      return order.openOrder(ctx, services, button.orderId)
    case 'again':
      return order.again(ctx, services, button.orderId, button.nonce)
    case 'share':
      return order.share(ctx, services, button.orderId)
    case 'report':
      return order.report(ctx, services, button.orderId)
    case 'follow':
      return lookup.follow(ctx, services, button.orderId, true)
    case 'unfollow':
      return lookup.follow(ctx, services, button.orderId, false)
    case 'look':
      return lookup.look(ctx, services, button.orderId)
    case 'open_shared':
      return lookup.openShared(ctx, services, button.orderId)
    case 'enquiry':
      return enquiry.press(ctx, services, button.act)
    case 'bulk':
      return bulk.bulk(ctx, services)
    case 'bulk_bundles':
      return bulk.bundles(ctx, services, button.network, button.page)
    case 'bulk_bundle':
      return bulk.chooseBundle(ctx, services, button.bundleId)
    case 'list':
      return bulk.press(ctx, services, button.purchaseId, button.act)
    case 'orders':
      return history.showOrders(ctx, services, button.page, button.filter ?? noFilter)
    case 'search_orders':
      return history.askSearch(ctx, services)
    case 'balance':
      return wallet.balance(ctx, services)
    case 'transactions':
      return entries.entries(ctx, services, button.wish)
    case 'export':
      return exporting.press(ctx, services, button.act)
    case 'customers':
      return customers.press(ctx, services, button.act)
    case 'agents':
      return agents.press(ctx, services, button.act)
    case 'settings':
      return settings.press(ctx, services, button.act)
    case 'stats':
      return stats.stats(ctx, services, button.period)
    case 'admin':
      return admin.admin(ctx, services)
    case 'invite':
      return admin.invite(ctx, services)
    case 'operator':
      return admin.press(ctx, services, button.act)
  }
}

/** In groups only what a stranger may see of an order has buttons. */
const pressInGroup = async (ctx: BotContext, services: Services, data: string): Promise<void> => {
  const button = decodeButton(data)
  if (button?.do === 'follow' || button?.do === 'unfollow' || button?.do === 'look') {
    return carryOut(ctx, services, button)
  }
  ctx.talk.toast(refusalTexts.groupOnly)
}
