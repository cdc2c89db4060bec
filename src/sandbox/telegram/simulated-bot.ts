import type { UserFromGetMe } from 'grammy/types'
import { z } from 'zod'
import { FloodGate, type FloodLimits, realisticLimits } from './bot-api/flood.ts'
import { BotMethods } from './bot-api/methods.ts'
import { Parameters } from './bot-api/parameters.ts'
import { BotPresence } from './bot-api/presence.ts'
import { Profile } from './bot-api/profile.ts'
import { CallbackQueries } from './bot-api/queries.ts'
import { UpdateQueue } from './bot-api/updates.ts'
import { Webhook } from './bot-api/webhook.ts'
import { History } from './control/chat-log.ts'
import type { ChatState, Person } from './control/control.ts'
import { EventStreams } from './control/event-stream.ts'
import { Conditions, summaryOf } from './control/waiting.ts'
import { Faults } from './faults.ts'
import { FileStore } from './messages/files.ts'
import { People } from './people.ts'
import { ControlRefusal } from './refusal.ts'
import { Delays, type TelegramOptions, type TelegramSimulator } from './simulator.ts'
import { type ChatRecord, World } from './world.ts'

const botId = 7_000_000_001
const firstUpdateId = 200_000_001

const sandboxPeople: readonly Person[] = [
  personOf(700_000_001, 'Reseller', 'reseller'),
  personOf(700_000_002, 'Agent', 'agent'),
  personOf(700_000_003, 'Customer', 'customer'),
  personOf(700_000_004, 'Operator', 'operator'),
]

function personOf(id: number, name: string, role: Person['role']): Person {
  const phoneNumber = `+23355${String(id % 10_000_000).padStart(7, '0')}`
  return { id, is_bot: false, first_name: name, language_code: 'en', role, blocked: false, phoneNumber }
}

/** The simulated bot with its people and chats, and the parts that its HTTP routes need. */
export interface SimulatedBot {
  simulator: TelegramSimulator
  methods: BotMethods
  files: FileStore
  streams: EventStreams
}

/** @param closeServer called when the bot's own waits have ended */
export function simulateBot(options: TelegramOptions, closeServer: () => Promise<void>): SimulatedBot {
  const now = options.now ?? Date.now
  const bot = botUser(options)
  const world = new World(bot, options.people ?? sandboxPeople, now, options.firstMessageId)
  const files = new FileStore()
  const history = new History(bot.id, now)
  world.listen((event) => history.hear(event))
  const queue = new UpdateQueue(firstUpdateId)
  const queries = new CallbackQueries(world, options.answerableForMs ?? 60_000)
  const faults = new Faults()
  const profile = new Profile(world)
  const delays = new Delays()
  const people = new People(world, queue, queries, files)
  const webhook = new Webhook(queue, {
    retryMs: options.webhookRetryMs ?? 1000,
    now,
    reply: (body) => runReply(methods, body),
  })
  const presence = new BotPresence(webhook, (isBotConnected) =>
    world.tell({ type: 'connection', isBotConnected }),
  )
  const writing = { world, files, flood: new FloodGate(limitsOf(options.flood), now) }
  const methods: BotMethods = new BotMethods({
    writing,
    queue,
    webhook,
    queries,
    profile,
    presence,
    faults,
    delay: delays.wait,
    onLost: (chat, messageId) => history.lose(chat, messageId),
  })
  const conditions = new Conditions()
  const streams = new EventStreams()
  world.listen((event) => {
    streams.send(event)
    conditions.recheck()
  })
  methods.whenCalled(() => conditions.recheck())

  const chatState = (record: ChatRecord) => stateOf(record, profile)
  const simulator: TelegramSimulator = {
    url: '',
    token: options.token ?? `${bot.id}:AAsandbox-token-of-no-telegram-bot_`,
    controlUrl: '',
    pageUrl: '',
    say: (said) => people.say(said),
    press: (press) => {
      history.press(press)
      return people.press(press)
    },
    drop: (dropped) => people.drop(dropped),
    sendContact: (card) => people.sendContact(card),
    sendOther: (other) => people.sendOther(other),
    openLink: (from, url) => people.openLink(from, url),
    block: (id, blocked) => people.block(id, blocked),
    deleteMessage: (deletion) => people.deleteMessage(deletion),
    addPerson: (partial = {}) => addPerson(world, partial),
    openChat: (id) => void world.chatFor(world.person(id)),
    addGroup: ({ title, members }) => people.addGroup(title, members),
    migrateGroup: (id) => people.migrateGroup(id),
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    redeliver: (which = {}) => redeliver(queue, which),
    messages: (chat) => [...(world.chats.get(chat)?.messages.values() ?? [])],
    deleted: (chat) => [...(world.chats.get(chat)?.deleted ?? [])],
    chat: (id) => chatState(existingChat(world, id)),
    fileBytes: (fileId) => files.byId(fileId)?.bytes,
    state: () => ({
      bot,
      people: [...world.people.values()],
      chats: [...world.chats.values()].map(chatState),
      commands: profile.commands,
      isBotConnected: presence.isHere,
    }),
    calls: (method) => methods.calls.filter((call) => method === undefined || call.method === method),
    history: () => ({ isPaced: options.flood !== false, entries: structuredClone(history.entries) }),
    answers: (queryId) => queries.answerOf(queryId),
    on: (listener) => world.listen(listener),
    waitFor: (what, { timeoutMs = 60_000, message = 'Waiting' } = {}) =>
      conditions.until(what, { timeoutMs, message, describe: () => describeChats(world) }),
    reset: () => {
      for (const part of [files, history, queries, faults, writing.flood]) part.clear()
      world.reset()
      queue.forget()
      profile.forgetChats()
      methods.calls.length = 0
      // The pages reconnect when their streams are closed, and then read everything again.
      streams.close()
    },
    stop: async () => {
      presence.close()
      webhook.close()
      queue.close()
      delays.close()
      streams.close()
      await closeServer()
    },
  }

  return { simulator, methods, files, streams }
}

function botUser({ bot, token }: TelegramOptions): UserFromGetMe {
  return {
    id: token ? Number(token.split(':')[0]) : botId,
    first_name: 'Bundlegram',
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
    ...bot,
    username: bot?.username ?? 'bundlegram_sandbox_bot',
    is_bot: true,
  }
}

function limitsOf(flood: false | Partial<FloodLimits> | undefined): FloodLimits | undefined {
  return flood === false ? undefined : { ...realisticLimits, ...flood }
}

function addPerson(world: World, partial: Partial<Person>): Person {
  const id = partial.id ?? Math.max(700_000_000, ...world.people.keys()) + 1
  const person = { ...personOf(id, `Person ${id % 1000}`, 'customer'), ...partial, id }
  world.people.set(id, person)
  world.tell({ type: 'person', person })
  return person
}

function redeliver(
  queue: UpdateQueue,
  { updateId, asNew = false }: { updateId?: number; asNew?: boolean },
): void {
  const update = queue.history.findLast(({ update_id }) => updateId === undefined || update_id === updateId)
  if (!update) throw new ControlRefusal(404, 'There is no such update.')
  queue.redeliver(update, asNew)
}

function existingChat(world: World, id: number): ChatRecord {
  const record = world.chats.get(id)
  if (!record) throw new ControlRefusal(404, `There is no chat ${id}.`)
  return record
}

function stateOf(record: ChatRecord, profile: Profile): ChatState {
  const { chat, messages, deleted, silent, keyboard } = record
  return {
    id: chat.id,
    type: chat.type,
    title: chat.type === 'private' ? chat.first_name : chat.title,
    messages: [...messages.values()],
    deleted: [...deleted],
    silent: [...silent],
    commands: profile.commandsIn(record),
    ...(keyboard ? { keyboard } : {}),
  }
}

function describeChats(world: World): string {
  const chats = [...world.chats.values()]
  const lines = chats.flatMap(({ chat, messages }) => [
    `Chat ${chat.id}:`,
    ...[...messages.values()].slice(-20).map((message) => `  ${summaryOf(message)}`),
  ])
  return lines.length > 0 ? lines.join('\n') : 'No chat was opened.'
}

const Reply = z.looseObject({ method: z.string() })

/** Runs the method with which the bot answered an update, if there is one. */
function runReply(methods: BotMethods, body: unknown): void {
  const reply = Reply.safeParse(body)
  if (!reply.success) return
  const { method, ...fields } = reply.data
  void methods.run({ method, parameters: Parameters.of(fields), gone: new AbortController().signal })
}
