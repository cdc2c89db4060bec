import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { Lease } from '../../../messaging/leader-lease.ts'
import { createComplaint, nap as napUntil, restAfter, troubleIn, tryMs } from '../alerts/telegram-trouble.ts'
import { chatOf, type Handle } from './handling.ts'

/** The updates that the bot asks for. Edited messages change nothing: they are searched for secrets only. */
export const allowedUpdates = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const

/** Brings updates to their handler. */
export interface Updates {
  start(): void
  /** Takes no more updates. Resolves when those taken have been handled and confirmed. */
  stop(): Promise<void>
  /** Why updates are not read, for `/readyz`; null while all is well. */
  trouble(): string | null
  /** Resolves when polling is given up: another program, with another database, reads this bot's updates. */
  readonly givenUp: Promise<void>
}

/** Updates that Telegram gives out in one answer. */
const maxAtOnce = 100
/** How often a process that waits for its turn looks for it. */
const turnMs = 200
/** How soon Telegram is asked again for updates that it keeps while the database takes no changes. */
const lookAgainMs = 1_000

const rival = 'another program reads the updates of this TELEGRAM_BOT_TOKEN (409)'
const webhookIsSet = 'a webhook that this bot did not set takes the updates of this TELEGRAM_BOT_TOKEN (409)'
const standby = 'standing by: another process on this database reads the updates'

/**
 * Long polling that confirms a batch of updates only after each was handled, while the chats of a batch do not
 * wait for each other. (grammY's own polling handles one update after another; its runner confirms before
 * handlers have finished.)
 *
 * The process that holds the lease polls for all on the database. Telegram serves the newest of those that poll
 * with one token and answers the others 409: then the lease is looked at. If it is lost, this process waits for its
 * turn. If it is held, somebody with another database polls too: the bot tolerates that for a while and then gives
 * up.
 */
export const createPolling = (options: {
  api: Api
  handle: Handle
  lease: Lease
  /** Tells the person that their update is kept while the database takes no changes; null while it takes them. */
  inOutage?: () => ((update: Update) => Promise<void>) | null
  /** Called for signs that somebody else uses this token: a webhook, or another program that reads the updates. */
  onMisuse?: (misuse: 'webhook' | 'rival') => Promise<void>
  /** Called once no other program has read the updates for a while, at the start too: an earlier run may have told of one. */
  onAlone?: () => Promise<void>
  log: Logger
  now: () => number
  /** Seconds that Telegram holds an empty answer. */
  timeoutSeconds?: number
  /** Resolves after so many milliseconds, or when the signal says so. */
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
  /** Updates from `offset` on that were handled while one before them must be retried. */
  const done = new Set<number>()
  let trouble: string | null = null
  let conflict: Conflict | null = null
  /** When a conflict last showed, or updates were first read; null before, and once it was told that there is none. */
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
   * changes, so its last holder goes on to answer. It confirms nothing to Telegram that it does not hold.
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
   * Handles a batch. The next call to Telegram confirms the updates before the first that must be retried.
   * @returns whether any must be.
   */
  const handleAll = async (updates: Update[]): Promise<boolean> => {
    const chats = Map.groupBy(updates, (update) => chatOf(update) ?? update.update_id)
    await Promise.all([...chats.values()].map(handleChat))
    const first = updates.find(({ update_id }) => !done.has(update_id))
    offset = first?.update_id ?? (updates.at(-1)?.update_id ?? offset - 1) + 1
    for (const id of done) if (id < offset) done.delete(id)
    return first !== undefined
  }

  /** Answers updates independently: an update to be retried does not block the ones after it. */
  const answerAll = async (): Promise<void> => {
    const answer = inOutage()
    if (!answer) return
    for (const update of await fetch(0)) if (!done.has(update.update_id)) await answer(update)
  }

  const tellMisuse = (misuse: 'webhook' | 'rival'): Promise<void> =>
    onMisuse(misuse).catch((error: unknown) =>
      log.error({ err: error, misuse }, 'operators could not be told of the misused token'),
    )

  /** @returns whether to go on. */
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
      // After a failure Telegram is asked for an answer at once: a long poll would hide that nothing comes.
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

  /** Confirms the last batch: without this call Telegram would deliver it again at the next start. */
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

/** Conflicts that follow each other, by the clock, ms. */
interface Conflict {
  sinceMs: number
  lastMs: number
  count: number
}

/** Longer than a long poll and the pause after it: another program that polls has shown itself again by then. */
const quietMs = 45_000
/** A single conflict may be the end of an earlier run, but a program that polls goes on. */
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

/** Two programs in conflict must not take turns, so the pause has a random length. */
const conflictPauseMs = (): number => 1_000 + 2_000 * Math.random()

const pause = (error: unknown, failures: number): number => {
  if (isConflict(error)) return conflictPauseMs()
  if (error instanceof GrammyError && error.parameters.retry_after) return restAfter(error)
  return Math.min(restAfter(error), 500 * 2 ** (failures - 1))
}
