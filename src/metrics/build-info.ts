import { version } from '../installation.ts'
import { type Family, gauge } from './counting.ts'

/** The version that runs, with its Node and database, to compare instances. */
export const buildInfo = (database: string): Family =>
  gauge('bundlegram_build_info', 'What runs; always 1.', [
    { labels: { version, node: process.version, database }, value: 1 },
  ])
