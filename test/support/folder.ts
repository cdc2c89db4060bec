import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for a test's database. It is in memory if possible, because on a disk each commit would have to wait.
 * The tests kill processes but not machines, so nothing needs a disk. `TEST_FOLDER` names another place, for tests that
 * may be killed before they remove the folder.
 */
export const newFolder = (): Promise<string> =>
  mkdtemp(
    join(process.env.TEST_FOLDER ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir()), 'bundlegram-test-'),
  )
