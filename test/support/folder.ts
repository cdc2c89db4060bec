import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for the database of a test. In memory if the machine has a place for that: each commit would wait for a
 * disk, and the tests kill processes, not machines, so they need none. `TEST_FOLDER` names another place, for tests
 * that may be killed before they remove the folder.
 */
export const newFolder = (): Promise<string> =>
  mkdtemp(
    join(process.env.TEST_FOLDER ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir()), 'bundlegram-test-'),
  )
