import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/commands/sandbox/port.ts'
import {
  chatOf,
  createProvider,
  createTelegram,
  type ProviderAccountState,
  type ProviderSettings,
  type ProviderSimulator,
  type TelegramSimulator,
  type TestChat,
} from '../../src/sandbox/index.ts'
import { asRead } from '../support/as-read.ts'
import { openDistance } from '../support/network/distance.ts'
import { dropSchema } from '../support/postgres/new-schema.ts'
import { schemaPrefix } from '../support/postgres/schemas.ts'
import { type Program, startProgram } from './program.ts'

/** Both simulators, with one program between them. */
export interface Stage {
  telegram: TelegramSimulator
  provider: ProviderSimulator
  /** Where the program's HTTP server answers. */
  url: string
  newChat(): TestChat
  /** Starts a program of this repository, which ends with the stage. */
  start(file: string, env?: Record<string, string>): Program
}

export interface StageOptions {
  /** Whether Telegram has its real limits; by default it has none. */
  limits?: boolean
  settings?: Partial<ProviderSettings>
  /**
   * The added round trip to the PostgreSQL of TEST_DATABASE_URL, ms; 0 adds none. If it is absent, the program uses
   * SQLite.
   */
  rttMs?: number
}

export const onStage = async <T>(
  measure: (stage: Stage) => Promise<T>,
  { limits = false, settings = {}, rttMs }: StageOptions = {},
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-bench-'))
  const database =
    rttMs === undefined
      ? { url: `file:${join(folder, 'bundlegram.db')}`, drop: async () => {} }
      : await newSchema(rttMs)
  const telegram = asRead(await createTelegram(limits ? {} : { flood: false }))
  const provider = await createProvider({ settings: { callbackDelayMs: 0, ...settings } })
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    BUNDLE_API_URL: provider.url,
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: database.url,
    PORT: port,
    PUBLIC_URL: url,
    LOG_LEVEL: 'warn',
  }
  const programs = new Set<Program>()
  const start = (file: string, more: Record<string, string> = {}): Program => {
    const program = startProgram(file, { ...env, ...more }, folder)
    programs.add(program)
    const stop = async () => {
      if (programs.delete(program)) await program.stop()
    }
    return { ...program, stop }
  }
  try {
    return await measure({
      telegram,
      provider,
      url,
      newChat: () => chatOf(telegram, telegram.addPerson().id),
      start,
    })
  } finally {
    await Promise.all([...programs].map((program) => program.stop()))
    await Promise.all([telegram.stop(), provider.stop()])
    await database.drop()
    await rm(folder, { recursive: true })
  }
}

/** If the benchmark is aborted, the next tests on this server remove the schema. */
const newSchema = async (rttMs: number): Promise<{ url: string; drop: () => Promise<void> }> => {
  const near = new URL(process.env.TEST_DATABASE_URL ?? '')
  near.searchParams.set('schema', `${schemaPrefix(process.pid)}${randomBytes(8).toString('hex')}`)
  const distance = rttMs > 0 ? await openDistance(near.href, rttMs) : null
  return {
    url: distance?.url ?? near.href,
    drop: async () => {
      await distance?.close()
      await dropSchema(near.href)
    },
  }
}

/** A person with their own account. */
export interface Contact {
  chat: TestChat
  account: ProviderAccountState
}

/** During a flood, the bot may answer minutes later. */
const patience = { timeoutMs: 600_000 }

export const connect = async ({ provider, newChat }: Stage): Promise<Contact> => {
  const chat = newChat()
  const account = provider.addAccount({ accountType: 'agent', balancePesewas: 1_000_000 })
  chat.say('/connect')
  await chat.waitForText('API key', patience)
  chat.say(`${account.apiKey}\n${account.apiSecret}`)
  await chat.waitForText('Connected', patience)
  return { chat, account }
}

/** A few people at a time, because each connection makes several requests to the provider. */
export const connectAll = async (stage: Stage, count: number): Promise<Contact[]> => {
  const contacts: Contact[] = []
  while (contacts.length < count) {
    const few = Math.min(6, count - contacts.length)
    contacts.push(...(await Promise.all(Array.from({ length: few }, () => connect(stage)))))
  }
  return contacts
}

let phones = 0

/** A purchase as its person sees it. Unless noted otherwise, times are in ms since the person's last action. */
export interface Purchase {
  phone: string
  cardMs: number
  /** When they pressed Confirm, by `performance.now`. */
  pressedMs: number
  placedMs: number
}

/** Orders 1 GB for a new number, presses Confirm, and waits until the card shows the order's reference. */
export const buy = async ({ telegram }: Stage, { chat }: Contact): Promise<Purchase> => {
  const phone = `024${String(++phones).padStart(7, '0')}`
  const askedMs = performance.now()
  const { message_id: after } = chat.say(`${phone} 1GB`)
  const card = await telegram.waitFor(
    () => {
      const found = chat.button('Confirm')
      return found && found.message.message_id > after ? found : undefined
    },
    { ...patience, message: `Waiting for the card for ${phone}` },
  )
  const pressedMs = performance.now()
  telegram.press({ from: chat.id, messageId: card.message.message_id, data: card.data ?? '' })
  await chat.waitForText(/BUD-API-/, { ...patience, after })
  return { phone, cardMs: pressedMs - askedMs, pressedMs, placedMs: performance.now() - pressedMs }
}

/** Waits for the message that the order was delivered. */
export const delivered = async ({ chat }: Contact, phone: string): Promise<number> => {
  await chat.waitForText(new RegExp(`${phone}[^]*delivered|delivered[^]*${phone}`, 'i'), patience)
  return performance.now()
}

/** The provider's order for a number that was bought. */
export const orderFor = ({ provider }: Stage, phone: string) => {
  const order = provider.orders().findLast(({ phones }) => phones[0]?.phone === phone)
  if (!order) throw new Error(`The provider has no order for ${phone}.`)
  return order
}
