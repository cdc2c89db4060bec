import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A program that is measured. If it ends too early, the benchmark ends with its output. */
export interface Program {
  stop(): Promise<void>
  /** The processor time since its start, ms. */
  cpuMs(): number
  /** The memory that it uses now, MB. */
  residentMb(): number
  /** The most memory that it has used, MB. */
  peakMb(): number
}

/**
 * Starts a program with the flags of `npm start`.
 * @param file its path from the root of the repository.
 * @param cwd a folder without a `.env`.
 */
export const startProgram = (file: string, env: Record<string, string>, cwd: string): Program => {
  const tether = join(root, 'src/commands/sandbox/tether.ts')
  const flags = ['--disable-warning=ExperimentalWarning', '--import', tether]
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [...flags, join(root, file)], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/bundlegram-bench'), ...env },
    // The IPC channel closes when the benchmark ends for any reason, and then the program ends too.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let isStopping = false
  const ended = once(child, 'exit').then(([code]) => {
    if (isStopping) return
    process.stderr.write(`${file} ended by itself (${code}).\n`)
    process.exit(1)
  })
  return {
    stop: async () => {
      isStopping = true
      child.kill('SIGTERM')
      await ended
    },
    cpuMs: () => cpuMs(child.pid),
    residentMb: () => megabytes(child.pid, 'VmRSS'),
    peakMb: () => megabytes(child.pid, 'VmHWM'),
  }
}

/** Linux counts processor time in hundredths of a second. */
const tickMs = 10

const cpuMs = (pid: number | undefined): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return tickMs * (Number(fields[11]) + Number(fields[12]))
}

const megabytes = (pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
}
