import type { Inbox } from '../messaging/inbox.ts'
import { redactOld, retainedSince } from '../orders/following/retention.ts'
import { eraseForgotten } from '../settings/forgetting.ts'
import { forgetRequests } from '../wallets/budget.ts'
import type { Foundation } from './foundation.ts'

/** Removes from the database whatever is not to be kept. */
export interface Upkeep {
  /** Notes an erasure: the erased data must not stay readable anywhere in the files. */
  noteErased(): void
  /** Names whom to tell of an erasure. */
  onErased(listener: () => void): void
  /** The jobs of the same names. */
  erase(): Promise<void>
  reduce(): Promise<void>
  forget(): Promise<void>
}

/** @param signal aborted when the bot stops. */
export const createUpkeep = (
  { config, store, database, now }: Foundation,
  { inbox, signal }: { inbox: Inbox; signal: AbortSignal },
): Upkeep => {
  const { retentionDays } = config
  let isErased = false
  let listener = () => {}
  return {
    noteErased: () => {
      isErased = true
      listener()
    },
    onErased: (next) => {
      listener = next
    },
    erase: async () => {
      const wasErased = isErased
      isErased = false
      if ((await eraseForgotten(store, now)) || wasErased) await database.scrub()
    },
    reduce: async () => {
      await store.security.forgetBefore(retainedSince(now(), retentionDays))
      await redactOld({ store, retentionDays, now, giveWay: () => inbox.quiet(), signal })
      await database.scrub()
    },
    forget: async () => {
      await forgetRequests(store, now())
    },
  }
}
