import { afterAll, beforeAll } from 'vitest'
import { createWorld, type World, type WorldOptions } from './world.ts'

/**
 * Gives the tests of the current `describe` another world than the file's, e.g. one whose bot is a process that can be
 * killed. @param file gets and sets the world that the file uses.
 */
export const inWorldOfItsOwn = (
  file: { get(): World; set(world: World): void },
  options: WorldOptions,
): void => {
  let usual: World
  beforeAll(async () => {
    usual = file.get()
    file.set(await createWorld(options))
  })
  afterAll(async () => {
    const own = file.get()
    file.set(usual)
    await own.close()
  })
}
