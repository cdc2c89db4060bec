import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChatSnapshot } from '../../store/chats/chat-snapshot.ts'
import type { Store } from '../../store/store.ts'

/** The snapshot that was read for the update in progress; null once it may be out of date. */
const context = new AsyncLocalStorage<{ snapshot: ChatSnapshot | null }>()

/**
 * Runs a handler with the snapshot that was read for its update. The snapshot is valid until the handler returns; later
 * work reads the database again.
 * @returns the snapshot, or null if something may have changed it.
 */
export const withSnapshot = async (
  snapshot: ChatSnapshot,
  handle: () => Promise<unknown>,
): Promise<ChatSnapshot | null> => {
  const state: { snapshot: ChatSnapshot | null } = { snapshot }
  try {
    await context.run(state, handle)
    return state.snapshot
  } finally {
    state.snapshot = null
  }
}

/** The snapshot of the update in progress; null if there is none, or if it may be out of date. */
export const currentSnapshot = (): ChatSnapshot | null => context.getStore()?.snapshot ?? null

/** The stored session of a chat; undefined if it was not read for this update. */
export const currentSession = (key: string): string | null | undefined => {
  const snapshot = currentSnapshot()
  return snapshot && String(snapshot.chatId) === key ? snapshot.session : undefined
}

/** The store, with transactions that discard the current snapshot, because they may change what it holds. */
export const invalidatingSnapshots = (store: Store): Store => ({
  ...store,
  transaction: (work, options) =>
    store.transaction(work, options).finally(() => {
      const state = context.getStore()
      if (state) state.snapshot = null
    }),
})
