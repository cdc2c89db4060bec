import { createHash } from 'node:crypto'
import { type Api, GrammyError } from 'grammy'
import type { BotCommand } from 'grammy/types'
import type { Store } from '../../store/store.ts'
import { agentMenu, commandMenu } from './command-menu-words.ts'

/** The commands that Telegram shows in its menu. Members and operators have longer menus than strangers. */
export interface CommandMenu {
  /**
   * Sets the menus of all chats, and those of the operators whom Telegram knows. It also takes back menus left with
   * people who belong to no account any more, for example because the bot was killed too early.
   */
  publish(): Promise<void>
  /**
   * Gives a private chat the menu that its user is to have. It costs a request only if the chat was last given another.
   * @param known what decides on the menu, if it was read just now.
   */
  greet(userId: number, known?: MenuFacts | null): Promise<void>
}

/** What decides on a private chat's menu: the one that it has, and its user's role. */
type MenuFacts = Awaited<ReturnType<Store['menus']['of']>>

/** The facts that decide which commands somebody has. */
export interface MenuReader {
  role: 'owner' | 'agent' | null
  isOperator: boolean
}

/** The commands of a chat; null: those of strangers, which every private chat has. */
export const commandsFor = ({ role, isOperator }: MenuReader): BotCommand[] | null => {
  if (role === null && !isOperator) return null
  return entries([...rowsOf(role), ...(isOperator ? commandMenu.operators : [])])
}

/** The members' commands that agents do not have. */
const ownersOnly: readonly string[] = ['agents']

const rowsOf = (role: MenuReader['role']): readonly MenuRow[] => {
  switch (role) {
    case null:
      return commandMenu.strangers
    case 'owner':
      return commandMenu.members
    case 'agent':
      return commandMenu.members.filter(([command]) => !ownersOnly.includes(command)).flatMap(asForAgents)
  }
}

type MenuRow = readonly [command: string, description: string]

/** Agents have no wallet to look into, and some commands show them other things. */
const asForAgents = ([command, description]: MenuRow): MenuRow[] => {
  const word = agentMenu[command]
  return word === null ? [] : [[command, word ?? description]]
}

/** The collaborators of the menus. */
export interface CommandMenuOptions {
  api: Pick<Api, 'setMyCommands' | 'deleteMyCommands'>
  store: Pick<Store, 'menus'>
  operatorIds: readonly number[]
  now: () => Date
  /** Called with the error if a menu could not be set. */
  onTrouble: (error: unknown) => void
  /** Called for an operator who never wrote to the bot: Telegram knows no chat with them yet. */
  onUnmetOperator: (userId: number) => void
}

/** Remembers in the database which menu each chat was given. */
export const createCommandMenu = (options: CommandMenuOptions): CommandMenu => {
  const { api, store, operatorIds, now, onTrouble, onUnmetOperator } = options

  /** @returns whether the chat had another menu before. */
  const give = async (chatId: number, known: MenuFacts | null): Promise<boolean> => {
    // The id of a private chat is its user's.
    const { menu, role } = known ?? (await store.menus.of(chatId))
    const commands = commandsFor({ role, isOperator: operatorIds.includes(chatId) })
    const name = commands && nameOf(commands)
    if (menu === name) return false
    const scope = { type: 'chat', chat_id: chatId } as const
    if (commands) await api.setMyCommands(commands, { scope })
    else await api.deleteMyCommands({ scope })
    await store.menus.remember(chatId, name, now())
    return true
  }

  const greet = async (chatId: number, known: MenuFacts | null = null): Promise<void> => {
    try {
      // Looked at once more: if two processes give a menu at the same time, the one with the older facts may come last.
      for (let tries = 1; tries <= maxTries && (await give(chatId, tries === 1 ? known : null)); tries += 1);
    } catch (error) {
      if (operatorIds.includes(chatId) && isUnknownChat(error)) onUnmetOperator(chatId)
      else onTrouble(error)
    }
  }

  return {
    publish: async () => {
      const strangers = entries(commandMenu.strangers)
      const status = strangers.filter(({ command }) => command === 'status')
      await api.setMyCommands(strangers, { scope: { type: 'all_private_chats' } }).catch(onTrouble)
      await api.setMyCommands(status, { scope: { type: 'all_group_chats' } }).catch(onTrouble)
      // An operator whom Telegram refuses gets the menu when they write.
      for (const id of operatorIds) await greet(id)
      for (const id of await store.menus.ofStrangers(maxTakenBack)) {
        if (!operatorIds.includes(id)) await greet(id)
      }
    },
    greet,
  }
}

const isUnknownChat = (error: unknown): boolean =>
  error instanceof GrammyError && /chat not found/i.test(error.description)

const maxTries = 3

/** The remaining menus are taken back at the next start, or when their people write. */
const maxTakenBack = 500

const entries = (rows: readonly MenuRow[]): BotCommand[] =>
  rows.map(([command, description]) => ({ command, description }))

/** A menu with other words has another name, so that a change by a later version is noticed. */
const nameOf = (commands: BotCommand[]): string =>
  createHash('sha256').update(JSON.stringify(commands)).digest('base64url').slice(0, 12)
