import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { examine } from '../../src/doctor/examination.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import {
  createProvider,
  createTelegram,
  type ProviderSimulator,
  type TelegramSimulator,
} from '../../src/sandbox/index.ts'
import { readConfig } from '../../src/start/config.ts'
import { newFolder } from '../support/folder.ts'
import { newPort } from '../support/network/port.ts'

/** Everything that the bot needs, without the bot itself. */
export interface Place {
  telegram: TelegramSimulator
  provider: ProviderSimulator
  databasePath: string
  key: string
  env: Record<string, string>
}

export const newKey = (): string => randomBytes(32).toString('base64')

export const newPlace = async (): Promise<Place> => {
  const folder = await newFolder()
  const [telegram, provider] = await Promise.all([createTelegram(), createProvider()])
  onTestFinished(async () => {
    await Promise.all([telegram.stop(), provider.stop(), rm(folder, { recursive: true })])
  })
  const key = newKey()
  const port = await newPort()
  const databasePath = join(folder, 'bundlegram.db')
  const env = {
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    BUNDLE_API_URL: provider.url,
    CREDENTIALS_KEY: key,
    DATABASE_URL: `file:${databasePath}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
    OWNER_IDS: '1',
  }
  return { telegram, provider, databasePath, key, env }
}

/** What the doctor finds in that place. */
export const findingsIn = ({ env }: Place, other: Record<string, string> = {}): Promise<Finding[]> =>
  examine(readConfig({ ...env, ...other }), { secretFiles: [] })

/** The grade and text of each finding about `what`. */
export const about = (findings: readonly Finding[], what: string): string[] =>
  findings.filter((each) => each.what === what).map(({ grade, finding }) => `${grade} ${finding}`)

/** The failures, each with its remedy. */
export const failures = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ grade }) => grade === 'fail')
    .map(({ what, finding, remedy }) => `${what}: ${finding} → ${remedy}`)

/** Starts a server with this handler, which stops when the test ends. */
export const listen = async (handler: RequestListener, port = 0): Promise<string> => {
  const server = createServer(handler).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

export const page: RequestListener = (_request, answer) => {
  answer.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>')
}
