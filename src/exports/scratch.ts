import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../messaging/leader-lease.ts'

/**
 * The beginning of the folder's name. It contains the process id, so that the leftovers of a killed process can be
 * distinguished from folders in use.
 */
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
 * Removes folders left by processes that were killed while they wrote or sent a file, because these folders contain
 * people's numbers. Call it before this process makes such a folder itself.
 */
export const removeLeftovers = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^bundlegram-export-(\d+)-/.exec(name) ?? []
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    const path = join(tmpdir(), name)
    // Leaves out folders of that name made by other users of the machine: an attempt to remove one would fail and end
    // the loop.
    if (await isOurs(path)) await rm(path, { recursive: true, force: true })
  }
}

const isOurs = async (path: string): Promise<boolean> => {
  const uid = process.getuid?.()
  const found = await lstat(path).catch(() => null)
  return found !== null && (uid === undefined || found.uid === uid)
}
