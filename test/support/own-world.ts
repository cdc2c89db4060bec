import { afterAll, beforeAll } from 'vitest'
import { createWorld, type World, type WorldOptions } from './world.ts'

/**
 * For the tests of the block in which it is called: another world in the place of the file's, such as one whose bot is
 * a process that can be killed.
 * @param file where the file has its world.
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
