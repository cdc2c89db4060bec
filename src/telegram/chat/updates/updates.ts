import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { Lease } from '../../../messaging/leader-lease.ts'
import {
  createComplaint,
  nap as napUntil,
  restAfterError,
  troubleIn,
  tryMs,
} from '../alerts/telegram-trouble.ts'
import { chatOf, type Handle } from './handling.ts'

/** The kinds of updates that the bot asks Telegram for. */
export const allowedUpdates = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const

export interface Updates {
  start(): void
  /** Stops taking updates. Resolves when those already taken were handled and confirmed. */
  stop(): Promise<void>
  /** Why no updates are read, for `/readyz`; null if all is well. */
  trouble(): string | null
  /** Resolves when polling is given up because another program, with another database, reads this bot's updates. */
  readonly givenUp: Promise<void>
}

/** How many updates one answer of Telegram may contain. */
const maxAtOnce = 100
/** How often a standby process checks whether it may poll, ms. */
const turnMs = 200
/** How long to wait before asking Telegram again for updates that must be retried, ms. */
const lookAgainMs = 1_000

const rival = 'another program reads the updates of this TELEGRAM_BOT_TOKEN (409)'
const webhookIsSet = 'a webhook that this bot did not set takes the updates of this TELEGRAM_BOT_TOKEN (409)'
const standby = 'standing by: another process on this database reads the updates'

/**
 * Long polling that confirms a batch of updates only after each was handled, while the chats in a batch do not wait for
 * each other. (grammY's own polling handles one update after another; its runner confirms updates before their handlers
 * have finished.)
 * The process that holds the lease polls for all processes on the database. If several programs poll with one token,
 * Telegram serves the newest and answers 409 to the others. After a 409 this process checks its lease. If the lease is
 * lost, it waits for its turn. If it still holds the lease, a program with another database polls too: the bot
 * tolerates that for a while and then gives up.
 */
export const createPolling = (options: {
  api: Api
  handle: Handle
  lease: Lease
  /** Tells the person that their update is kept while the database takes no changes; null while it takes changes. */
  inOutage?: () => ((update: Update) => Promise<void>) | null
  /** Called for a sign that somebody else uses this token: a webhook, or another program that reads the updates. */
  onMisuse?: (misuse: 'webhook' | 'rival') => Promise<void>
  /**
   * Called when no other program has read the updates for a while. It is also called a while after the start, because
   * an earlier run may have warned of another program.
   */
  onAlone?: () => Promise<void>
  log: Logger
  now: () => number
  /** How many seconds Telegram waits for an update before it answers with none. */
  timeoutSeconds?: number
  /** Resolves after `ms` milliseconds, or when the signal is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}): Updates => {
  const { api, handle, lease, log, now, inOutage = () => null } = options
  const {
    timeoutSeconds = 30,
    sleep = napUntil,
    onMisuse = async () => {},
    onAlone = async () => {},
  } = options
  const ended = new AbortController()
  const givenUp = Promise.withResolvers<void>()
  let running: Promise<void> | null = null
  let offset = 0
  /** Handled updates that are not confirmed to Telegram yet, because an earlier one must be retried. */
  const done = new Set<number>()
  let trouble: string | null = null
  let conflict: Conflict | null = null
  /** When a conflict was last seen, or polling began; null before that, and after `onAlone` was called. */
  let aloneSinceMs: number | null = null

  const nap = (ms: number) => sleep(ms, ended.signal)
  const complaint = createComplaint(log, now)

  const fetch = async (seconds = timeoutSeconds, limit?: AbortSignal): Promise<Update[]> => {
    const updates = await api.getUpdates(
      { offset, timeout: seconds, allowed_updates: allowedUpdates, limit: maxAtOnce },
      (limit ? AbortSignal.any([ended.signal, limit]) : ended.signal) as Parameters<Api['getUpdates']>[1],
    )
    if (complaint.end()) log.info('updates are read again')
    trouble = isIn(conflict, now()) ? rival : null
    await tellAlone()
    return updates
  }

  const tellAlone = async (): Promise<void> => {
    if (aloneSinceMs === null || now() - aloneSinceMs < quietMs) return
    aloneSinceMs = null
    await onAlone().catch((error: unknown) =>
      log.error({ err: error }, 'operators could not be told that a conflict is over'),
    )
  }

  const takeTurn = async (): Promise<void> => {
    while (!ended.signal.aborted && !lease.isHeld() && !mayAnswer()) await nap(turnMs)
    conflict = null
    aloneSinceMs = now()
    trouble = null
  }

  /**
   * Whether this process may answer people without the lease. Nobody can renew a lease while the database takes no
   * changes, so the last holder keeps answering. Without the lease it confirms nothing to Telegram.
   */
  const mayAnswer = (): boolean => lease.isLast() && inOutage() !== null

  /** Handles the updates of a chat one after the other, up to the first that must be retried. */
  const handleChat = async (updates: Update[]): Promise<void> => {
    for (const update of updates) {
      if (done.has(update.update_id)) continue
      if ((await handle(update)) === 'retry') return
      done.add(update.update_id)
    }
  }

  /**
   * Handles a batch. The next call to Telegram confirms all updates before the first that must be retried.
   * @returns true if any update must be retried.
   */
  const handleAll = async (updates: Update[]): Promise<boolean> => {
    const chats = Map.groupBy(updates, (update) => chatOf(update) ?? update.update_id)
    await Promise.all([...chats.values()].map(handleChat))
    const first = updates.find(({ update_id }) => !done.has(update_id))
    offset = first?.update_id ?? (updates.at(-1)?.update_id ?? offset - 1) + 1
    for (const id of done) if (id < offset) done.delete(id)
    return first !== undefined
  }

  /** Answers updates independently: one that must be retried does not block the ones after it. */
  const answerAll = async (): Promise<void> => {
    const answer = inOutage()
    if (!answer) return
    for (const update of await fetch(0)) if (!done.has(update.update_id)) await answer(update)
  }

  const tellMisuse = (misuse: 'webhook' | 'rival'): Promise<void> =>
    onMisuse(misuse).catch((error: unknown) =>
      log.error({ err: error, misuse }, 'operators could not be told of the misused token'),
    )

  /** Handles a 409. @returns false if polling must stop. */
  const bear = async (error: GrammyError): Promise<boolean> => {
    if (!(await lease.check())) return true
    if (/webhook/i.test(error.description)) {
      trouble = webhookIsSet
      await tellMisuse('webhook')
      return true
    }
    conflict = nextConflict(conflict, now())
    aloneSinceMs = now()
    trouble = rival
    if (isUnbearable(conflict, now())) {
      log.error(
        { telegram: error.description, conflicts: conflict.count },
        'TELEGRAM_BOT_TOKEN: another program uses this token with another database and takes updates away, so this one stops. End that program, or make a new token with @BotFather (/revoke) and start this one with it',
      )
      givenUp.resolve()
      return false
    }
    log.warn({ telegram: error.description, conflicts: conflict.count }, 'another program reads the updates')
    if (conflict.count === bearableCount) await tellMisuse('rival')
    return true
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!ended.signal.aborted) {
      // After a failure, the next call asks for an answer at once, because a long poll would hide that Telegram does
      // not answer.
      const limit = failures > 0 ? AbortSignal.timeout(tryMs) : undefined
      try {
        if (!lease.isHeld() && mayAnswer()) {
          await answerAll()
          await nap(lookAgainMs)
          continue
        }
        if (!lease.isHeld()) {
          await takeTurn()
          continue
        }
        const updates = await fetch(limit ? 0 : timeoutSeconds, limit)
        failures = 0
        if (await handleAll(updates)) await nap(lookAgainMs)
      } catch (error) {
        if (ended.signal.aborted) return
        failures += 1
        if (isConflict(error)) {
          if (!(await bear(error))) return
        } else {
          trouble = troubleIn(error, limit?.aborted)
          complaint.say(trouble, failures)
        }
        await nap(pause(error, failures))
      }
    }
  }

  /** Confirms the last batch, because otherwise Telegram would deliver it again at the next start. */
  const confirm = async (): Promise<void> => {
    if (offset > 0 && lease.isHeld()) await api.getUpdates({ offset, timeout: 0, limit: 1 }).catch(() => {})
  }

  return {
    start: () => {
      aloneSinceMs = now()
      running ??= run()
    },
    stop: async () => {
      ended.abort()
      await running
      await confirm()
    },
    trouble: () => trouble ?? (lease.isHeld() ? null : standby),
    givenUp: givenUp.promise,
  }
}

/** A series of conflicts. The times are milliseconds of the clock `now`. */
interface Conflict {
  sinceMs: number
  lastMs: number
  count: number
}

/**
 * How long no conflict may occur until this process counts as alone, ms. It is longer than a long poll and the pause
 * after it, so another program that polls would have caused a conflict by then.
 */
const quietMs = 45_000
/**
 * How long conflicts are tolerated, ms. A single one may come from the last poll of an earlier run, but another
 * program that keeps polling causes more.
 */
export const bearableMs = 30_000
const bearableCount = 2

const isIn = (conflict: Conflict | null, nowMs: number): conflict is Conflict =>
  conflict !== null && nowMs - conflict.lastMs < quietMs

const nextConflict = (conflict: Conflict | null, nowMs: number): Conflict =>
  isIn(conflict, nowMs)
    ? { ...conflict, lastMs: nowMs, count: conflict.count + 1 }
    : { sinceMs: nowMs, lastMs: nowMs, count: 1 }

const isUnbearable = ({ sinceMs, count }: Conflict, nowMs: number): boolean =>
  nowMs - sinceMs >= bearableMs && count > bearableCount

const isConflict = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && error.error_code === 409

/** A pause of random length, so that two programs in conflict do not keep taking turns. */
const conflictPauseMs = (): number => 1_000 + 2_000 * Math.random()

const pause = (error: unknown, failures: number): number => {
  if (isConflict(error)) return conflictPauseMs()
  if (error instanceof GrammyError && error.parameters.retry_after) return restAfterError(error)
  return Math.min(restAfterError(error), 500 * 2 ** (failures - 1))
}
