import { setFlagsFromString } from 'node:v8'
import { Api, GrammyError, HttpError } from 'grammy'
import { sealToken } from '../accounts/bot-tokens.ts'
import type { Config } from '../config.ts'
import { DatabaseMissing } from '../database/added-databases.ts'
import type { AddedRoutes } from '../http/bot-routes.ts'
import { createLoop } from '../loop.ts'
import type { WatchedBot } from '../metrics/bot-gauges.ts'
import { operatorsWords } from '../start-refusal.ts'
import type { BotRow, StopReason } from '../store/bots.ts'
import type { BotState, Bots } from '../telegram/chat/bots.ts'
import { refusalOf } from '../telegram/chat/refusal.ts'
import * as words from '../telegram/texts/bots.ts'
import { CannotOpen } from '../wallets/keyring.ts'
import { createAddedBot } from './added-bot.ts'
import type { Bot, BotOptions } from './bot.ts'
import { createBotRegistry } from './bot-registry.ts'
import { monotonicMs } from './foundation.ts'
import { admitListed } from './listed-bots.ts'
import type { ProcessParts } from './process-parts.ts'

/** The added bots that run in this process. */
export interface Fleet {
  /** The registry, for operators. */
  readonly bots: Bots
  /** Reads the registry. From then on no callback of an added bot is taken for a forged one. */
  register(main: Bot): Promise<void>
  /** Starts the bots of the registry in the background, and follows its changes. */
  begin(): void
  /** The bots that are to run, for the metrics. */
  watched(): Promise<WatchedBot[]>
  /** Stops all of them. @param closing as in `Bot.stop`. */
  stop(closing: Promise<void>): Promise<void>
}

/** So long Telegram is waited for: the other bots wait too. */
const tokenWithinSeconds = 10
/** How often the registry is read: another process on the database may have changed it. */
const everyMs = 2_000
/**
 * From so many bots on, the heap is cleared before it grows by a third. Otherwise it may grow to four times of what is in
 * use, and each idle bot adds to it.
 */
const many = 20
/** So many bots are started at the same time. */
const atOnce = 4
/** The pause before a bot that could not be started is tried again doubles up to this. */
const firstPauseMs = 5_000
const maxPauseMs = 5 * 60_000

/** A bot of this process. */
interface Member {
  /** The parts of its row that it runs by. If they change, it is started anew. */
  by: string
  bot: Bot | null
  /** Why it could not be started, and when it is tried again; null if it could, or was not tried yet. */
  failure: { words: string; tries: number; againMs: number } | null
}

interface FleetOptions {
  config: Config
  parts: ProcessParts
  routes: AddedRoutes
  options: BotOptions
}

/**
 * Rounds make the running bots those of the registry. So whatever changes the registry starts and stops bots, in every
 * process on the database.
 */
export const createFleet = ({ config, parts, routes, options }: FleetOptions): Fleet => {
  const members = new Map<number, Member>()
  /** The ids of the registry, as it was read last. */
  let registered: ReadonlySet<number> = new Set()
  let main: Bot | null = null
  const ended = new AbortController()
  let settling: Promise<void> = Promise.resolve()

  const begun = (): Bot => {
    if (!main) throw new Error('The main bot has not begun yet.')
    return main
  }

  const askToken = (id: number): Promise<string> => {
    const { token, apiRoot } = config.telegram
    return new Api(token, { apiRoot, timeoutSeconds: tokenWithinSeconds }).getManagedBotToken(id)
  }

  /** Telegram is asked for the token of a bot that somebody made. */
  const withToken = async (row: BotRow): Promise<BotRow> => {
    if (row.sealedToken !== '') return row
    const { store, keyring } = begun().foundation
    const sealedToken = sealToken(keyring, row.id, await askToken(row.id))
    await store.bots.reseal(row.id, '', sealedToken)
    return { ...row, sealedToken }
  }

  /** The first time, the bot's maker is told in the same commit. */
  const noteStarted = async ({ id, username, accountId, ownerIds }: BotRow): Promise<void> => {
    const { foundation, leader } = begun()
    const { store, now } = foundation
    await store.transaction(async (tx) => {
      if (!(await tx.bots.started(id, now())) || accountId === null) return
      for (const ownerId of ownerIds)
        await tx.notices.owe(ownerId, { kind: 'own_bot', subject: `bot:${id}`, username }, now())
    })
    leader.wake('sending')
  }

  const start = async (found: BotRow, member: Member): Promise<void> => {
    const { id } = found
    const { foundation, front } = begun()
    const { log } = foundation
    const tries = (member.failure?.tries ?? 0) + 1
    try {
      const row = await withToken(found)
      member.by = ruledBy(row)
      const onRefused = refusalsOf(row)
      const bot = await createAddedBot(row, { main: foundation, parts, options, onRefused })
      member.bot = bot
      await noteStarted(row)
      await bot.begin()
      member.failure = null
      routes.set(id, bot.routes)
      void bot.front.polling.givenUp.then(() => leave(row, 'rival'))
      if ((await front.alarms.standing(`bot ${id}`)).length > 0) await front.alarms.end(`bot ${id}`)
    } catch (error) {
      log.error({ bot: id, err: error }, 'a bot could not be started')
      await end(member)
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1))
      member.failure = { words: faultOf(error, config), tries, againMs: monotonicMs() + pauseMs }
    }
  }

  const end = async (member: Member): Promise<void> => {
    const { bot } = member
    member.bot = null
    await bot?.stop()
  }

  /** A bot that Telegram refuses asks once more, because a single answer may be wrong. Then it stops. */
  const refusalsOf = (row: BotRow): (() => void) => {
    let asking = false
    return () => {
      const api = members.get(row.id)?.bot?.api
      if (asking || !api) return
      asking = true
      const isRefused = (error: unknown) => error instanceof GrammyError && error.error_code === 401
      api
        .getMe()
        .then(
          () => {},
          (error) => (isRefused(error) ? leave(row, 'token') : undefined),
        )
        .finally(() => {
          asking = false
        })
    }
  }

  /** The bot stops, because it cannot go on. Operators are told by the main bot. */
  const leave = async (row: BotRow, why: 'token' | 'rival') => {
    const { id, username, sealedToken } = row
    const { foundation, front } = begun()
    try {
      if (why === 'token' && (await hasNewToken(row))) return
      if (!(await foundation.store.bots.stopped(id, sealedToken, why))) return
      foundation.log.error({ bot: id, why }, 'a bot cannot go on, so it stops')
      await settle()
      await front.alarms.warn(`bot ${id}`, words.stoppedItself(username, why))
    } catch (error) {
      foundation.log.error({ bot: id, err: error }, 'a bot could not be stopped')
    }
  }

  /** Telegram may give out a new token of a bot that somebody made: the bot goes on with it. */
  const hasNewToken = async ({ id, sealedToken, accountId }: BotRow): Promise<boolean> => {
    if (accountId === null) return false
    await bots.renewMade(id)
    return (await begun().foundation.store.bots.byId(id))?.sealedToken !== sealedToken
  }

  /** Callbacks of bots that do not run, or not yet, are to come again later; those of removed bots are not. */
  const rest = (rows: readonly BotRow[]): void => {
    const before = registered
    registered = new Set(rows.map(({ id }) => id))
    for (const id of before.difference(registered)) routes.remove(id)
    for (const id of registered) if (!members.has(id)) routes.set(id, 'resting')
  }

  const round = async (): Promise<void> => {
    const rows = await begun().foundation.store.bots.all()
    const wanted = new Map(rows.map((row) => [row.id, row]))
    await Promise.all([...members].map(([id, member]) => keepOrEnd(member, id, wanted.get(id))))
    rest(rows)
    if (rows.length > many) setFlagsFromString('--optimize-for-size')
    const due = rows.filter((row) => row.stopped === null && isDue(members.get(row.id)))
    await inParallel(atOnce, due, async (row) => {
      if (ended.signal.aborted) return
      const member = members.get(row.id) ?? { by: ruledBy(row), bot: null, failure: null }
      members.set(row.id, member)
      await start(row, member)
    })
  }

  const keepOrEnd = async (member: Member, id: number, row: BotRow | undefined): Promise<void> => {
    if (row && row.stopped === null && ruledBy(row) === member.by) return
    if (row) routes.set(id, 'resting')
    else routes.remove(id)
    await end(member)
    members.delete(id)
  }

  const settle = (): Promise<void> => {
    settling = settling.then(async () => {
      if (ended.signal.aborted || !main) return
      await round().catch((error: unknown) =>
        begun().foundation.log.error({ err: error }, 'the added bots could not be looked after'),
      )
    })
    return settling
  }

  const stateOf = ({ id, stopped }: BotRow): { state: BotState; fault: string | null } => {
    if (stopped !== null) return { state: stoppedStates[stopped], fault: null }
    const { bot = null, failure = null } = members.get(id) ?? {}
    if (failure) return { state: 'failed', fault: failure.words }
    return { state: bot ? 'running' : 'starting', fault: null }
  }

  const watchedAs = (row: BotRow): WatchedBot => {
    const { bot = null } = members.get(row.id) ?? {}
    const { state } = stateOf(row)
    const isCutOff = state === 'running' && bot?.front.telegramTrouble(bot.leader.lease.isHeld()) !== null
    return {
      username: row.username,
      state: isCutOff ? 'unreachable' : state,
      store: bot?.foundation.store ?? null,
    }
  }

  const loop = createLoop({ work: settle, everyMs, onError: () => {} })
  const bots = createBotRegistry({ config, ground: () => begun().foundation, askToken, stateOf, settle })
  return {
    bots,
    register: async (bot) => {
      main = bot
      rest(await bot.foundation.store.bots.all())
    },
    begin: () => {
      const { foundation } = begun()
      loop.start()
      admitListed(config.bots, bots, foundation, ended.signal).catch((error: unknown) =>
        foundation.log.error({ err: error }, 'BOTS_FILE: not all bots could be added'),
      )
    },
    watched: async () => {
      const rows = await begun().foundation.store.bots.all()
      return rows.filter(({ stopped }) => stopped !== 'operator' && stopped !== 'owner').map(watchedAs)
    },
    stop: async (closing) => {
      ended.abort()
      await loop.stop()
      await settling
      await Promise.all([...members.values()].map(({ bot }) => bot?.stop(closing)))
    },
  }
}

const stoppedStates = {
  operator: 'stopped',
  owner: 'halted',
  token: 'token',
  rival: 'rival',
} as const satisfies Record<StopReason, BotState>

const ruledBy = ({ sealedToken, ownerIds }: BotRow): string => JSON.stringify([sealedToken, ownerIds])

const isDue = (member: Member | undefined): boolean =>
  !member || (member.bot === null && monotonicMs() >= (member.failure?.againMs ?? 0))

const faultOf = (error: unknown, config: Config): string => {
  if (error instanceof CannotOpen) return words.keysDiffer
  if (error instanceof GrammyError || error instanceof HttpError)
    return refusalOf(error).kind === 'refused' ? words.tokenKept : words.tokenUnreachable
  if (error instanceof DatabaseMissing) return words.databaseMissing
  return operatorsWords(error, config) ?? words.unknownFault
}

const inParallel = async <T>(count: number, all: readonly T[], work: (each: T) => Promise<void>) => {
  const rest = [...all]
  const worker = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
