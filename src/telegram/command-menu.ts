import type { Api } from 'grammy'
import { commandMenu } from './texts.ts'

/** The commands that Telegram shows in its menu, which operators have longer than others. */
export interface CommandMenu {
  /** Sets the menus of all chats, and of the operators' as far as Telegram knows these. */
  publish(): Promise<void>
  /** Somebody wrote: an operator who has no menu yet gets it now. */
  greet(userId: number): Promise<void>
}

/** @param onTrouble told of a menu that could not be set. */
export const createCommandMenu = (
  api: Api,
  operatorIds: readonly number[],
  onTrouble: (error: unknown) => void,
): CommandMenu => {
  const everyone = entries(commandMenu.everyone)
  const operators = [...everyone, ...entries(commandMenu.operators)]
  /** Telegram knows no chat with somebody who never wrote to the bot, and refuses a menu for it. */
  const without = new Set(operatorIds)

  const give = async (id: number): Promise<void> => {
    without.delete(id)
    try {
      await api.setMyCommands(operators, { scope: { type: 'chat', chat_id: id } })
    } catch (error) {
      without.add(id)
      onTrouble(error)
    }
  }

  return {
    publish: async () => {
      const status = everyone.filter(({ command }) => command === 'status')
      await api.setMyCommands(everyone, { scope: { type: 'all_private_chats' } }).catch(onTrouble)
      await api.setMyCommands(status, { scope: { type: 'all_group_chats' } }).catch(onTrouble)
      for (const id of operatorIds) await give(id)
    },
    greet: async (userId) => {
      if (without.has(userId)) await give(userId)
    },
  }
}

const entries = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([command, description]) => ({ command, description }))
