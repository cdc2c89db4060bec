import { test as base } from 'vitest'
import { createWorld } from './world.ts'

/**
 * A test of the bot in a world that all such tests of a worker share, whatever their file: it has people and accounts of
 * its own, and changes nothing that others see.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads in the pattern what the world needs.
  .extend('world', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const world = await createWorld()
    onCleanup(() => world.close())
    return world
  })
  /** Somebody who has not written yet. */
  .extend('person', ({ world }) => world.newPerson())
  /** Somebody who has connected a new account. */
  .extend('reseller', ({ world }) => world.newReseller())
