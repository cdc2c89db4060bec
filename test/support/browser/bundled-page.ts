import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { newFolder } from '../folder.ts'

/** The folder of the sandbox page, as it is served. */
export const pageSource = join(import.meta.dirname, '../../../src/sandbox/page')

/**
 * @returns a new folder with the page and its forty modules bundled into one, which a browser loads in two thirds of
 * the CPU time.
 */
export const bundledPage = async (): Promise<string> => {
  const folder = await newFolder()
  await cp(pageSource, folder, { recursive: true })
  const build = await rolldown({ input: join(pageSource, 'app.js'), tsconfig: false })
  await build.write({ file: join(folder, 'app.js'), format: 'esm' })
  await build.close()
  return folder
}
