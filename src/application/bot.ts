import type { Api } from 'grammy'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { DatabaseHealth } from '../database/health.ts'
import type { Inspect } from '../database/postgres.ts'
import type { BotRoutes } from '../http/bot-routes.ts'
import { type AdmissionLimits, floodLimits } from '../relay/admission.ts'
import { createCallbackLimit } from '../relay/callback-limit.ts'
import { type PacerLimits, telegramLimits } from '../relay/pacer.ts'
import type { Bots } from '../telegram/chat/bots.ts'
import { clockSetBack } from '../telegram/texts/clock.ts'
import { createEngine } from './engine.ts'
import { type AddedBot, type Foundation, layFoundation } from './foundation.ts'
import { createFront, type Front } from './front.ts'
import { createLeader, type Leader } from './leader.ts'
import { planLoops } from './loops.ts'
import { createMessaging } from './messaging.ts'
import type { ProcessParts } from './process-parts.ts'
import { stopBot } from './stop-bot.ts'
import { createUpkeep } from './upkeep.ts'
import { createWorkClaims, type WorkClaims } from './work-claims.ts'

/** The settings of each bot that tests and measurements change. */
export interface BotOptions {
  /** How fast messages may go: for a Telegram with other limits than the real one. */
  pace?: PacerLimits
  /** How much of people's messages is taken in; null: all of it. */
  admission?: AdmissionLimits | null
  /** This machine's clock, ms since 1970. */
  wallMs?: () => number
  /** Looks into each transaction on PostgreSQL. */
  inspect?: Inspect
}

/** What a bot is beside its configuration. */
interface Kind {
  /** Null: the main bot. */
  added: AddedBot | null
  /** The bots beside it, which operators keep in its chat; null in an added bot. */
  bots: Bots | null
}

/** A bot on its own database. */
export interface Bot {
  readonly foundation: Foundation
  readonly leader: Leader
  readonly front: Front
  readonly api: Api
  /** Its part of the HTTP server. */
  readonly routes: BotRoutes
  /** Starts its work, and connects to Telegram in the background. */
  begin(): Promise<void>
  /**
   * Ends all work in order. Resolves within some 10 s, when the database is closed.
   * @param closing waited for before the database is closed: the end of the requests under way.
   */
  stop(closing?: Promise<void>): Promise<void>
}

/**
 * Builds a bot on its own database. Nothing runs before `begin`.
 * @throws errors that `operatorsWords` words, such as a database of a newer version.
 */
export const createBot = async (
  config: Config,
  log: Logger,
  parts: ProcessParts,
  { added, bots }: Kind,
  options: BotOptions = {},
): Promise<Bot> => {
  const { pace = telegramLimits, admission = floodLimits, wallMs = Date.now, inspect } = options
  const ended = new AbortController()
  const { signal } = ended
  /** Null until there are people to tell of an outage. */
  let health: DatabaseHealth | null = null
  /** Null until there is a database to claim in. */
  let claims: WorkClaims | null = null
  const foundation = await layFoundation(config, log, parts, {
    ...{ added, wallMs, ...(inspect && { inspect }) },
    onQueryFailure: (error) => health?.note(error),
    onBroken: () => claims?.doubt(),
    onErased: () => upkeep.noteErased(),
  })
  const messaging = createMessaging(foundation, pace)
  const { senders, tasks } = messaging
  const leader = createLeader(foundation, {
    activity: added?.activity ?? null,
    onTaken: () => {
      tasks.aside(() => engine.membership.resume())
      tasks.aside(() => engine.lists.resume())
    },
    onSetBack: (byMs) => {
      for (const operator of config.ownerIds)
        tasks.aside(async () => void (await senders.notice.send(operator, { text: clockSetBack(byMs) })))
    },
  })
  const shares = createWorkClaims(foundation, leader)
  claims = shares
  const engine = createEngine(foundation, { wake: leader.wake, claims: shares })
  const upkeep = createUpkeep(foundation, { wake: leader.wake, inbox: engine.inbox, signal })
  const front = createFront(foundation, {
    ...{ engine, leader, claims: shares, upkeep, messaging, admission, bots, signal },
  })
  health = front.health
  return {
    foundation,
    leader,
    front,
    api: messaging.bot.api,
    routes: {
      keyring: foundation.keyring,
      inbox: engine.inbox,
      callbackLimit: createCallbackLimit(foundation.store.events.countCallbacks),
      onUpdate: config.telegram.updates === 'webhook' ? front.handle : null,
      telegramTrouble: () => front.telegramTrouble(true),
      now: foundation.now,
      log,
    },
    begin: async () => {
      if (added && (await hasOpenOrders(foundation))) added.activity.note()
      await leader.begin(planLoops(foundation, { leader, claims: shares, engine, upkeep, front }))
      front.connect()
    },
    stop: (closing) => {
      ended.abort()
      return stopBot({ foundation, messaging, leader, claims: shares, engine, front, closing })
    },
  }
}

const hasOpenOrders = async ({ store }: Foundation): Promise<boolean> =>
  (await store.backlog.openOrders()).some(({ count }) => count > 0)
