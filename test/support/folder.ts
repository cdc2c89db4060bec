import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for a database of a test. In memory where the machine has such a place: the tests end processes,
 * not machines, so nothing depends on the disk, and each commit waits for it. `TEST_FOLDER` names another place, for
 * tests that may be ended before they remove it.
 */
export const newFolder = (): Promise<string> =>
  mkdtemp(
    join(process.env.TEST_FOLDER ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir()), 'bundlegram-test-'),
  )
