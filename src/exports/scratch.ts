import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../messaging/leader-lease.ts'

/** The beginning of the folder's name. Its process id tells the leftovers of a killed process from folders in use. */
const folderPrefix = (): string => `bundlegram-export-${process.pid}-`

/** Gives `use` a folder that only this user of the machine can read, and removes the folder afterwards. */
export const withScratchFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix()))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Removes the folders of processes that were killed while they wrote or sent a file, because these folders contain
 * people's numbers. Call it before this process creates such a folder.
 */
export const removeLeftovers = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^bundlegram-export-(\d+)-/.exec(name) ?? []
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    const path = join(tmpdir(), name)
    // Folders of that name that belong to other users of the machine are left out: an attempt to remove one would
    // fail and end the loop.
    if (await isOurs(path)) await rm(path, { recursive: true, force: true })
  }
}

const isOurs = async (path: string): Promise<boolean> => {
  const uid = process.getuid?.()
  const found = await lstat(path).catch(() => null)
  return found !== null && (uid === undefined || found.uid === uid)
}
