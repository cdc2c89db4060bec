import type { AddressInfo } from 'node:net'
import { botRoutes } from './bot-routes.ts'
import { controlRoutes } from './control-routes.ts'
import { ControlRefusal } from './refusal.ts'
import { createServer } from './server.ts'
import { type SimulatedBot, simulateBot } from './simulated-bot.ts'
import type { TelegramOptions, TelegramSimulator } from './simulator.ts'
import { staticFiles } from './static-files.ts'

export { chatOf, type TestChat } from './chat.ts'
export type * from './control.ts'
export type { FloodLimits } from './flood.ts'
export type { TelegramOptions, TelegramSimulator } from './simulator.ts'

/** Starts a simulated Telegram on this machine. Rejects with `EADDRINUSE` if the port is taken. */
export async function createTelegramSimulator(options: TelegramOptions = {}): Promise<TelegramSimulator> {
  const app = createServer()
  const bots: SimulatedBot[] = []
  const addBot: TelegramSimulator['addBot'] = (own = {}) => {
    const id = firstId + bots.length
    const { username = `sandbox_${bots.length + 1}_bot`, name = 'Bundlegram', people, onRenewed } = own
    requireFree(username, bots)
    const made = simulateBot(
      {
        ...{ ...options, ...(people && { people }) },
        token: `${id}:AAsandbox-token-of-no-telegram-bot_`,
        bot: { username, first_name: name },
      },
      { addBot, onRenewed, close: async () => {} },
    )
    bots.push(made)
    return Object.assign(made.simulator, addresses())
  }
  const main = simulateBot(options, {
    addBot,
    close: async () => {
      await Promise.all(bots.slice(1).map(({ simulator }) => simulator.close()))
      await app.close()
    },
  })
  bots.push(main)
  const { simulator } = main
  const firstId = simulator.state().bot.id

  botRoutes(app, (token) => bots.find((bot) => bot.simulator.token === token) ?? null)
  const find = (username: string | null) => (username === null ? main : (named(username, bots) ?? null))
  controlRoutes(app, { find, extra: options.extra ?? {} })
  if (options.pageDir !== undefined) staticFiles(app, options.pageDir)
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  const addresses = () => {
    const url = `http://127.0.0.1:${portOf(app.server.address())}`
    return { url, controlUrl: `${url}/_sim`, pageUrl: `${url}/` }
  }
  return Object.assign(simulator, addresses())
}

/** A bot's username is a word of Latin letters, digits and `_` that ends in `bot`, and no other bot's. */
function requireFree(username: string, bots: readonly SimulatedBot[]): void {
  if (!/^[a-z]\w{1,28}bot$/i.test(username)) {
    throw new ControlRefusal(400, `“${username}” can be no bot's username. It has to end in “bot”.`)
  }
  if (named(username, bots)) throw new ControlRefusal(409, `@${username} is taken.`)
}

function named(username: string, bots: readonly SimulatedBot[]): SimulatedBot | undefined {
  return bots.find(
    ({ simulator }) => simulator.state().bot.username?.toLowerCase() === username.toLowerCase(),
  )
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
