import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A PostgreSQL that we start ourselves and can restart. */
export interface PostgresServer {
  url: string
  /** `fast` shuts the server down properly. `immediate` is like a crash: the server then recovers from its log. */
  restart(mode: 'fast' | 'immediate', downMs: number): Promise<void>
  close(): Promise<void>
}

/** Debian installs the server's programs outside the PATH, in a folder for each version. */
const programsFolder = async (): Promise<string | null> => {
  const base = '/usr/lib/postgresql'
  if (!existsSync(base)) return null
  const versions = (await readdir(base)).sort((a, b) => Number(b) - Number(a))
  const found = versions
    .map((version) => join(base, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
  return found ?? null
}

/** @returns null if no PostgreSQL server is installed on this machine. */
export const startPostgres = async (port: number): Promise<PostgresServer | null> => {
  const bin = await programsFolder()
  if (bin === null) return null
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-postgres-'))
  // The server refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await run('chown', ['postgres', folder])
  await chmod(folder, 0o700)
  const as = (program: string, args: string[]) =>
    isRoot
      ? run('runuser', ['-u', 'postgres', '--', join(bin, program), ...args], { cwd: '/' })
      : run(join(bin, program), args)
  const data = join(folder, 'data')
  await as('initdb', ['-D', data, '-U', 'bundlegram', '-A', 'trust', '-E', 'UTF8', '--locale=C'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
  const start = () => as('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
  const stop = (mode: string) => as('pg_ctl', ['-D', data, '-w', '-m', mode, 'stop'])
  await start()
  return {
    url: `postgresql://bundlegram@127.0.0.1:${port}/postgres`,
    restart: async (mode, downMs) => {
      await stop(mode)
      await new Promise((resolve) => setTimeout(resolve, downMs))
      await start()
    },
    close: async () => {
      await stop('immediate').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}
