import { test as base } from 'vitest'
import { createWorld } from './world.ts'

/**
 * A test of the bot. All such tests of a worker share one world, across files, so each uses people and accounts of its own
 * and leaves nothing behind.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern, and this fixture uses no other.
  .extend('world', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const world = await createWorld()
    onCleanup(() => world.close())
    return world
  })
  /** Somebody who has not written yet. */
  .extend('person', ({ world }) => world.newPerson())
  /** Somebody who has connected a new account. */
  .extend('reseller', ({ world }) => world.newReseller())
