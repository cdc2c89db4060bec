import { join } from 'node:path'
import { createServer } from './bot-api/bot-api-server.ts'
import { botRoutes } from './bot-api/bot-routes.ts'
import { controlRoutes } from './control/control-routes.ts'
import { staticFiles } from './control/static-files.ts'
import { simulateBot } from './simulated-bot.ts'
import type { TelegramOptions, TelegramSimulator } from './simulator.ts'

export type { FloodLimits } from './bot-api/flood.ts'
export { chatOf, type SentFile, type SentPhoto, type TestChat } from './chat.ts'
export type * from './control/control.ts'
export { parseHtml } from './messages/html.ts'
export type { TelegramOptions, TelegramSimulator } from './simulator.ts'

/** Starts a simulated Telegram on this machine. Rejects with `EADDRINUSE` if the port is taken. */
export async function createTelegram(options: TelegramOptions = {}): Promise<TelegramSimulator> {
  const app = createServer()
  const bot = simulateBot(options, async () => void (await app.close()))
  botRoutes(app, bot)
  controlRoutes(app, { ...bot, provider: options.provider })
  staticFiles(app, options.pageDir ?? join(import.meta.dirname, '../page'))
  const url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  return Object.assign(bot.simulator, { url, controlUrl: `${url}/_sim`, pageUrl: `${url}/` })
}
