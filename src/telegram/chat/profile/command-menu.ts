import { createHash } from 'node:crypto'
import { type Api, GrammyError } from 'grammy'
import type { BotCommand } from 'grammy/types'
import type { Store } from '../../../store/store.ts'
import { agentMenu, commandMenu } from './command-menu-words.ts'

/** The commands that Telegram shows in its menu. Members and operators have longer menus than strangers. */
export interface CommandMenu {
  /**
   * Sets the menu of all chats, and the menus of the operators whom Telegram knows. It also removes menus from people
   * who no longer belong to an account, for example if the bot was killed before it could.
   */
  publish(): Promise<void>
  /**
   * Sets the menu of a private chat to suit its user. It makes a call only if the chat has another menu.
   * @param known what decides which menu it is, if that was read just now.
   */
  greet(userId: number, known?: MenuFacts | null): Promise<void>
}

/** What decides which menu a private chat gets: the menu that it has, and its user's role. */
type MenuFacts = Awaited<ReturnType<Store['menus']['of']>>

export interface MenuReader {
  role: 'owner' | 'agent' | null
  isOperator: boolean
}

/** The commands of a chat's own menu; null: none, so that Telegram shows the strangers' menu. */
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

/** The row of a command in an agent's menu: left out, or with other words. */
const asForAgents = ([command, description]: MenuRow): MenuRow[] => {
  const word = agentMenu[command]
  return word === null ? [] : [[command, word ?? description]]
}

export interface CommandMenuOptions {
  api: Pick<Api, 'setMyCommands' | 'deleteMyCommands'>
  store: Pick<Store, 'menus'>
  operatorIds: readonly number[]
  now: () => Date
  /** Called with the error if a menu could not be set. */
  onTrouble: (error: unknown) => void
  /** Called for an operator who has never written to the bot, so that Telegram knows no chat with them. */
  onUnmetOperator: (userId: number) => void
}

/** Records in the database which menu each chat has. */
export const createCommandMenu = (options: CommandMenuOptions): CommandMenu => {
  const { api, store, operatorIds, now, onTrouble, onUnmetOperator } = options

  /** @returns whether the chat had another menu before. */
  const give = async (chatId: number, known: MenuFacts | null): Promise<boolean> => {
    // A private chat has the same id as its user.
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
      // Reads again after a change, because if two processes set a menu at the same time, the one with the older facts
      // may set it last.
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
      // An operator whom Telegram does not know yet gets the menu when they write.
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

/** How many menus a start removes at most. The rest are removed at the next start, or when their users write. */
const maxTakenBack = 500

const entries = (rows: readonly MenuRow[]): BotCommand[] =>
  rows.map(([command, description]) => ({ command, description }))

/** A hash of the menu's words, by which a later version finds that its menu differs and must be set again. */
const nameOf = (commands: BotCommand[]): string =>
  createHash('sha256').update(JSON.stringify(commands)).digest('base64url').slice(0, 12)
