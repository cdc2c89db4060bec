import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

/** A program under measurement, with all that it starts. */
export interface Program {
  pid: number
  /** Rejects when the program fails first. */
  until<T>(condition: Promise<T>): Promise<T>
  /** All that it printed (the last 20,000 characters), when it has ended by itself. */
  printed(): Promise<string>
  /** Lets it end in order. */
  stop(): Promise<void>
  kill(): Promise<void>
}

export interface Launch {
  command: readonly [string, ...string[]]
  env: Record<string, string>
  cwd: string
}

const running = new Set<number>()

/** Each program has a process group of its own: whatever ends the bench takes them along. */
process.on('exit', () => {
  for (const pid of running) signal(pid, 'SIGKILL')
})
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))

/** Starts a program with nothing in its environment but `PATH` and `HOME` and what is given. */
export const launch = ({ command: [file, ...args], env, cwd }: Launch): Program => {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(file, args, {
    cwd,
    env: { PATH, HOME, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pid = child.pid
  if (pid === undefined) throw new Error(`${file} cannot be started.`)
  running.add(pid)
  const output = collect(child)
  const ended = (once(child, 'close') as Promise<[number | null]>).then(([code]) => {
    running.delete(pid)
    return code
  })

  const end = async (name: NodeJS.Signals): Promise<void> => {
    signal(pid, name)
    await ended
  }

  return {
    pid,
    until: (condition) =>
      Promise.race([
        condition,
        ended.then((code) => {
          if (code === 0) return condition
          throw new Error(`${[file, ...args].join(' ')} failed:\n${output().slice(-2000)}`)
        }),
      ]),
    printed: () => ended.then(output),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(-pid, name)
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000)
    })
  }
  return () => text
}

/** What the process holds of the machine's memory now, in MB (of 1,048,576 bytes). Linux only. */
export const residentMegabytes = (pid: number): Promise<number> => megabytesOf(pid, 'VmRSS')

/** The most that it ever held. */
export const peakMegabytes = (pid: number): Promise<number> => megabytesOf(pid, 'VmHWM')

const megabytesOf = async (pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  if (kilobytes === undefined) throw new Error(`There is no ${name} in /proc/${pid}/status.`)
  return Number(kilobytes) / 1024
}
