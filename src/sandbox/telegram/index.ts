import type { AddressInfo } from 'node:net'
import { botRoutes } from './bot-routes.ts'
import { controlRoutes } from './control-routes.ts'
import { createServer } from './server.ts'
import { simulateBot } from './simulated-bot.ts'
import type { TelegramOptions, TelegramSimulator } from './simulator.ts'
import { staticFiles } from './static-files.ts'

export { chatOf, type TestChat } from './chat.ts'
export type * from './control.ts'
export type { FloodLimits } from './flood.ts'
export type { TelegramOptions, TelegramSimulator } from './simulator.ts'

/** Starts a simulated Telegram on this machine. Rejects with `EADDRINUSE` if the port is taken. */
export async function createTelegramSimulator(options: TelegramOptions = {}): Promise<TelegramSimulator> {
  const app = createServer()
  const bot = simulateBot(options, async () => void (await app.close()))
  botRoutes(app, bot)
  controlRoutes(app, { ...bot, extra: options.extra ?? {} })
  if (options.pageDir !== undefined) staticFiles(app, options.pageDir)
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  const url = `http://127.0.0.1:${portOf(app.server.address())}`
  return Object.assign(bot.simulator, { url, controlUrl: `${url}/_sim`, pageUrl: `${url}/` })
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
