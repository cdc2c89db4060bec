import { AsyncLocalStorage } from 'node:async_hooks'
import type { Visit } from '../../store/chats/visits.ts'
import type { Store } from '../../store/store.ts'

/** What was read for the update that is being handled; null as soon as it may be untrue. */
const now = new AsyncLocalStorage<{ visit: Visit | null }>()

/**
 * Handles an update with what was read for it. That holds until the handler has returned: work that goes on after it
 * reads anew.
 * @returns the visit if it still holds at the end.
 */
export const duringVisit = async (visit: Visit, handle: () => Promise<unknown>): Promise<Visit | null> => {
  const state: { visit: Visit | null } = { visit }
  try {
    await now.run(state, handle)
    return state.visit
  } finally {
    state.visit = null
  }
}

/** What was read for this update; null: read it anew. */
export const visitNow = (): Visit | null => now.getStore()?.visit ?? null

/** The stored memory of a chat; undefined: it was not read for this update. */
export const sessionNow = (key: string): string | null | undefined => {
  const visit = visitNow()
  return visit && String(visit.chatId) === key ? visit.session : undefined
}

/** The store, whose transactions end what was read for an update: they may have changed it. */
export const endingVisits = (store: Store): Store => ({
  ...store,
  transaction: (work, options) =>
    store.transaction(work, options).finally(() => {
      const state = now.getStore()
      if (state) state.visit = null
    }),
})
