import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of a core that a process may use, as on a small rented machine: by a control group of Linux. */

/** Short, so that a process that has used its part stands still for some milliseconds and not for a tenth of a second. */
const periodUs = 20_000

const second = '/sys/fs/cgroup'
const first = '/sys/fs/cgroup/cpu'

/** Where groups are made, and how one is told its limit, in either version of Linux's control groups. */
const version = (): { root: string; limits: (quotaUs: number) => [file: string, value: string][] } => {
  if (controllersOf(second).includes('cpu')) {
    return { root: second, limits: (quotaUs) => [['cpu.max', `${quotaUs} ${periodUs}`]] }
  }
  return {
    root: first,
    limits: (quotaUs) => [
      ['cpu.cfs_period_us', `${periodUs}`],
      ['cpu.cfs_quota_us', `${quotaUs}`],
    ],
  }
}

const controllersOf = (root: string): string[] => {
  const path = join(root, 'cgroup.controllers')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ') : []
}

/** Removed when the bench ends: its programs have been ended by then. */
const groups = new Set<string>()

/**
 * Lets a process use so much of a core, all its threads together.
 * @throws an error with words if this machine has no control groups, or does not let us make one.
 */
export const limitCores = (pid: number, cores: number): void => {
  const { root, limits } = version()
  const group = join(root, `bundlegram-bench-${pid}`)
  try {
    // Only the second version has it: there the group gets the files of the processor so.
    if (root === second) writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
    mkdirSync(group, { recursive: true })
    // Set up after the handler that ends the programs, so that it runs after it.
    if (groups.size === 0) process.once('exit', () => groups.forEach(removeGroup))
    groups.add(group)
    for (const [file, value] of limits(Math.round(cores * periodUs))) writeFileSync(join(group, file), value)
    writeFileSync(join(group, 'cgroup.procs'), `${pid}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `--cores makes a control group for each instance. That takes Linux, root, and ${root} writable: ${reason}`,
    )
  }
}

const lookAgainMs = 20
const patienceMs = 2_000

/** A killed process leaves its group a moment later. Waits for that in the turn, because the bench may be ending. */
const removeGroup = (group: string): void => {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let waitedMs = 0; existsSync(group) && waitedMs < patienceMs; waitedMs += lookAgainMs) {
    try {
      rmdirSync(group)
    } catch {
      Atomics.wait(sleeper, 0, 0, lookAgainMs)
    }
  }
}
