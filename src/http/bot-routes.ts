import { hash } from 'node:crypto'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { CallbackLimit } from '../relay/callback-limit.ts'
import type { Inbox } from '../relay/inbox.ts'
import type { Keyring } from '../wallets/keyring.ts'

/** The part of the HTTP server that belongs to one bot: callbacks about its orders, and its updates. */
export interface BotRoutes {
  keyring: Keyring
  inbox: Inbox
  callbackLimit: CallbackLimit
  /** Handles an update of Telegram's webhook mode; null while updates come by polling. */
  onUpdate: ((update: Update) => Promise<'done' | 'held'>) | null
  /** Why Telegram cannot be used, for the body of `/readyz`; null while it can. */
  telegramTrouble: () => string | null
  now: () => Date
  log: Logger
}

/** The added bots on the server. */
export interface AddedRoutes {
  /** `resting`: the bot is known, but not running. Its callbacks are to come again later. */
  byId(botId: number): BotRoutes | 'resting' | null
  /** The bot that settled this secret with Telegram. */
  bySecret(secret: string): BotRoutes | null
  set(botId: number, routes: BotRoutes | 'resting'): void
  remove(botId: number): void
}

/** No bots yet. Secrets are found by their hashes, so that the time of a search tells nothing about them. */
export const createAddedRoutes = (): AddedRoutes => {
  const byId = new Map<number, BotRoutes | 'resting'>()
  const bySecret = new Map<string, BotRoutes>()
  const hashesOf = (routes: BotRoutes | 'resting' | undefined): string[] =>
    routes && routes !== 'resting' ? routes.keyring.telegramSecrets().map(hashOf) : []
  const remove = (botId: number): void => {
    for (const each of hashesOf(byId.get(botId))) bySecret.delete(each)
    byId.delete(botId)
  }
  return {
    byId: (botId) => byId.get(botId) ?? null,
    bySecret: (secret) => bySecret.get(hashOf(secret)) ?? null,
    set: (botId, routes) => {
      remove(botId)
      byId.set(botId, routes)
      if (routes !== 'resting') for (const each of hashesOf(routes)) bySecret.set(each, routes)
    },
    remove,
  }
}

const hashOf = (secret: string): string => hash('sha256', secret)
