import { createHash } from 'node:crypto'
import { type Api, GrammyError } from 'grammy'
import type { BotCommand } from 'grammy/types'
import type { WholeStore } from '../store/store.ts'
import { agentMenu } from './texts/agent.ts'
import { commandMenu } from './texts/command-menu.ts'

/** The commands that Telegram shows in its menu: members and operators have longer ones than strangers. */
export interface CommandMenu {
  /**
   * Sets the menus of all chats, and of the operators' as far as Telegram knows these; and takes back what was left
   * in chats of people who belong to no account any more, as when the bot was killed before it could.
   */
  publish(): Promise<void>
  /**
   * Sees to it that a private chat has the menu of what its user is. It costs a request only where that is another
   * than the chat was given last, by this version of the bot or an earlier one.
   */
  greet(userId: number): Promise<void>
}

/** What decides which commands somebody has. */
export interface Standing {
  role: 'owner' | 'agent' | null
  isOperator: boolean
}

/** The commands of a chat; null: those that every private chat has. */
export const commandsFor = ({ role, isOperator }: Standing): BotCommand[] | null => {
  const rows = [
    ...commandMenu.everyone,
    ...(role === null ? [] : commandMenu.members),
    ...(role === 'owner' ? commandMenu.owners : []),
    ...(isOperator ? commandMenu.operators : []),
  ]
  if (rows.length === commandMenu.everyone.length) return null
  return entries(role === 'agent' ? rows.flatMap(asForAgents) : rows)
}

type Row = readonly [command: string, description: string]

/** Agents have no wallet to look into, and some of what they have is another's. */
const asForAgents = ([command, description]: Row): Row[] => {
  const word = agentMenu[command]
  return word === null ? [] : [[command, word ?? description]]
}

export interface CommandMenuOptions {
  api: Pick<Api, 'setMyCommands' | 'deleteMyCommands'>
  store: Pick<WholeStore, 'accounts' | 'menus'>
  operatorIds: readonly number[]
  now: () => Date
  /** Told of a menu that could not be set. */
  onTrouble: (error: unknown) => void
  /** Told of an operator who never wrote to the bot: Telegram knows no chat with them yet. */
  onUnmetOperator: (userId: number) => void
}

export const createCommandMenu = (options: CommandMenuOptions): CommandMenu => {
  const { api, store, operatorIds, now, onTrouble, onUnmetOperator } = options

  const menuOf = async (userId: number): Promise<BotCommand[] | null> => {
    const role = (await store.accounts.member(userId))?.role ?? null
    return commandsFor({ role, isOperator: operatorIds.includes(userId) })
  }

  /** @returns whether the chat had another menu before. */
  const give = async (chatId: number): Promise<boolean> => {
    const commands = await menuOf(chatId)
    const name = commands && nameOf(commands)
    if ((await store.menus.of(chatId)) === name) return false
    const scope = { type: 'chat', chat_id: chatId } as const
    if (commands) await api.setMyCommands(commands, { scope })
    else await api.deleteMyCommands({ scope })
    await store.menus.remember(chatId, name, now())
    return true
  }

  const greet = async (chatId: number): Promise<void> => {
    try {
      // Looked at once more: of two that give at the same time the one with the older news may come last.
      for (let tries = 1; tries <= mostTries && (await give(chatId)); tries += 1);
    } catch (error) {
      if (operatorIds.includes(chatId) && isUnknownChat(error)) onUnmetOperator(chatId)
      else onTrouble(error)
    }
  }

  return {
    publish: async () => {
      const everyone = entries(commandMenu.everyone)
      const status = everyone.filter(({ command }) => command === 'status')
      await api.setMyCommands(everyone, { scope: { type: 'all_private_chats' } }).catch(onTrouble)
      await api.setMyCommands(status, { scope: { type: 'all_group_chats' } }).catch(onTrouble)
      // An operator who is refused gets the menu when they write.
      for (const id of operatorIds) await greet(id)
      for (const id of await store.menus.ofStrangers(mostTakenBack)) {
        if (!operatorIds.includes(id)) await greet(id)
      }
    },
    greet,
  }
}

const isUnknownChat = (error: unknown): boolean =>
  error instanceof GrammyError && /chat not found/i.test(error.description)

const mostTries = 3

/** The rest is taken back at the next start, or when they write. */
const mostTakenBack = 500

const entries = (rows: readonly Row[]): BotCommand[] =>
  rows.map(([command, description]) => ({ command, description }))

/** A menu with other words has another name, so that a later version is noticed. */
const nameOf = (commands: BotCommand[]): string =>
  createHash('sha256').update(JSON.stringify(commands)).digest('base64url').slice(0, 12)
