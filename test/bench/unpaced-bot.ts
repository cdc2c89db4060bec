import { start } from '../../src/application/application.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'

/** The bot as `npm start` runs it, except that it sends as fast as it can and answers everybody: for a Telegram without limits. */
const unlimited = { costMs: 0, burst: 1 }
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
const { config } = result
await start(config, createLog(config.logLevel, [config.telegram.token]), {
  pace: {
    ...{ bulk: unlimited, replies: unlimited, chat: unlimited, group: unlimited },
    redrawMs: 0,
  },
  admission: null,
})
