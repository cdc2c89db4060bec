import { setTimeout as wait } from 'node:timers/promises'
import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'

export const allowedUpdates = ['message', 'callback_query', 'my_chat_member'] as const

/** Reads updates from Telegram. */
export interface Polling {
  start(): void
  /** Takes no more; resolves when those taken have been handled and confirmed. */
  stop(): Promise<void>
  /** What stands in the way, for `/readyz`; null while all is well. */
  trouble(): string | null
}

/**
 * Long polling that confirms a batch of updates only after each was handled, while the chats of a batch do not
 * wait for each other. (grammY's own polling handles one update after another; its runner confirms before
 * handlers have finished.)
 */
export const createPolling = (options: {
  api: Api
  handle: (update: Update) => Promise<void>
  log: Logger
  /** Seconds that Telegram holds an empty answer. */
  timeoutSeconds?: number
}): Polling => {
  const { api, handle, log, timeoutSeconds = 30 } = options
  const ended = new AbortController()
  let running: Promise<void> | null = null
  let offset = 0
  let trouble: string | null = null

  const fetch = async (): Promise<Update[]> => {
    const updates = await api.getUpdates(
      { offset, timeout: timeoutSeconds, allowed_updates: allowedUpdates, limit: 100 },
      ended.signal as Parameters<Api['getUpdates']>[1],
    )
    trouble = null
    return updates
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!ended.signal.aborted) {
      try {
        const updates = await fetch()
        failures = 0
        await Promise.all(updates.map(handle))
        offset = (updates.at(-1)?.update_id ?? offset - 1) + 1
      } catch (error) {
        if (ended.signal.aborted) return
        failures += 1
        trouble =
          error instanceof GrammyError ? `Telegram answers ${error.error_code}` : 'Telegram cannot be reached'
        log.warn({ trouble, failures }, 'updates could not be read')
        await wait(pause(error, failures), undefined, { signal: ended.signal }).catch(() => {})
      }
    }
  }

  /** The last batch was handled: without this call Telegram would deliver it again to the next start. */
  const confirm = async (): Promise<void> => {
    if (offset > 0) await api.getUpdates({ offset, timeout: 0, limit: 1 }).catch(() => {})
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
    trouble: () => trouble,
  }
}

const pause = (error: unknown, failures: number): number => {
  if (error instanceof GrammyError && error.parameters.retry_after) return error.parameters.retry_after * 1000
  return Math.min(10_000, 500 * 2 ** Math.min(failures - 1, 5))
}
