import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault, TelegramFault } from '../../../src/sandbox/index.ts'
import { createWorld, type World } from '../../support/world.ts'
import { dataOf, inDatabase, newPhone } from '../shop.ts'
import { expectCleanLog } from './judge.ts'
import { act, person, provider, providersOrders, type Row, run, type Scene, type Step, shown } from './row.ts'
import { minutesLater } from './time.ts'

const { sees, hears, says } = person

const isPlaced = sees(/processing[\s\S]*BUD-API-/)
const isDelivered = hears(/✅ .* for \d{10}: delivered/)

const hasNotRead =
  (text: RegExp): Step =>
  (scene) =>
    expect(
      shown(scene)
        .map((message) => message.text)
        .join('\n'),
    ).not.toMatch(text)

/** The address and the content of a callback about the order. */
const callbackOf = (scene: Scene, status: string) => {
  const [order] = providersOrders(scene).filter(({ reference }) => !scene.elsewhere.has(reference))
  const { reference, network, volume } = order ?? {}
  const body = { event: 'order.status.updated', reference, status, network, volume, phone: scene.phone }
  return { url: order?.webhookUrl ?? '', body: { ...body, timestamp: '2026-11-21T10:00:00+00:00' } }
}

type SomeCallback = ReturnType<typeof callbackOf>

const post = async ({ url, body }: SomeCallback): Promise<number> => {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  await answer.arrayBuffer()
  return answer.status
}

/** Sends a callback as the provider or anybody might, and expects this answer. */
const isCalledBack = (
  status: string,
  answer: number,
  change: (callback: SomeCallback, scene: Scene) => SomeCallback = (callback) => callback,
): Step => act(async (scene) => expect(await post(change(callbackOf(scene, status), scene))).toBe(answer))

const isCalledBackTenTimes = act(async (scene) => {
  const callback = callbackOf(scene, 'delivered')
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(callback)))
  expect(answers).toEqual(Array(10).fill(200))
})

const keeps =
  (events: number, reference = ''): Step =>
  ({ world, ...scene }) => {
    const about = reference || providersOrders({ world, ...scene }).at(-1)?.reference
    const kept = inDatabase(world, (db) =>
      db.prepare(`SELECT id FROM StatusReport WHERE source = 'callback' AND reference = ?`).all(about ?? ''),
    )
    expect(kept).toHaveLength(events)
  }

const padded = ({ url, body }: SomeCallback, bytes: number): SomeCallback => {
  const frame = JSON.stringify({ ...body, padding: '' }).length
  return { url, body: { ...body, padding: 'x'.repeat(bytes - frame) } as SomeCallback['body'] }
}

const forged = ({ url, body }: SomeCallback): SomeCallback => ({
  url: url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  body,
})

const ofAnotherOrder = ({ url, body }: SomeCallback, { elsewhere }: Scene): SomeCallback => ({
  url,
  body: { ...body, reference: [...elsewhere][0] },
})
const ofNoOrder = ({ url, body }: SomeCallback): SomeCallback => ({
  url,
  body: { ...body, reference: 'BUD-API-NOWHERE-1' },
})
const ofAnotherNumber = ({ url, body }: SomeCallback): SomeCallback => ({
  url,
  body: { ...body, phone: newPhone() },
})
const isAtTheProvider: Step = (scene) =>
  scene.world.until(() => providersOrders(scene).length > 0, 'the provider to have the order')

const lost: Fault = { kind: 'answer_lost' }
const charged = { callbacks: true, posts: 1, debits: 1, ends: ['placed'] } as const

const callbacks: Row[] = [
  {
    fault: 'ten equal callbacks',
    play: [isPlaced, provider.setsQuietly('delivered'), isCalledBackTenTimes, isDelivered, keeps(2)],
    ...charged,
  },
  {
    fault: 'callbacks in reverse order',
    provider: [{ kind: 'callback_reversed' }],
    play: [isPlaced, provider.sets('out-for-delivery'), provider.sets('delivered'), isDelivered],
    ...charged,
  },
  {
    fault: 'an early callback',
    provider: [{ kind: 'callback_early' }],
    play: [isPlaced, provider.sets('delivered'), isDelivered, hasNotRead(/after all/)],
    ...charged,
  },
  {
    fault: 'an early callback and a lost answer',
    provider: [{ kind: 'callback_early' }, lost],
    play: [isPlaced],
    ...charged,
  },
  {
    fault: 'an early callback with the final status',
    provider: [{ kind: 'slow', delayMs: 700 }],
    play: [isAtTheProvider, provider.sets('delivered'), isDelivered],
    ...charged,
  },
  {
    fault: 'a late callback and a lost answer',
    provider: [{ kind: 'callback_late', delayMs: 500 }, lost],
    play: [isPlaced],
    ...charged,
  },
  {
    fault: 'a late callback of an end that Refresh found before',
    provider: [{ kind: 'callback_late', delayMs: 600 }],
    play: [isPlaced, provider.sets('delivered'), person.presses('Refresh'), isDelivered],
    ...charged,
  },
  {
    fault: 'a callback that never comes',
    provider: [{ kind: 'callback_never' }],
    play: [isPlaced, provider.sets('delivered'), minutesLater(5), isDelivered],
    ...charged,
  },
  {
    fault: 'a forged callback',
    play: [isPlaced, isCalledBack('failed', 404, forged), hasNotRead(/failed/)],
    ...charged,
  },
  {
    fault: 'a callback from somebody who knows the address but is not the provider',
    play: [
      isPlaced,
      isCalledBack('failed', 200),
      sees(/❌ .*: failed \(reported\)/),
      minutesLater(11),
      sees(/⚠️ Correction[\s\S]*: processing/),
    ],
    ...charged,
  },
  {
    fault: 'a callback about another order',
    before: [provider.takesAnother(newPhone())],
    play: [
      isPlaced,
      ...[ofAnotherOrder, ofNoOrder, ofAnotherNumber].map((change) => isCalledBack('failed', 200, change)),
      isCalledBack('delivered', 200),
      sees(/: delivered \(reported\)/),
      hasNotRead(/failed/),
    ],
    ...charged,
    debits: 2,
  },
  {
    fault: 'a callback with an unknown status',
    play: [isPlaced, provider.sets('<b>half</b> & "half"'), sees(/· <b>half<\/b> & "half"\n/)],
    ...charged,
  },
  {
    fault: 'a callback of 64 KiB and one byte',
    play: [
      isPlaced,
      isCalledBack('processing', 200, (callback) => padded(callback, 64 * 1024)),
      isCalledBack('delivered', 413, (callback) => padded(callback, 64 * 1024 + 1)),
      hasNotRead(/delivered/),
    ],
    ...charged,
  },
]

const send = (fault: Omit<TelegramFault, 'method'>): TelegramFault => ({ method: 'sendMessage', ...fault })
const cannotParse = 'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0'

const isMuted: Step = ({ world, reseller }) =>
  world.until(
    () =>
      inDatabase(
        world,
        (db) => db.prepare('SELECT mutedAt FROM Chat WHERE id = ?').get(reseller.id)?.mutedAt,
      ),
    'the chat to be muted',
  )

const told = { play: [isPlaced, provider.sets('delivered'), isDelivered], ...charged }

const telegram: Row[] = [
  {
    fault: 'a 429 from Telegram',
    telegram: [{ method: '*', kind: 'flood', retryAfterSeconds: 1, times: 2 }],
    ...told,
  },
  {
    fault: 'a 403 from Telegram',
    telegram: [send({ kind: 'forbidden' })],
    play: [isPlaced, provider.sets('delivered'), isMuted, says('/help'), isDelivered],
    ...charged,
  },
  { fault: 'a 500 from Telegram', telegram: [{ method: '*', kind: 'server_error', times: 3 }], ...told },
  {
    fault: 'a connection that Telegram resets before it accepts a message',
    telegram: [send({ kind: 'reset_before' })],
    ...told,
  },
  {
    fault: 'a connection that Telegram resets after it accepts a message',
    telegram: [send({ kind: 'reset_after' })],
    ...told,
    announcements: 2,
  },
  {
    fault: 'a parse error at Telegram',
    telegram: ['editMessageText', 'sendMessage'].map((method) => ({
      method,
      kind: 'bad_request',
      description: cannotParse,
    })),
    ...told,
  },
  {
    fault: 'a card that Telegram has lost',
    telegram: [
      {
        method: 'editMessageText',
        kind: 'bad_request',
        description: 'Bad Request: message to edit not found',
      },
    ],
    ...told,
  },
]

const confirmAgain = ({ world, reseller, card }: Scene) =>
  world.telegram.press({
    from: reseller.id,
    messageId: card.message_id,
    data: dataOf(card, 'Confirm'),
    stale: true,
  })

const presses: Row[] = [
  {
    fault: '50 presses of Confirm at once',
    play: [(scene) => void Array.from({ length: 49 }, () => confirmAgain(scene)), isPlaced],
    ...charged,
  },
  {
    fault: 'redelivered updates',
    play: [
      (scene) => {
        confirmAgain(scene)
        for (const asNew of [false, true, false, true]) scene.world.telegram.redeliver({ asNew })
      },
      isPlaced,
    ],
    ...charged,
  },
]

/** More messages than Telegram lets a bot answer in several minutes. */
const anotherChatFloods: Step = ({ world }) => {
  const { chat } = world.newPerson()
  for (let sent = 0; sent < 300; sent += 1) chat.say('/help')
}

const floods: Row[] = [{ fault: 'a flood from another chat', beforeConfirm: [anotherChatFloods], ...told }]

describe.concurrent('a person is told an order’s true outcome and each debit', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ judged: true, pace: 'telegram' })
  })
  afterAll(async () => {
    await world?.close()
    if (world) expectCleanLog(world)
  })

  test.for([...callbacks, ...telegram, ...presses, ...floods])('despite $fault', (row) => run(world, row))
})
