import type { Topic } from '../database/signals.ts'
import { reduceOld, retainedSince } from '../orders/retention.ts'
import type { Inbox } from '../relay/inbox.ts'
import { eraseForgotten } from '../settings/forgetting.ts'
import { maxWindowMs } from '../wallets/budget.ts'
import type { Foundation } from './foundation.ts'

/** Removes from the database whatever is not to be kept. */
export interface Upkeep {
  /** Notes an erasure: the erased data must not stay readable anywhere in the files. */
  noteErased(): void
  /** The rounds of `erasing`, `reducing`, `mending` and `forgetting`. */
  erase(): Promise<void>
  reduce(): Promise<void>
  /** Finds work that the searches would miss. */
  mend(): Promise<void>
  forget(): Promise<void>
}

/** @param signal aborted when the bot stops. */
export const createUpkeep = (
  { config, store, database, now }: Foundation,
  { wake, inbox, signal }: { wake: (topic: Topic) => void; inbox: Inbox; signal: AbortSignal },
): Upkeep => {
  const { retentionDays } = config
  let isErased = false
  return {
    noteErased: () => {
      isErased = true
      wake('erasing')
    },
    erase: async () => {
      const wasErased = isErased
      isErased = false
      if ((await eraseForgotten(store, now)) || wasErased) await database.scrub()
    },
    reduce: async () => {
      await store.security.forgetBefore(retainedSince(now(), retentionDays))
      await reduceOld({ store, retentionDays, now, giveWay: () => inbox.quiet(), signal })
      await database.scrub()
    },
    mend: () => store.duties.mend(),
    forget: async () => {
      await store.requests.forgetBefore(new Date(now().getTime() - maxWindowMs))
      await database.shared?.rates.forget()
    },
  }
}
