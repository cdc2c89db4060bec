import { setTimeout as wait } from 'node:timers/promises'
import { encodePress } from '../../src/telegram/buttons/table.ts'
import { of } from '../lists/rendering.ts'
import { everyButton, idsOfNothing } from '../scenarios/accounts/every-button.ts'
import { newPhone, place } from '../scenarios/shop.ts'
import { openWire, statusesIn } from '../support/network/wire.ts'
import { createWorld } from '../support/world.ts'
import type { Attack } from './attack.ts'
import { damaged, type Pick, pickerOf } from './mutation.ts'

/** Parts of HTTP requests, and some that never occur in them. */
const pieces = [
  ...'\r\n\t :;,/?#%&=\0"{}[]<>',
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  '0\r\n\r\n',
  '1\r\nx\r\n',
  'ffffffff\r\n',
  '\r\n ',
  'HTTP/1.0',
  'HTTP/2.0',
  'GET ',
  'POST ',
  'HEAD ',
  'OPTIONS ',
  'CONNECT ',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '/webhooks/',
  '/telegram',
  '/metrics',
  '/readyz',
  '/healthz',
  '/..',
  '//',
  '%2e%2e%2f',
  '%00',
  '%zz',
  '%c0%af',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Connection: close\r\n',
  'Connection: upgrade\r\nUpgrade: websocket\r\n',
  'Expect: 100-continue\r\n',
  'Expect: x\r\n',
  'X-Forwarded-For: 1.1.1.1\r\n',
  'Authorization: Bearer \r\n',
  'Host: \r\n',
  'Cookie: a=b\r\n',
  'a: b\r\n'.repeat(250),
  'x'.repeat(17_000),
  'x'.repeat(70_000),
  '"__proto__":{"a":1},',
  '\u00ff\u00fe',
  '\u0001',
]

/** The permitted statuses. Any other is a finding, because the database and Telegram are available. */
const allowed = new Set([100, 200, 400, 401, 404, 408, 413, 417, 429, 431])

/** One in this many connections is kept until it is answered or closed. The others are left after a moment. */
const keptToTheEnd = 150
const momentMs = 400
/** The bot aborts requests after 5 s and checks every second. The rest allows for a busy machine. */
const endMs = 30_000
/** How long to wait for the rest of an answer. */
const restMs = 20

export const openHttp = async (): Promise<Attack> => {
  const world = await createWorld({ process: true, env: { TELEGRAM_UPDATES: 'webhook' } })
  const reseller = await world.newReseller()
  const placed = await place(world, reseller, newPhone())
  const path = new URL(placed.webhookUrl ?? '').pathname
  const secret = String(world.telegram.calls('setWebhook')[0]?.payload.secret_token)
  const buttons = everyButton(idsOfNothing()).map(encodePress)
  const { apiKey, apiSecret } = reseller.account
  const [token = ''] = path.split('/').slice(-1)
  const secrets = [apiKey, apiSecret, world.telegram.token, token, secret, placed.phones[0]?.phone ?? '']

  const attempt = async (seed: number): Promise<string[]> => {
    const pick = pickerOf(seed)
    const bytes = requestsOf({ path, secret, reference: placed.reference, buttons, seed }, pick)
    const received = await answerTo(world.botUrl, bytes, pick)
    const faults = statusesIn(received)
      .filter((status) => !allowed.has(status))
      .map((status) => `answered with ${status}`)
    for (const each of [...secrets, 'node_modules', '.ts:', ' at ']) {
      if (received.includes(each)) faults.push(`${each} is in the answer ${received}`)
    }
    return faults
  }

  const debits = world.provider.debits().length
  const look = async (): Promise<string[]> =>
    world.provider.debits().length === debits ? [] : ['something was ordered']

  return { world, together: 100, attempt, look, secrets, mayLog: /"an update could not be handled"/ }
}

interface Genuine {
  path: string
  secret: string
  reference: string
  buttons: readonly string[]
  seed: number
}

/** One or more real requests, changed in a few places. */
const requestsOf = (genuine: Genuine, pick: Pick): string => {
  let requests = ''
  for (let count = 1 + (pick(4) === 0 ? pick(3) : 0); count > 0; count -= 1)
    requests += requestOf(genuine, pick)
  return damaged(requests, pieces, pick)
}

const requestOf = (genuine: Genuine, pick: Pick): string => {
  const { path, secret } = genuine
  switch (pick(8)) {
    case 0:
    case 1:
      return post(path, '', callbackOf(genuine, pick), pick)
    case 2:
      return post(
        `${path.slice(0, -1)}${of(['', '-', 'AA', '/'], pick)}`,
        '',
        callbackOf(genuine, pick),
        pick,
      )
    case 3:
    case 4:
    case 5:
      return post(
        '/telegram',
        `X-Telegram-Bot-Api-Secret-Token: ${secret}\r\n`,
        updateOf(genuine, pick),
        pick,
      )
    case 6:
      return post('/telegram', '', updateOf(genuine, pick), pick)
    default:
      return `GET ${of(['/healthz', '/readyz', '/metrics', '/', '/webhooks/x'], pick)} HTTP/1.1\r\nHost: x\r\n\r\n`
  }
}

/** A POST with a `Content-Length`, or in chunks. If only the body is damaged, its length is still right. */
const post = (path: string, headers: string, whole: string, pick: Pick): string => {
  const body = pick(2) === 0 ? whole : damaged(whole, pieces, pick)
  const length = Buffer.byteLength(body, 'latin1')
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}`
  if (pick(4) > 0) return `${head}Content-Length: ${length}\r\n\r\n${body}`
  return `${head}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

/** A callback with a status that does not end an order. */
const callbackOf = ({ reference, seed }: Genuine, pick: Pick): string =>
  JSON.stringify({
    event: 'order.status.updated',
    reference: of([reference, 'BUD-API-X-1', ''], pick),
    status: of(['processing', 'placed', 'On hold', ''], pick),
    phone: of(['0241234567', 5, null], pick),
    timestamp: of(['2026-11-21T10:00:00+00:00', 'yesterday', {}], pick),
    seed,
  })

/** An update from a new person each time: unchanged, or with one field of another type. */
const updateOf = ({ buttons, seed }: Genuine, pick: Pick): string => {
  const id = 800_000_000 + (seed % 100_000_000)
  const from = { id, is_bot: false, first_name: 'Somebody' }
  const chat = { id, type: of(['private', 'group', 'channel', 'supergroup'], pick), first_name: 'Somebody' }
  const text = of(
    ['/start', '/buy 0241234567 2GB', '0241234567 2GB', '/status BUD-API-1', 'x', '/connect a b'],
    pick,
  )
  const entities = [{ type: 'bot_command', offset: 0, length: 6 }]
  const message = { message_id: 1, date: 1, chat, from, text, entities }
  const update = of<Record<string, unknown>>(
    [
      { message },
      { callback_query: { id: String(seed), from, chat_instance: '1', data: of(buttons, pick), message } },
      {
        my_chat_member: {
          chat,
          from,
          date: 1,
          old_chat_member: {},
          new_chat_member: { status: 'kicked', user: from },
        },
      },
      {
        message: {
          ...message,
          text: undefined,
          document: { file_id: 'x', file_unique_id: 'x', file_name: 'x.csv' },
        },
      },
      { message: { ...message, text: undefined, contact: { phone_number: '0241234567', first_name: 'x' } } },
    ],
    pick,
  )
  return JSON.stringify({ update_id: seed, ...(pick(2) === 0 ? update : ruined(update, pick)) })
}

const kinds: unknown[] = [null, 5, -1, 'text', '', [], {}, [null], true, 1e300, '\u202e', { toString: 1 }]

/** A copy in which one field, at any depth, has another type. */
const ruined = (value: unknown, pick: Pick): Record<string, unknown> => {
  const copy = structuredClone(value) as Record<string, unknown>
  let place: Record<string, unknown> = copy
  for (;;) {
    const name = of(Object.keys(place), pick)
    const inner = place[name]
    if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0 || pick(4) === 0) {
      place[name] = of(kinds, pick)
      return copy
    }
    place = inner as Record<string, unknown>
  }
}

/** Sends the bytes in one or two pieces. @returns what came back. */
const answerTo = async (url: string, bytes: string, pick: Pick): Promise<string> => {
  const cut = pick(3) === 0 ? pick(bytes.length + 1) : bytes.length
  const wire = await openWire(url, bytes.slice(0, cut))
  if (cut < bytes.length) {
    await wait(pick(20))
    wire.socket.write(bytes.slice(cut), 'latin1')
  }
  if (pick(10) === 0) wire.socket.end()
  const answered = Promise.race([wire.end(), wire.until(/HTTP/).catch(() => {})])
  await (pick(keptToTheEnd) === 0 ? within(answered, endMs) : Promise.race([answered, wait(momentMs)]))
  await wait(restMs)
  wire.socket.destroy()
  return wire.received()
}

const within = async (work: Promise<unknown>, limitMs: number): Promise<void> => {
  const late = new AbortController()
  const over = wait(limitMs, 'over', { signal: late.signal }).catch(() => null)
  if ((await Promise.race([work, over])) === 'over') throw new Error(`No end after ${limitMs} ms.`)
  late.abort()
}
