import type { BotCommandScope } from 'grammy/types'
import { z } from 'zod'
import type { Command } from '../control/control.ts'
import { chatIdOf } from '../messages/messages.ts'
import { badRequest } from '../refusal.ts'
import type { ChatRecord, World } from '../world.ts'
import type { Parameters } from './parameters.ts'

const Commands = z.array(z.object({ command: z.string(), description: z.string() }))
const Scope = z.object({
  type: z.string(),
  chat_id: z.coerce.number().optional(),
  user_id: z.coerce.number().optional(),
})
type ProfileText = 'name' | 'description' | 'short_description'
/** In UTF-16 units. */
const longest: Readonly<Record<ProfileText, number>> = { name: 64, description: 512, short_description: 120 }
const languages = /^([a-z]{2})?$/

/** What the bot shows of itself: its menu for each scope and language, its name and descriptions, its menu button. */
export class Profile {
  #world: World
  #commands = new Map<string, Command[]>()
  /** The bot's texts, by kind and language. */
  #texts = new Map<string, string>()
  #menuButtons = new Map<number, unknown>()

  constructor(world: World) {
    this.#world = world
  }

  /** Removes the menus and buttons of single chats. */
  forgetChats(): void {
    for (const key of this.#commands.keys()) if (key.includes(':')) this.#commands.delete(key)
    for (const chat of this.#menuButtons.keys()) if (chat !== 0) this.#menuButtons.delete(chat)
  }

  setCommands(parameters: Parameters): true {
    const commands = Commands.safeParse(parameters.json('commands'))
    if (!commands.success) throw badRequest("can't parse commands JSON object")
    commands.data.forEach(checkCommand)
    if (commands.data.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH')
    return this.#keepCommands(parameters, commands.data)
  }

  deleteCommands(parameters: Parameters): true {
    return this.#keepCommands(parameters, [])
  }

  getCommands(parameters: Parameters): Command[] {
    return this.#commands.get(this.#key(parameters)) ?? []
  }

  /**
   * The menu of a chat: the one that was set for this chat; if there is none, that for chats of its kind; if there
   * is none either, the default. Each of them is first looked up in the person's language.
   */
  commandsIn({ chat }: ChatRecord): Command[] {
    const language = this.#world.people.get(chat.id)?.language_code
    const kind = chat.type === 'private' ? 'all_private_chats' : 'all_group_chats'
    return this.#firstOf([`chat:${chat.id}`, kind, 'default'], language)
  }

  /** The menu of private chats for which no other menu was set. */
  get commands(): Command[] {
    return this.#firstOf(['all_private_chats', 'default'], undefined)
  }

  setText(kind: ProfileText, parameters: Parameters): true {
    const text = parameters.text(kind)
    const language = languageOf(parameters)
    if (text.length > longest[kind]) throw badRequest(`${kind.toUpperCase()}_TOO_LONG`)
    if (kind === 'name' && language === '') this.#world.renameBot(text)
    else this.#texts.set(`${kind}:${language}`, text)
    return true
  }

  getText(kind: ProfileText, parameters: Parameters) {
    const text = this.#texts.get(`${kind}:${languageOf(parameters)}`) ?? ''
    return { [kind]: text === '' && kind === 'name' ? this.#world.bot.first_name : text }
  }

  setMenuButton(parameters: Parameters): true {
    const chat = parameters.has('chat_id') ? chatIdOf(parameters) : 0
    if (chat !== 0) this.#world.knownChat(chat)
    this.#menuButtons.set(chat, parameters.json('menu_button') ?? { type: 'default' })
    return true
  }

  getMenuButton(parameters: Parameters): unknown {
    const own = this.#menuButtons.get(parameters.integer('chat_id') ?? 0)
    return own ?? this.#menuButtons.get(0) ?? { type: 'commands' }
  }

  #keepCommands(parameters: Parameters, commands: Command[]): true {
    const key = this.#key(parameters)
    if (commands.length > 0) this.#commands.set(key, commands)
    else this.#commands.delete(key)
    const ofOne = /^chat:(-?\d+)\//.exec(key)?.[1]
    if (ofOne === undefined) this.#tellAll()
    else this.#tell(this.#world.knownChat(Number(ofOne)))
    return true
  }

  #tellAll(): void {
    this.#world.tell({ type: 'commands', commands: this.commands })
    for (const record of this.#world.chats.values()) this.#tell(record)
  }

  #tell(record: ChatRecord): void {
    this.#world.tell({ type: 'commands', commands: this.commandsIn(record), chat: record.chat.id })
  }

  #firstOf(scopes: string[], language: string | undefined): Command[] {
    const keys = scopes.flatMap((scope) => (language ? [`${scope}/${language}`, `${scope}/`] : [`${scope}/`]))
    const found = keys.find((key) => this.#commands.has(key))
    return found ? (this.#commands.get(found) ?? []) : []
  }

  #key(parameters: Parameters): string {
    return `${this.#scope(parameters)}/${languageOf(parameters)}`
  }

  #scope(parameters: Parameters): string {
    const given = parameters.json('scope')
    if (given === undefined) return 'default'
    const scope = Scope.safeParse(given)
    if (!scope.success) throw badRequest("can't parse BotCommandScope: expected an Object")
    const { type, chat_id = 0, user_id } = scope.data
    if (!isScopeType(type)) throw badRequest("can't parse BotCommandScope: Unsupported type specified")
    if (!isOfOneChat(type)) return type
    const { chat } = this.#world.knownChat(this.#startedChat(chat_id))
    return [type, chat.id, user_id].filter((part) => part !== undefined).join(':')
  }

  /**
   * The id of a chat that a person has started. Bots can set the menu only of such chats.
   * @throws {Refusal} for any other chat
   */
  #startedChat(id: number): number {
    if (!this.#world.chats.has(id)) throw badRequest('chat not found')
    return id
  }
}

const scopeTypes: BotCommandScope['type'][] = [
  'default',
  'all_private_chats',
  'all_group_chats',
  'all_chat_administrators',
  'chat',
  'chat_administrators',
  'chat_member',
]

function isScopeType(type: string): type is BotCommandScope['type'] {
  return scopeTypes.some((known) => known === type)
}

function isOfOneChat(type: BotCommandScope['type']): boolean {
  return type === 'chat' || type === 'chat_administrators' || type === 'chat_member'
}

function checkCommand({ command, description }: Command): void {
  if (!/^\/?[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID')
  if (description.length < 1 || description.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
}

function languageOf(parameters: Parameters): string {
  const language = parameters.text('language_code')
  if (!languages.test(language)) throw badRequest('language code is invalid')
  return language
}

/** `getChat` */
export function describeChat(world: World, parameters: Parameters) {
  const { chat } = world.knownChat(chatIdOf(parameters))
  const common = { accent_color_id: 0, max_reaction_count: 11, accepted_gift_types: noGifts }
  if (chat.type !== 'private') return { ...chat, ...common, permissions: memberPermissions }
  return { ...chat, ...common, ...(chat.username ? { active_usernames: [chat.username] } : {}) }
}

const noGifts = {
  unlimited_gifts: false,
  limited_gifts: false,
  unique_gifts: false,
  premium_subscription: false,
  gifts_from_channels: false,
}
const memberPermissions = { can_send_messages: true, can_send_documents: true, can_send_photos: true }
