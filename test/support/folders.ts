import { rm } from 'node:fs/promises'
import { newFolder } from './folder.ts'

/** Around the tests: their folders stand in one, which goes with them, however they ended. */
export const setup = async (): Promise<() => Promise<void>> => {
  const folder = await newFolder()
  process.env.TEST_FOLDER = folder
  return () => rm(folder, { recursive: true, force: true })
}
