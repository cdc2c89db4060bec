import type { Topic } from '../../src/database/signals.ts'
import { type Claims, createClaims, unshared } from '../../src/relay/claims.ts'
import type { ClaimWatch } from './claim-watch.ts'
import { claimName } from './claim-watch.ts'
import type { Connection } from './connection.ts'
import type { BotProcess } from './process.ts'
import type { World } from './world.ts'

const everyMs = 1_000

interface ClaimingOptions {
  topic: Topic
  connection: Connection
  watch: ClaimWatch
  hasEnded: (token: string) => boolean
  wake: (token: string) => void
}

/** A process's claims. They are renewed by the virtual clock, while there are any. */
export const claimsOf = <Key extends string | number>(
  world: World,
  process: BotProcess,
  { topic, connection, watch, hasEnded, wake }: ClaimingOptions,
): Claims<Key> => {
  if (!world.hasInstances) return unshared<Key>()
  const { takeAll, giveAll } = world.store.locks
  const claims = createClaims<Key>({
    ...{ topic, token: process.token, hasEnded, wake },
    monotonicMs: process.clock.monotonicMs,
    wallMs: () => process.clock.nowMs,
    locks: {
      takeAll: (...asked) => connection.query('locks.takeAll', () => takeAll(...asked)),
      giveAll: (...asked) => connection.query('locks.giveAll', () => giveAll(...asked)),
    },
  })
  const shown = (world.mutation.claims?.(claims as Claims<string | number>, topic) ?? claims) as Claims<Key>
  const known = new Set<Key>()
  const working = new Set<Key>()
  let isArmed = false

  const arm = (): void => {
    if (isArmed) return
    isArmed = true
    world.timeline.at(world.nowMs + everyMs, process, () => {
      isArmed = false
      void shown
        .round()
        .catch(() => {})
        .then(() => {
          for (const key of known) if (!working.has(key) && !shown.holds(key)) known.delete(key)
          if (known.size > 0) arm()
        })
    })
  }

  const begin = (keys: readonly Key[]): void => {
    for (const key of keys) {
      known.add(key)
      working.add(key)
      watch.begins(claimName(topic, key), process)
    }
    if (keys.length > 0) arm()
  }

  return {
    ...shown,
    take: async (keys) => {
      const mine = await shown.take(keys)
      begin([...mine])
      return mine
    },
    give: (key, keptMs) => {
      working.delete(key)
      watch.ends(claimName(topic, key), process)
      shown.give(key, keptMs)
    },
  }
}
