import { run } from '../../src/application/application.ts'
import { readConfig } from '../../src/config.ts'

/**
 * The bot as `npm start` runs it, except that it answers everybody: everybody who writes to it here is a stranger.
 */
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
await run(result.config, { admission: null })
