import { onTestFinished } from 'vitest'
import {
  createProvider,
  type ProviderAccountState,
  type ProviderOptions,
  type ProviderSimulator,
} from '../../../src/sandbox/index.ts'

/** Starts a provider for the running test. */
export const startProvider = async (options: ProviderOptions = {}): Promise<ProviderSimulator> => {
  const provider = await createProvider(options)
  onTestFinished(() => provider.stop())
  return provider
}

export interface Reply {
  status: number
  headers: Headers
  text: string
}

/** Makes requests as one account, and returns the answers as they are. */
export const clientOf = (
  provider: ProviderSimulator,
  account: Pick<ProviderAccountState, 'apiKey' | 'apiSecret'> = provider.account('agent'),
) => {
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const headers = {
      'x-api-key': account.apiKey,
      'x-api-secret': account.apiSecret,
      'content-type': 'application/json',
    }
    const response = await fetch(provider.url + path, { redirect: 'manual', headers, ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init })
  return {
    get: (path: string) => send(path, {}),
    post,
    order: (order: Record<string, unknown> = {}) => post('/order', { ...mtn5gb, ...order }),
    bulk: (order: Record<string, unknown>) => post('/order/bulk', { bundle_id: mtn5gb.bundle_id, ...order }),
  }
}

/** A valid order: 5GB of MTN, GHS 23.50 for an agent. */
export const mtn5gb = { bundle_id: 4, phone: '0241234567' }

export const json = (reply: Reply): Record<string, unknown> => JSON.parse(reply.text)

/** Reference of the latest order. */
export const latest = (provider: ProviderSimulator): string => {
  const order = provider.orders().at(-1)
  if (!order) throw new Error('Nothing was ordered')
  return order.reference
}

/** Waits until the condition holds, and checks it at each change of the simulator. */
export const until = (provider: ProviderSimulator, holds: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!holds()) return
      stop()
      resolve()
    }
    const stop = provider.on(look)
    look()
  })
