import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import { createLoop } from '../../../base/loop.ts'
import type { DatabaseHealth } from '../../../database/health.ts'
import type { Lease } from '../../../messaging/leader-lease.ts'
import type { KeptUpdate, KeptUpdateStore } from '../../../store/chats/kept-updates.ts'
import type { Keyring } from '../../../wallets/credentials/keyring.ts'
import { chatOf, type Handle, type Handled } from './handling.ts'
import type { OutageReplies } from './outage-replies.ts'
import type { Updates } from './updates.ts'

/** Telegram's webhook mode: any process accepts updates, and the worker handles them. */
export interface UpdateInbox extends Updates {
  /** Commits an update. @returns `retry` if Telegram has to send it again, because the database takes no changes. */
  accept(update: Update): Promise<Handled>
}

/** How many updates are read from the inbox at once. */
const maxAtOnce = 100
/** How often the worker looks for updates that other processes have accepted, ms. */
const lookEveryMs = 250

export const createUpdateInbox = (options: {
  store: { updates: KeptUpdateStore }
  keyring: Pick<Keyring, 'seal' | 'open'>
  handle: Handle
  outages: { health: Pick<DatabaseHealth, 'look'>; replies: Pick<OutageReplies, 'answer'> }
  lease: Pick<Lease, 'isHeld'>
  now: () => Date
  log: Logger
}): UpdateInbox => {
  const { store, keyring, handle, outages, lease, now, log } = options

  const open = ({ id, sealed }: KeptUpdate): Update | null => {
    try {
      return JSON.parse(keyring.open(sealed, placeOf(id))) as Update
    } catch (error) {
      log.error({ updateId: id, err: error }, 'a kept update could not be opened, so it is dropped')
      return null
    }
  }

  /** Handles the updates of a chat one after the other, up to the first that must be retried. */
  const handleChat = async (updates: readonly Update[]): Promise<void> => {
    for (const update of updates) {
      if (!lease.isHeld() || (await handle(update)) === 'retry') return
      await store.updates.done(update.update_id)
    }
  }

  /** Handles the oldest updates in the inbox. @returns true if there may be more updates. */
  const handleOldest = async (): Promise<boolean> => {
    const kept = await store.updates.oldest(maxAtOnce)
    const opened = kept.map((each) => ({ id: each.id, update: open(each) }))
    for (const { id, update } of opened) if (!update) await store.updates.done(id)
    const updates = opened.flatMap(({ update }) => update ?? [])
    const chats = Map.groupBy(updates, (update) => chatOf(update) ?? `update ${update.update_id}`)
    await Promise.all([...chats.values()].map(handleChat))
    return kept.length === maxAtOnce
  }

  const loop = createLoop({
    work: async () => {
      if (lease.isHeld() && (await handleOldest())) loop.wake()
    },
    everyMs: lookEveryMs,
    onError: (error) => log.error({ err: error }, 'kept updates could not be read'),
  })

  return {
    accept: async (update) => {
      try {
        await store.updates.keep(
          update,
          keyring.seal(JSON.stringify(update), placeOf(update.update_id)),
          now(),
        )
      } catch (error) {
        log.error({ updateId: update.update_id, err: error }, 'an update could not be kept')
        if (await outages.health.look()) await outages.replies.answer(update)
        return 'retry'
      }
      loop.wake()
      return 'done'
    },
    start: loop.start,
    stop: loop.stop,
    trouble: () => null,
    givenUp: new Promise(() => {}),
  }
}

const placeOf = (updateId: number): string => `update ${updateId}`
