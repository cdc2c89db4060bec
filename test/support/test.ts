import { test as base } from 'vitest'
import { createWorld } from './world.ts'

/**
 * A test of the bot. All such tests of a worker share one world, across files. So each uses its own people and accounts,
 * and leaves nothing behind.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructured first parameter, and this fixture needs no other fixture.
  .extend('world', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const world = await createWorld()
    onCleanup(() => world.close())
    return world
  })
  /** Somebody who has not written yet. */
  .extend('person', ({ world }) => world.newPerson())
  /** Somebody who has connected a new account. */
  .extend('reseller', ({ world }) => world.newReseller())
