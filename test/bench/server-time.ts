import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the processor's time in hundredths of a second. */
const tickMs = 10

/** The processor's time of all servers of PostgreSQL on this machine that still run, by Linux's account of processes. */
export const serverCpuMs = (): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat.includes('(postgres)'))
    .map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
    .reduce((sum, fields) => sum + tickMs * (Number(fields[11]) + Number(fields[12])), 0)

/** Empty for a process that has ended meanwhile. */
const statOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return ''
  }
}
