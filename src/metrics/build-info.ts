import { readFileSync } from 'node:fs'
import { type Family, gauge } from './counting.ts'

/** What runs, for who compares instances. Its file is read when somebody asks for the first time. */
export const buildInfo = (database: string): (() => Family) => {
  let info: Family | null = null
  return () => {
    info ??= gauge('bundlegram_build_info', 'What runs; always 1.', [
      { labels: { version: ownVersion(), node: process.version, database }, value: 1 },
    ])
    return info
  }
}

const ownVersion = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
