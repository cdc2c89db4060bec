import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BotCall, ProviderOrderState, TelegramFault } from '../../../src/sandbox/index.ts'
import { chatOf } from '../../../src/sandbox/index.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { cardReads, changeDatabase, inDatabase, newPhone, place } from '../shop.ts'

/** Every answer that Telegram may give to a message of the bot, and what the person then reads. */

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { limits: { perMinute: 1_000, perHour: 1_000, perDay: 5_000 } } })
})
afterAll(() => world?.close())

interface Scene extends Reseller {
  placed: ProviderOrderState
}

const withOrder = async (): Promise<Scene> => {
  const reseller = await world.newReseller()
  return { ...reseller, placed: await place(world, reseller, newPhone()) }
}

/** Calls that send or edit messages in a chat, in the order of their answers. */
const writesTo = (chatId: number): BotCall[] =>
  world.telegram
    .calls()
    .filter(({ method, payload }) => /^(send|edit)Message/.test(method) && Number(payload.chat_id) === chatId)

const announcements = ({ chat }: Reseller): string[] =>
  chat.texts().filter((text) => /^✅ .*: delivered/.test(text))

const isTold = (scene: Scene, copies = 1): Promise<unknown> =>
  world.telegram.waitFor(() => announcements(scene).length === copies, {
    message: `Waiting for ${copies} announcements of ${scene.placed.reference}`,
  })

const owed = (chatId: number): { id: number; kind: string; attempts: number; setAsideAt: string | null }[] =>
  inDatabase(world, (db) =>
    db
      .prepare('SELECT id, kind, attempts, setAsideAt FROM Notice WHERE chatId = ? ORDER BY id')
      .all(chatId)
      .map((row) => ({
        id: Number(row.id),
        kind: String(row.kind),
        attempts: Number(row.attempts),
        setAsideAt: row.setAsideAt === null ? null : String(row.setAsideAt),
      })),
  )

const nothingIsOwed = ({ id }: Reseller): Promise<unknown> =>
  world.until(() => owed(id).every(({ setAsideAt }) => setAsideAt !== null), 'nothing to be owed to the chat')

const cannotParse = 'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0'

interface Row {
  telegram: string
  fault: TelegramFault
  /** How many times the message arrives in the chat. */
  copies: number
  /** Checks the call that failed and the next one. */
  shows?: (struck: BotCall, next: BotCall) => void
}

/** Each row is tested with the announcement of an order's end and with a reply to `/help`. */
const rows: Row[] = [
  {
    telegram: 'answers 429 with a time, nothing is sent before that time, and everything is sent after it',
    fault: { method: 'sendMessage', kind: 'flood', retryAfterSeconds: 2 },
    copies: 1,
    shows: (struck, next) => {
      expect(struck.errorCode).toBe(429)
      expect(next.at - struck.at).toBeGreaterThanOrEqual(2_000)
    },
  },
  {
    telegram: 'answers 500, the message is sent again',
    fault: { method: 'sendMessage', kind: 'server_error' },
    copies: 1,
  },
  {
    telegram: 'hangs up before it takes a message, the message is sent again',
    fault: { method: 'sendMessage', kind: 'reset_before' },
    copies: 1,
  },
  {
    telegram: 'hangs up after it took a message, the message may arrive twice but is not lost',
    fault: { method: 'sendMessage', kind: 'reset_after' },
    copies: 2,
  },
  {
    telegram: 'can’t read the markup, the message is sent as plain text',
    fault: { method: 'sendMessage', kind: 'bad_request', description: cannotParse },
    copies: 1,
    shows: (_, next) => {
      expect(next.payload.parse_mode).toBeUndefined()
      expect(next.payload.text).not.toMatch(/<\/?\w+>|&\w+;/)
    },
  },
]

describe.concurrent('when Telegram', () => {
  test.for(rows)('$telegram', async ({ fault, copies, shows }) => {
    const scene = await withOrder()
    const { chat, id, placed } = scene
    const strike = () => {
      world.telegram.addFault({ ...fault, chat: id })
      return writesTo(id).length
    }
    const check = (before: number) => {
      const [struck, next] = writesTo(id)
        .slice(before)
        .filter(({ method }) => method === 'sendMessage')
      if (struck && next) shows?.(struck, next)
    }
    const before = strike()
    chat.say('/help')
    await world.telegram.waitFor(
      () => chat.texts().filter((text) => text.startsWith(helpTitle)).length === copies,
    )
    check(before)
    const beforeNotice = strike()
    world.provider.setStatus(placed.reference, 'delivered')
    await isTold(scene, copies)
    check(beforeNotice)
    await nothingIsOwed(scene)
  })

  test('answers that a card is not modified, the edit counts as done', async () => {
    const scene = await withOrder()
    const said = scene.chat.texts()
    scene.chat.press('Refresh')
    await world.telegram.waitFor(() =>
      writesTo(scene.id).some(({ description }) => description?.includes('message is not modified')),
    )
    await nothingIsOwed(scene)
    expect(scene.chat.texts()).toEqual(said)
  })

  test('cannot edit a card, the bot sends a new one and edits that from now on', async () => {
    const scene = await withOrder()
    const { chat, id, placed } = scene
    const card = await chat.waitForText(placed.reference)
    world.telegram.deleteMessage({ from: id, messageId: card.message_id })
    world.provider.setStatus(placed.reference, 'delivered')
    await isTold(scene)
    const anew = await chat.waitForText(/· delivered\n[\s\S]*Reference/)
    expect(anew.message_id).not.toBe(card.message_id)
    world.provider.setStatus(placed.reference, 'refunded')
    await cardReads(world, scene, anew, /· refunded\n/)
  })

  test('will never accept a notice, the bot sets it aside and sends the next one', async () => {
    const scene = await withOrder()
    const description = 'Bad Request: BUTTON_DATA_INVALID'
    world.telegram.addFault({ method: 'sendMessage', kind: 'bad_request', description, chat: scene.id })
    world.provider.setStatus(scene.placed.reference, 'failed')
    const poisoned = await world.until(
      () => owed(scene.id).find(({ setAsideAt }) => setAsideAt !== null),
      'the notice to be set aside',
    )
    expect(poisoned.kind).toBe('announce')
    const line = new RegExp(`"noticeId":${poisoned.id}[^\\n]*BUTTON_DATA_INVALID[^\\n]*set aside`)
    await world.until(() => line.test(world.bot.output()), 'the operator to be told')
    world.provider.setStatus(scene.placed.reference, 'refunded')
    await scene.chat.waitForText(/^↩️ .*refunded/)
    await nothingIsOwed(scene)
  })

  test('refuses one edit but accepts other messages, the bot sets the edit aside', async () => {
    const scene = await withOrder()
    const { chat, id, placed } = scene
    const card = await chat.waitForText(placed.reference)
    // Telegram refuses all edits of the card, but accepts new messages.
    world.telegram.addFault({ method: 'editMessageText', kind: 'server_error', times: null, chat: id })
    world.provider.setStatus(placed.reference, 'delivered')
    await world.until(
      () => owed(id).some(({ kind, attempts }) => kind === 'card' && attempts > 0),
      'the card to have failed once',
    )
    expect(announcements(scene)).toEqual([])
    // Pretends that the edit has failed for a minute, after which the announcement no longer waits for its
    // confirmation.
    await changeDatabase(world, (db) => {
      db.prepare('UPDATE Notice SET notBefore = NULL WHERE chatId = ?').run(id)
      db.prepare(`UPDATE Notice SET attempts = 7 WHERE chatId = ? AND kind = 'card'`).run(id)
    })
    await isTold(scene)
    await world.until(
      () => owed(id).some(({ setAsideAt }) => setAsideAt !== null),
      'the card to be set aside',
    )
    expect(card.text).toContain('processing')
  })

  test('moves a group to a new id, the group’s notices go to the new id as new messages', async () => {
    const scene = await withOrder()
    const group = world.telegram.addGroup({ title: 'Customers', members: [scene.id] }).id
    const chat = chatOf(world.telegram, scene.id, group)
    chat.say(`/status ${scene.placed.reference}`)
    await chat.waitForText('Status: processing')
    chat.press('Follow')
    await chat.waitForText(followsOpen)
    const moved = world.telegram.migrateGroup(group).id
    world.provider.setStatus(scene.placed.reference, 'delivered')
    const there = chatOf(world.telegram, scene.id, moved)
    await there.waitForText(/✅ .*: delivered/)
    await there.waitForText('Status: delivered')
  })
})

describe.concurrent('a chat that refuses messages (403)', () => {
  const mutedAt = (id: number) =>
    inDatabase(world, (db) => db.prepare('SELECT mutedAt FROM Chat WHERE id = ?').get(id)?.mutedAt)

  const block = async ({ id, chat, placed }: Scene): Promise<void> => {
    await chat.waitForText(placed.reference)
    world.telegram.block(id, true)
  }

  test('is tried only once, and gets what it missed after the person unblocks the bot', async () => {
    const scene = await withOrder()
    const { id, placed } = scene
    await block(scene)
    world.provider.setStatus(placed.reference, 'delivered')
    await world.until(() => mutedAt(id), 'the chat is muted')
    expect(writesTo(id).filter(({ errorCode }) => errorCode === 403)).toHaveLength(1)
    world.telegram.block(id, false)
    await isTold(scene)
    expect(mutedAt(id)).toBeNull()
    await nothingIsOwed(scene)
    expect(announcements(scene)).toHaveLength(1)
  })

  test('later gets the results that it missed in one message', async () => {
    const scene = await withOrder()
    const { chat, id } = scene
    const others = [await place(world, scene, newPhone()), await place(world, scene, newPhone())]
    const [failed, refunded] = others
    const last = await place(world, scene, newPhone())
    await block(scene)
    world.provider.setStatus(scene.placed.reference, 'delivered')
    await world.until(() => mutedAt(id), 'the chat is muted')
    world.provider.setStatus(failed?.reference ?? '', 'failed')
    world.provider.setStatus(refunded?.reference ?? '', 'failed')
    const announced = () => owed(id).filter(({ kind }) => kind === 'announce').length
    await world.until(() => announced() === 3, 'three ends to be owed')
    const before = writesTo(id).length
    world.telegram.block(id, false)
    chat.say('/help')
    const digest = await chat.waitForText('While I couldn’t write to you:')
    for (const { reference } of [scene.placed, ...others]) expect(digest.text).toContain(reference)
    expect(digest.text).toMatch(/: failed · refund not seen yet/)
    await nothingIsOwed(scene)
    const sent = writesTo(id)
      .slice(before)
      .filter(({ method, ok }) => method === 'sendMessage' && ok)
      .map(({ payload }) => String(payload.text))
    expect(sent.filter((text) => !text.startsWith(`<b>${helpTitle}`))).toHaveLength(1)
    for (const { reference } of others) {
      expect(chat.texts().some((text) => text.includes(reference) && /· failed\n/.test(text))).toBe(true)
    }
    world.provider.setStatus(last.reference, 'delivered')
    await chat.waitForText(new RegExp(`^✅ .*: delivered\\n${last.reference}`))
  })

  test('still gets what it missed after a restart and another refusal', {
    tags: 'killed',
  }, async () => {
    const own = await createWorld({ process: true })
    try {
      const reseller = await own.newReseller()
      const orders = [await place(own, reseller, newPhone()), await place(own, reseller, newPhone())]
      own.telegram.block(reseller.id, true)
      for (const { reference } of orders) own.provider.setStatus(reference, 'delivered')
      const kinds = () =>
        inDatabase(own, (db) => db.prepare('SELECT kind FROM Notice').all()).map(({ kind }) => kind)
      await own.until(() => kinds().filter((kind) => kind === 'announce').length === 2, 'two ends to be owed')
      await own.bot.kill()
      await own.bot.start()
      own.telegram.addFault({ method: 'sendMessage', kind: 'forbidden', chat: reseller.id })
      own.telegram.addFault({ method: 'editMessageText', kind: 'forbidden', chat: reseller.id })
      own.telegram.block(reseller.id, false)
      const isMuted = () =>
        inDatabase(own, (db) => db.prepare('SELECT mutedAt FROM Chat WHERE id = ?').get(reseller.id)?.mutedAt)
      await own.until(() => kinds().includes('digest') && isMuted(), 'the digest to be refused')
      own.telegram.clearFaults()
      reseller.chat.say('/help')
      const digest = await reseller.chat.waitForText('While I couldn’t write to you:')
      for (const { reference } of orders) expect(digest.text).toContain(reference)
      await own.until(() => kinds().length === 0, 'nothing to be owed')
      expect(reseller.chat.texts().filter((text) => text.startsWith('While I'))).toHaveLength(1)
    } finally {
      await own.close()
    }
  })
})
