import { expect, onTestFinished, test } from 'vitest'
import { createProvider, createTelegram } from '../../src/sandbox/index.ts'
import { exchange } from '../support/network/wire.ts'

const simulators: [string, () => Promise<{ url: string; stop(): Promise<void> }>][] = [
  ['telegram', createTelegram],
  ['provider', createProvider],
]

test.each(simulators)(
  'a foreign web page whose host name resolves to the simulated %s can read nothing from it',
  async (_, create) => {
    const simulator = await create()
    onTestFinished(() => simulator.stop())
    const { origin } = new URL(simulator.url)
    const ask = (host: string) =>
      exchange(origin, `GET /_sim/state HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    for (const own of ['127.0.0.1:8081', 'localhost', '[::1]:8081'])
      expect(await ask(own)).toMatch(/^HTTP\/1\.1 200 /)
    for (const foreign of [
      'evil.example',
      'localhost.evil.example:80',
      '127.0.0.1.evil.example',
      '192.168.0.2',
    ])
      expect(await ask(foreign)).toMatch(/^HTTP\/1\.1 403 /)
  },
)
