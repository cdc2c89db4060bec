import type { Inbox } from '../messaging/inbox.ts'
import { redactOld, retainedSince } from '../orders/following/retention.ts'
import { eraseForgotten } from '../settings/forgetting.ts'
import { forgetRequests } from '../wallets/budget.ts'
import type { Foundation } from './foundation.ts'

/** Removes from the database what must not be kept. */
export interface Upkeep {
  /** Call it after data was erased, so that the next `erase` also removes the data from the database's files. */
  noteErased(): void
  onErased(listener: () => void): void
  erase(): Promise<void>
  reduce(): Promise<void>
  /** Deletes the record of old requests to the provider. */
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
