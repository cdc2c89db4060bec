import { test as base } from 'vitest'
import { createWorld, type WorldOptions } from './world.ts'

/**
 * A test of the bot. All such tests of a worker share one world, across files. So each uses its own people and
 * accounts, and leaves nothing behind.
 */
export const test = base
  .extend('options', { scope: 'worker' }, (): WorldOptions => ({}))
  .extend('world', { scope: 'worker' }, async ({ options }, { onCleanup }) => {
    const world = await createWorld(options)
    onCleanup(() => world.close())
    return world
  })
  /** Somebody who has not written yet. */
  .extend('person', ({ world }) => world.newPerson())
  /** Somebody who has connected a new account. */
  .extend('reseller', ({ world }) => world.newReseller())
