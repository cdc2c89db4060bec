import type { Bot, ChatTypeContext, Composer } from 'grammy'
import { type ButtonPress, decodePress } from './buttons/table.ts'
import { type BotContext, forgetQuestion } from './chat/context.ts'
import type { Handler } from './chat/handler.ts'
import { commandMenu } from './chat/profile/command-menu-words.ts'
import type { Command, PressHandlers } from './features/feature.ts'
import { features } from './features/features.ts'
import { groupOnly, outdatedButton } from './words/unusable.ts'

/** Routes commands, links and presses to the features that declare them. */

const commands = new Map<string, Command>(features.flatMap((each) => Object.entries(each.commands ?? {})))

const presses: Partial<PressHandlers> = Object.assign({}, ...features.map((each) => each.presses))

const links: Readonly<Record<string, Handler<string>>> = Object.assign(
  {},
  ...features.map((each) => each.links),
)

const inGroups = features.flatMap(({ groups }) => groups ?? [])

/** Runs a command. @param argument the text after it. @returns false if there is no such command. */
export const runCommand = async (ctx: BotContext, name: string, argument: string): Promise<boolean> => {
  const command = commands.get(name)
  if (!command) return false
  if (!command.keepsQuestion) await forgetQuestion(ctx)
  await runHere(ctx, name, argument)
  return true
}

/** Whether the command only shows something, so that a pending question can stay open. */
export const isBeside = (name: string): boolean => commands.get(name)?.onlyShows === true

/** Runs a command without ending the pending question. */
export const runBeside = (ctx: BotContext, name: string, argument: string): Promise<void> =>
  runHere(ctx, name, argument)

const runHere = async (ctx: BotContext, name: string, argument: string): Promise<void> => {
  const link = name === 'start' ? links[argument.charAt(0)] : undefined
  if (link) await link(ctx, argument.slice(1))
  else await commands.get(name)?.run(ctx, argument.trim())
}

/** Routes the commands of private chats. */
export const addCommands = (privately: Composer<ChatTypeContext<BotContext, 'private'>>): void => {
  for (const name of commands.keys()) {
    privately.command(name, async (ctx) => {
      await runCommand(ctx, name, ctx.match.trim())
    })
  }
}

/** Routes the commands that also work in groups. They come before the private routes, which take every text. */
export const addGroupCommands = (bot: Bot<BotContext>): void => {
  for (const name of inGroups.flatMap((each) => each.commands)) {
    bot.command(name, async (ctx) => {
      if (ctx.chat.type === 'private') await runCommand(ctx, name, ctx.match.trim())
      else await runHere(ctx, name, ctx.match.trim())
    })
  }
}

/** Answers presses in groups, and commands that work only in private. */
export const addGroupRefusals = (bot: Bot<BotContext>): void => {
  bot.on('callback_query:data', (ctx) => pressInGroup(ctx, ctx.callbackQuery.data))
  bot
    .chatType(['group', 'supergroup'])
    .command(commandMenu.members.map(([name]) => name))
    .use((ctx) => ctx.talk.say(groupOnly))
}

const answer = async (ctx: BotContext, press: ButtonPress): Promise<void> => {
  const handle = presses[press.do] as Handler<ButtonPress>
  await handle(ctx, press)
}

/** Handles a press in a private chat. Forged data is noted in the security log. */
export const press = async (ctx: BotContext, data: string): Promise<void> => {
  const pressed = decodePress(data)
  if (pressed) return answer(ctx, pressed)
  await ctx.services.security.note({ kind: 'forged_press', accountId: null, userId: ctx.from?.id ?? null })
  ctx.talk.toast(outdatedButton, true)
}

/** Handles a press in a group. The only buttons in groups are below cards that show an order to strangers. */
const pressInGroup = async (ctx: BotContext, data: string): Promise<void> => {
  const pressed = decodePress(data)
  if (pressed && inGroups.some((each) => each.presses.includes(pressed.do))) return answer(ctx, pressed)
  ctx.talk.toast(groupOnly)
}
