import { createServer } from 'node:http'
import { run } from '../../src/application/application.ts'
import { readConfig } from '../../src/config.ts'
import { telegramLimits } from '../../src/relay/pacer.ts'
import { watchTraffic } from '../support/traffic.ts'

/**
 * The bot as `npm start` runs it, except that it sends as fast as it can, takes in everything, and tells what it said
 * to its PostgreSQL at the socket of TRAFFIC_SOCKET: each answer has all since the last one. `/idle` says that nothing
 * was to do.
 */
const unlimited = { costMs: 0, burst: 1 }
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
const watch = watchTraffic()
createServer(({ url }, answer) =>
  answer.end(JSON.stringify(url === '/idle' ? watch.takeAsIdle() : watch.take())),
)
  .listen(process.env.TRAFFIC_SOCKET)
  .unref()
await run(result.config, {
  pace: { ...telegramLimits, bulk: unlimited, replies: unlimited, chat: unlimited, group: unlimited },
  admission: null,
})
