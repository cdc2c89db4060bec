import { onTestFinished } from 'vitest'
import {
  createConnections,
  createProvider,
  type Phone,
  type ProviderOptions,
} from '../../src/provider/index.ts'

export const phone = '0241234567' as Phone

/** Credentials that are easy to recognise wherever they appear. */
export const canaries = { apiKey: 'KEY-CANARY-5f2a91', apiSecret: 'SECRET-CANARY-77c0de' }

export const singleOrder = { bundleId: 7, phone }

/** A client for a server on this machine. Its connections are closed when the test ends. */
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
