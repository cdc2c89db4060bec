import type { ChatTypeContext, Composer } from 'grammy'
import type { WordCommand } from '../lists/command-words.ts'
import { type BotContext, forgetQuestion } from './chat/context.ts'
import type { Services } from './chat/services.ts'
import * as agents from './features/agents/agents.ts'
import * as invitation from './features/agents/invitation.ts'
import { bundles } from './features/buying/bundles.ts'
import * as buy from './features/buying/buy.ts'
import * as connect from './features/connecting/connect.ts'
import * as disconnect from './features/connecting/disconnect.ts'
import * as contacts from './features/contacts/contacts.ts'
import * as exporting from './features/exporting/export.ts'
import * as lookup from './features/following/lookup.ts'
import * as home from './features/home/home.ts'
import * as bulk from './features/lists/bulk.ts'
import * as admin from './features/operating/admin.ts'
import * as history from './features/orders/history.ts'
import * as selling from './features/selling/selling.ts'
import * as stats from './features/selling/stats.ts'
import * as settings from './features/settings/settings.ts'
import * as entries from './features/wallet/entries.ts'
import * as wallet from './features/wallet/wallet.ts'

type Command = (ctx: BotContext, services: Services) => Promise<void>

/** `/start`, with what a link carries: a shared order or an invitation. */
export const start = async (ctx: BotContext, services: Services, payload: string): Promise<void> => {
  if (payload.startsWith('s')) return lookup.openLink(ctx, services, payload.slice(1))
  if (payload.startsWith('a')) return invitation.open(ctx, services, payload.slice(1))
  if (payload.startsWith('i')) return admin.acceptInvitation(ctx, services, payload.slice(1))
  return home.start(ctx, services)
}

const statistics: Command = (ctx, services) => stats.stats(ctx, services)

/** Commands that leave the flow that the chat is in. */
const leaving: Record<string, Command> = {
  start: (ctx, services) => start(ctx, services, typeof ctx.match === 'string' ? ctx.match.trim() : ''),
  help: home.help,
  disconnect: disconnect.disconnect,
  bundles,
  orders: history.orders,
  balance: wallet.balance,
  transactions: (ctx, services) => entries.entries(ctx, services, { filter: 'all', seek: null }),
  export: exporting.begin,
  customers: contacts.contacts,
  prices: selling.selling,
  agents: agents.agents,
  settings: settings.settings,
  stats: statistics,
  // It is in no menu: people who look for their profit type it.
  profit: statistics,
  admin: admin.admin,
}

/** Commands that decide themselves what becomes of that flow. */
const staying: Record<string, Command> = {
  cancel: home.leave,
  connect: connect.connect,
  buy: buy.buy,
  bulk: bulk.bulk,
  status: lookup.status,
}

/** Answers a word that stands for a command, as the command does. */
export const runCommand = async (
  ctx: BotContext,
  services: Services,
  command: WordCommand,
  argument: string,
): Promise<void> => {
  ctx.match = argument
  const stays = staying[command]
  if (stays) return stays(ctx, services)
  await forgetQuestion(ctx, services)
  await leaving[command]?.(ctx, services)
}

/** Commands that only show something: a word for one leaves what is asked for. */
const showing: ReadonlySet<WordCommand> = new Set<WordCommand>([
  ...(['start', 'help', 'balance', 'bundles', 'orders', 'transactions'] as const),
  ...(['customers', 'agents', 'settings', 'stats'] as const),
])

/** Whether a word can be answered while something is asked for. */
export const isBeside = (command: WordCommand): boolean => showing.has(command)

/** Answers such a word. What was asked for is still the question. */
export const runBeside = async (
  ctx: BotContext,
  services: Services,
  command: WordCommand,
  argument: string,
): Promise<void> => {
  ctx.match = argument
  await leaving[command]?.(ctx, services)
}

/** Routes the commands of private chats. */
export const addCommands = (
  privately: Composer<ChatTypeContext<BotContext, 'private'>>,
  services: Services,
): void => {
  for (const [name, command] of Object.entries(staying)) {
    privately.command(name, (ctx) => command(ctx, services))
  }
  for (const [name, command] of Object.entries(leaving)) {
    privately.command(name, async (ctx) => {
      await forgetQuestion(ctx, services)
      await command(ctx, services)
    })
  }
}
