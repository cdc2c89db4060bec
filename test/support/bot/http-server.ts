import { randomBytes } from 'node:crypto'
import type { Update } from 'grammy/types'
import { onTestFinished } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { newId } from '../../../src/database/id.ts'
import { createHttpServer } from '../../../src/http/server.ts'
import type { NewStatusReport } from '../../../src/store/orders/status-reports.ts'
import { createKeyring, type Keyring } from '../../../src/wallets/credentials/keyring.ts'

/** The HTTP server without the rest of the bot. It collects callbacks and updates in lists and has no database. */
export interface ServerAlone {
  url: string
  keyring: Keyring
  events: NewStatusReport[]
  updates: Update[]
  logged: string[]
  /** The path for callbacks of a new order. */
  newCallbackPath(): string
}

export const newServerAlone = async (
  options: {
    onUpdate?: (update: Update) => Promise<void>
    updates?: 'polling' | 'webhook'
    metricsToken?: string
    /** Whether `/metrics` is served on its port. */
    metrics?: boolean
    telegramTrouble?: () => string | null
    notReady?: () => Promise<string[]>
  } = {},
): Promise<ServerAlone> => {
  const keyring = createKeyring([randomBytes(32)])
  const [events, updates, logged]: [NewStatusReport[], Update[], string[]] = [[], [], []]
  const server = createHttpServer({
    keyring,
    inbox: { accept: async (event) => void events.push(event), quiet: async () => {} },
    callbackLimit: { hasRoom: async () => true },
    onUpdate:
      options.updates === 'polling'
        ? null
        : async (update) => {
            updates.push(update)
            await options.onUpdate?.(update)
            return 'done'
          },
    notReady: options.notReady ?? (async () => []),
    diskTrouble: () => null,
    databaseTrouble: () => null,
    telegramTrouble: options.telegramTrouble ?? (() => null),
    metrics:
      options.metrics === false
        ? null
        : {
            read: async () => ({ contentType: 'text/plain', text: 'a_metric 1\n' }),
            token: options.metricsToken ?? null,
          },
    now: () => new Date(),
    log: createLog('trace', [], { write: (line) => void logged.push(line) }),
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const newCallbackPath = () => `/webhooks/${keyring.sign('webhook', newId())}`
  return { url: server.listeningOrigin, keyring, events, updates, logged, newCallbackPath }
}
