import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../messaging/leader-lease.ts'

/** The name tells the process, so that leftovers of a killed process can be told from folders in use. */
const folderPrefix = (): string => `bundlegram-export-${process.pid}-`

/** Gives `use` a folder that only this user of the machine can look into, and removes it with all in it. */
export const withScratchFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix()))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Removes folders left by processes that were killed while they wrote or sent a file, because these hold people's
 * numbers. To be called before this process has such a folder itself.
 */
export const removeLeftovers = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^bundlegram-export-(\d+)-/.exec(name) ?? []
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    const path = join(tmpdir(), name)
    // Anybody on the machine may have made a folder of that name. Trying to remove theirs would fail, and leave the
    // others.
    if (await isOurs(path)) await rm(path, { recursive: true, force: true })
  }
}

const isOurs = async (path: string): Promise<boolean> => {
  const uid = process.getuid?.()
  const found = await lstat(path).catch(() => null)
  return found !== null && (uid === undefined || found.uid === uid)
}
