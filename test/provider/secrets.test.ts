import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createConnections, createProvider, ProviderError } from '../../src/provider/index.ts'
import { canaries, clientOf, singleOrder } from './client.ts'
import { always, jsonAnswer, startRawServer } from './raw-server.ts'

/** Everything that a careless log could print of a value, including its causes and hidden properties. */
const shown = (value: unknown): string => {
  const texts = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
  ]
  if (value instanceof Error)
    texts.push(value.stack ?? '', value.cause === undefined ? '' : shown(value.cause))
  return texts.join('\n')
}

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  )

test('a client of the provider shows no secret when it is printed, during a request or after it', async () => {
  const server = await startRawServer(() => {})
  const connections = createConnections()
  const client = clientOf(server, { connections })
  const abort = new AbortController()
  const calls = [client.placeOrder(singleOrder, abort), caught(client.balance(abort))]
  await server.arrived(2)
  expect(shown(client) + shown(connections)).not.toContain('CANARY')
  abort.abort()
  expect(shown(await Promise.all(calls))).not.toContain('CANARY')
  expect(server.received).toContain(canaries.apiSecret)
})

const echo = {
  success: false,
  error: `key ${canaries.apiKey}`,
  type: `T-${canaries.apiSecret}`,
  message: `Rejected ${canaries.apiKey} with ${canaries.apiSecret}`,
}

test.each([400, 401, 404, 422, 500])(
  'secrets that the provider quotes in an answer with the HTTP status %i are masked in the error',
  async (status) => {
    const client = clientOf(await startRawServer(always(jsonAnswer(status, echo))))
    const error = await caught(client.balance())
    expect(error).toBeInstanceOf(ProviderError)
    expect(shown(error)).toContain('Rejected ••• with •••')
    expect(shown(error)).not.toContain('CANARY')
    expect(shown(await client.placeOrder(singleOrder))).not.toContain('CANARY')
  },
)

test('no network error of the provider’s client shows a secret', async () => {
  const resetting = await startRawServer((socket) => socket.resetAndDestroy())
  const gibberish = await startRawServer((socket, { head }) => socket.write(`\0${head}\r\n\r\n`))
  const gone = await startRawServer(() => {})
  await gone.close()
  for (const server of [resetting, gibberish, gone]) {
    const client = clientOf(server)
    const error = await caught(client.balance())
    expect(error).toBeInstanceOf(ProviderError)
    expect(shown([error, await client.placeOrder(singleOrder)])).not.toContain('CANARY')
  }
})

test.each([
  ['a line break', `${canaries.apiKey}\r\nX-Admin: CANARY`],
  ['a line feed at the end', `${canaries.apiKey}\n`],
  ['a space', `${canaries.apiKey} `],
  ['a letter outside ASCII', `${canaries.apiKey}é`],
  ['a letter outside Latin 1', `${canaries.apiKey}ŋ`],
  ['a NUL', `${canaries.apiKey}\0`],
  ['no characters', ''],
  ['many kilobytes', canaries.apiKey.repeat(1000)],
])('credentials with %s are refused immediately, without being quoted', (_fault, value) => {
  for (const wrong of [{ apiKey: value }, { apiSecret: value }]) {
    const create = () => createProvider({ baseUrl: 'https://api.example/api/v1', ...canaries, ...wrong })
    expect(create).toThrow(expect.objectContaining({ name: 'ProviderError', code: 'invalid_credentials' }))
    expect(create).toThrow(expect.not.objectContaining({ message: expect.stringContaining('CANARY') }))
  }
})

test('an error about refused input does not quote the input', async () => {
  const server = await startRawServer(() => {})
  const error = await caught(clientOf(server).orderStatus(`${canaries.apiSecret}/`))
  expect(shown(error)).not.toContain('CANARY')
})
