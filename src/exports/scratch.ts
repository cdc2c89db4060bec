import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../relay/lease.ts'

/** Its name says whose it is, so that what a killed process left behind can be told from what is in use. */
const folderPrefix = (): string => `bundlegram-export-${process.pid}-`

/** Lets `use` have a folder that only this user of the machine can look into, and removes it with all in it. */
export const withScratchFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix()))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Removes what processes left behind that were killed while they wrote or sent a file: it holds people's numbers.
 * To be called before this process has such a folder itself.
 */
export const removeLeftovers = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^bundlegram-export-(\d+)-/.exec(name) ?? []
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    const path = join(tmpdir(), name)
    // Anybody on the machine may have made one of that name: theirs would stop us, and hold up the others.
    if (await isOurs(path)) await rm(path, { recursive: true, force: true })
  }
}

const isOurs = async (path: string): Promise<boolean> => {
  const uid = process.getuid?.()
  const found = await lstat(path).catch(() => null)
  return found !== null && (uid === undefined || found.uid === uid)
}
