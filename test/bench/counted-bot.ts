import { createServer } from 'node:http'
import { run } from '../../src/application/application.ts'
import { readConfig } from '../../src/config.ts'
import { telegramLimits } from '../../src/relay/pacer.ts'
import { type Traffic, watchTraffic } from '../support/traffic.ts'

/** What a process of the bot spent since it was asked last. */
export interface Spent extends Traffic {
  /** Time of the processor. */
  cpuMs: number
}

/**
 * The bot as `npm start` runs it, except that it sends as fast as it can, takes in everything, and tells what it spent
 * at the socket of TRAFFIC_SOCKET. `/idle` says that nothing was to do.
 */
const unlimited = { costMs: 0, burst: 1 }
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
const watch = watchTraffic()
let usage = process.cpuUsage()
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage(usage)
  usage = process.cpuUsage()
  return (user + system) / 1_000
}
createServer(({ url }, answer) => {
  const spent: Spent = { ...(url === '/idle' ? watch.takeAsIdle() : watch.take()), cpuMs: cpuMs() }
  answer.end(JSON.stringify(spent))
})
  .listen(process.env.TRAFFIC_SOCKET)
  .unref()
await run(result.config, {
  pace: { ...telegramLimits, bulk: unlimited, replies: unlimited, chat: unlimited, group: unlimited },
  admission: null,
})
