import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A program under measurement. One that ends by itself ends the benchmark, with what it printed. */
export interface Program {
  stop(): Promise<void>
  /** Time of the processor that it has used since its start, ms. */
  cpuMs(): number
  /** What it holds of the machine's memory now, MB. */
  residentMb(): number
  /** The most that it ever held, MB. */
  peakMb(): number
}

/** @param file from the root of the repository; runs with the flags of `npm start`, in `cwd`, where there is no `.env`. */
export const startProgram = (file: string, env: Record<string, string>, cwd: string): Program => {
  const tether = join(root, 'src/commands/sandbox/tether.ts')
  const flags = ['--disable-warning=ExperimentalWarning', '--import', tether]
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [...flags, join(root, file)], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/bundlegram-bench'), ...env },
    // The channel: it ends when the benchmark does, however that ends.
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

/** Linux counts the processor's time in hundredths of a second. */
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
