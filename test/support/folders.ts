import { rm } from 'node:fs/promises'
import { newFolder } from './folder.ts'

/** Global setup: all folders of the tests are in one folder, which is removed at the end of the run. */
export const setup = async (): Promise<() => Promise<void>> => {
  const folder = await newFolder()
  process.env.TEST_FOLDER = folder
  return () => rm(folder, { recursive: true, force: true })
}
