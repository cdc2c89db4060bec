import { setTimeout as wait } from 'node:timers/promises'
import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { Lease } from '../relay/lease.ts'

/** Edited messages change nothing; they are looked at for secrets alone. */
export const allowedUpdates = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const

/** Reads updates from Telegram. */
export interface Polling {
  start(): void
  /** Takes no more; resolves when those taken have been handled and confirmed. */
  stop(): Promise<void>
  /** What stands in the way, for `/readyz`; null while all is well. */
  trouble(): string | null
  /** Resolves when polling is given up: another program, with another database, reads this bot's updates. */
  readonly givenUp: Promise<void>
}

/** How soon a process that waits for its turn sees that it has come. */
const turnMs = 200

const rival = 'another program reads the updates of this TELEGRAM_BOT_TOKEN (409)'
const standby = 'standing by: another process on this database reads the updates'

/**
 * Long polling that confirms a batch of updates only after each was handled, while the chats of a batch do not
 * wait for each other. (grammY's own polling handles one update after another; its runner confirms before
 * handlers have finished.)
 *
 * Of the processes on one database the holder of the lease polls. Telegram serves the newest of those that poll with
 * one token and answers the others 409: then the lease is looked at. Lost, this process waits for its turn;
 * held, somebody with another database polls too, which is borne for a while and then given up.
 */
export const createPolling = (options: {
  api: Api
  handle: (update: Update) => Promise<void>
  lease: Lease
  log: Logger
  now: () => number
  /** Seconds that Telegram holds an empty answer. */
  timeoutSeconds?: number
  /** Resolves after so many milliseconds, or when the signal says so. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}): Polling => {
  const { api, handle, lease, log, now, timeoutSeconds = 30, sleep = waitUntil } = options
  const ended = new AbortController()
  const givenUp = Promise.withResolvers<void>()
  let running: Promise<void> | null = null
  let offset = 0
  let trouble: string | null = null
  let conflict: Conflict | null = null

  const nap = (ms: number) => sleep(ms, ended.signal)

  const fetch = async (): Promise<Update[]> => {
    const updates = await api.getUpdates(
      { offset, timeout: timeoutSeconds, allowed_updates: allowedUpdates, limit: 100 },
      ended.signal as Parameters<Api['getUpdates']>[1],
    )
    trouble = isIn(conflict, now()) ? rival : null
    return updates
  }

  const takeTurn = async (): Promise<void> => {
    while (!ended.signal.aborted && !lease.isHeld()) await nap(turnMs)
    conflict = null
    trouble = null
  }

  /** @returns whether to go on. */
  const bear = async (error: GrammyError): Promise<boolean> => {
    if (!(await lease.check())) return true
    conflict = nextConflict(conflict, now())
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
    return true
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!ended.signal.aborted) {
      if (!lease.isHeld()) {
        await takeTurn()
        continue
      }
      try {
        const updates = await fetch()
        failures = 0
        await Promise.all(updates.map(handle))
        offset = (updates.at(-1)?.update_id ?? offset - 1) + 1
      } catch (error) {
        if (ended.signal.aborted) return
        failures += 1
        if (isConflict(error)) {
          if (!(await bear(error))) return
        } else {
          trouble =
            error instanceof GrammyError
              ? `Telegram answers ${error.error_code}`
              : 'Telegram cannot be reached'
          log.warn({ trouble, failures }, 'updates could not be read')
        }
        await nap(pause(error, failures))
      }
    }
  }

  /** The last batch was handled: without this call Telegram would deliver it again to the next start. */
  const confirm = async (): Promise<void> => {
    if (offset > 0 && lease.isHeld()) await api.getUpdates({ offset, timeout: 0, limit: 1 }).catch(() => {})
  }

  return {
    start: () => {
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

const waitUntil = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => {})

/** Conflicts that follow each other, by the clock, ms. */
interface Conflict {
  sinceMs: number
  lastMs: number
  count: number
}

/** Longer than a long poll and the pause after it: whoever else polls has shown itself again by then. */
const quietMs = 45_000
/** One conflict may be the end of an earlier run; a program that polls goes on. */
const bearableMs = 30_000
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

/** Two that are in conflict must not take turns: the pause ends at a time of chance. */
const conflictPauseMs = (): number => 1_000 + 2_000 * Math.random()

const pause = (error: unknown, failures: number): number => {
  if (isConflict(error)) return conflictPauseMs()
  if (error instanceof GrammyError && error.parameters.retry_after) return error.parameters.retry_after * 1000
  return Math.min(10_000, 500 * 2 ** Math.min(failures - 1, 5))
}
