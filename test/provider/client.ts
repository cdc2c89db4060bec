import { onTestFinished } from 'vitest'
import {
  createConnections,
  createProvider,
  type Phone,
  type ProviderOptions,
} from '../../src/provider/index.ts'

export const phone = '0241234567' as Phone

/** Credentials that stand out wherever they turn up. */
export const canaries = { apiKey: 'KEY-CANARY-5f2a91', apiSecret: 'SECRET-CANARY-77c0de' }

export const singleOrder = { bundleId: 7, phone }

/** A client of a server on this machine; its connections end with the test. */
export const clientOf = (
  server: { port: number },
  options: Partial<ProviderOptions> & { scheme?: 'http' | 'https' } = {},
) => {
  const { scheme = 'http', ...rest } = options
  const connections = createConnections()
  onTestFinished(() => connections.close())
  const baseUrl = `${scheme}://127.0.0.1:${server.port}/api/v1`
  return createProvider({ baseUrl, ...canaries, connections, ...rest })
}
