import { GrammyError } from 'grammy'
import type { BotCommand } from 'grammy/types'
import { expect, test } from 'vitest'
import {
  type CommandMenuOptions,
  commandsFor,
  createCommandMenu,
} from '../../../../src/telegram/chat/profile/command-menu.ts'
import { agentMenu, commandMenu } from '../../../../src/telegram/chat/profile/command-menu-words.ts'

const names = (commands: BotCommand[] | null) => commands?.map(({ command }) => command) ?? null

/** A menu with its own simulated Telegram and database. */
const stage = (operatorIds: readonly number[] = []) => {
  const asked: (string[] | null)[] = []
  const roles = new Map<number, 'owner' | 'agent'>()
  const given = new Map<number, string | null>()
  const troubles: unknown[] = []
  const unmet: number[] = []
  let refusal: Error | null = null
  const ask = async (commands: string[] | null): Promise<true> => {
    if (refusal) throw refusal
    asked.push(commands)
    return true
  }
  const options = {
    api: {
      setMyCommands: (commands: BotCommand[]) => ask(names(commands)),
      deleteMyCommands: () => ask(null),
    },
    store: {
      menus: {
        of: async (chatId: number) => ({
          menu: given.get(chatId) ?? null,
          role: roles.get(chatId) ?? null,
        }),
        remember: async (chatId: number, menu: string | null) => void given.set(chatId, menu),
        ofStrangers: async () => [...given].flatMap(([id, menu]) => (menu && !roles.has(id) ? id : [])),
      },
    },
    operatorIds,
    now: () => new Date(),
    onTrouble: (error: unknown) => troubles.push(error),
    onUnmetOperator: (userId: number) => unmet.push(userId),
  } as unknown as CommandMenuOptions
  const refuse = (error: Error | null) => {
    refusal = error
  }
  return { menu: createCommandMenu(options), asked, roles, given, troubles, unmet, refuse }
}

const memberCommands = commandMenu.members.map(([name]): string => name)

test('every command is in a menu once, with a description valid for Telegram', () => {
  for (const rows of Object.values(commandMenu)) {
    expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length)
    for (const [name, words] of rows) {
      expect(name).toMatch(/^[a-z]{1,32}$/)
      expect(words.length).toBeLessThanOrEqual(60)
    }
  }
  expect(memberCommands.toSorted()).toEqual(
    'agents balance bulk bundles buy cancel connect customers disconnect export help orders prices settings start stats status transactions'.split(
      ' ',
    ),
  )
})

test('strangers have four commands in the menu, members those of their role, and operators also /admin', () => {
  const menuOf = (role: 'owner' | 'agent' | null, isOperator = false) =>
    names(commandsFor({ role, isOperator }))
  const strangers = commandMenu.strangers.map(([name]) => name)
  expect(strangers).toEqual(['start', 'status', 'connect', 'help'])
  expect(menuOf(null)).toBeNull()
  expect(menuOf(null, true)).toEqual([...strangers, 'admin'])
  expect(menuOf('owner')).toEqual(memberCommands)
  expect(menuOf('owner', true)).toEqual([...memberCommands, 'admin'])
  const agents = commandsFor({ role: 'agent', isOperator: false }) ?? []
  expect(memberCommands.filter((name) => !names(agents)?.includes(name))).toEqual(['transactions', 'agents'])
  for (const [name, words] of Object.entries(agentMenu)) {
    expect(agents.find(({ command }) => command === name)?.description ?? null).toBe(words)
    expect(words?.length ?? 0).toBeLessThanOrEqual(60)
  }
})

test('a chat’s command menu is sent to Telegram only when it changes', async () => {
  const { menu, asked, roles } = stage()
  await menu.greet(7)
  expect(asked).toEqual([])
  roles.set(7, 'owner')
  await menu.greet(7)
  await menu.greet(7)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('agents')
  roles.set(7, 'agent')
  await menu.greet(7)
  await menu.greet(7)
  expect(asked).toHaveLength(2)
  expect(asked[1]).not.toContain('agents')
  roles.delete(7)
  await menu.greet(7)
  await menu.greet(7)
  expect(asked.slice(2)).toEqual([null])
})

test('a chat’s menu and role are not read again if they were just read', async () => {
  const { menu, asked, roles, given } = stage()
  roles.set(7, 'owner')
  await menu.greet(7, { menu: null, role: null })
  expect(asked).toEqual([])
  await menu.greet(7, { menu: null, role: 'owner' })
  expect(asked).toHaveLength(1)
  // The person has become an agent since.
  roles.set(7, 'agent')
  given.set(7, null)
  await menu.greet(7, { menu: null, role: 'owner' })
  expect(asked).toHaveLength(3)
  expect(asked[2]).not.toContain('agents')
})

test('a command menu of an earlier version is replaced at the chat’s next message', async () => {
  const { menu, asked, roles, given } = stage()
  roles.set(7, 'owner')
  given.set(7, 'of earlier')
  await menu.greet(7)
  expect(asked).toHaveLength(1)
})

test('if two updates of a chat come at the same time, its command menu follows the newer role', async () => {
  const { menu, asked, roles } = stage()
  roles.set(7, 'owner')
  const first = menu.greet(7)
  roles.set(7, 'agent')
  await Promise.all([first, menu.greet(7)])
  expect(asked.at(-1)).not.toContain('agents')
})

test('a chat whose command menu could not be sent gets it at its next message', async () => {
  const { menu, asked, troubles, refuse } = stage([1])
  refuse(new Error('no answer'))
  await menu.publish()
  expect(troubles).toHaveLength(3)
  refuse(null)
  await menu.greet(1)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('admin')
})

test('an operator who never wrote to the bot is logged as having no chat, and not as a failure', async () => {
  const { menu, roles, troubles, unmet, refuse } = stage([1])
  roles.set(7, 'owner')
  const answer = { ok: false, error_code: 400, description: 'Bad Request: chat not found' } as const
  refuse(new GrammyError('refused', answer, 'setMyCommands', {}))
  for (const id of [1, 7]) await menu.greet(id)
  expect(unmet).toEqual([1])
  expect(troubles).toHaveLength(1)
})

test('a start removes the member’s command menu from a person who is no longer a member', async () => {
  const { menu, asked, roles, given } = stage([1])
  roles.set(7, 'owner')
  for (const id of [1, 7]) await menu.greet(id)
  given.set(8, 'of an owner who is gone')
  asked.length = 0
  await menu.publish()
  expect(asked.slice(2)).toEqual([null])
  expect([given.get(8), typeof given.get(7), typeof given.get(1)]).toEqual([null, 'string', 'string'])
})
