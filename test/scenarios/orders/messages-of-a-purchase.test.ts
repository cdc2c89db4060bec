// @module-tag screens
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telegramLimits } from '../../../src/messaging/pacer.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { cardReads, newPhone, order, ordersFor } from '../shop.ts'

/** How many messages the bot sends for a purchase. Telegram limits the messages to a chat. */

let world: World

/** All delays are this many times longer than in reality, so that a busy machine has time for its own work. */
const slowed = 4

beforeAll(async () => {
  world = await createWorld({ pace: 'telegram', redrawMs: slowed * telegramLimits.redrawMs })
})
afterAll(() => world?.close())

/** The provider's one slow answer. */
interface Slow {
  path: string
  /** The delay in reality, ms. */
  delayMs: number
}

interface Call {
  method: string
  text: string
}

/** Calls that send no message. On a busy machine the bot may show “typing…”. */
const unwritten = ['getUpdates', 'sendChatAction']

/** The messages sent to the chat, and the edits, since then. Answers to presses do not count. */
const messagesSince = ({ id }: Reseller, from: number): Call[] =>
  world.telegram
    .calls()
    .slice(from)
    .filter(({ method, payload }) => !unwritten.includes(method) && Number(payload.chat_id) === id)
    .map(({ method, payload }) => ({ method, text: String(payload.text ?? '') }))

/** Buys a bundle. @returns the messages and edits from the typed order to the delivery. */
const buy = async (slow: Slow | null): Promise<Call[]> => {
  if (slow) world.provider.addFault({ kind: 'slow', ...slow, delayMs: slowed * slow.delayMs })
  const reseller = await world.newReseller()
  const from = world.telegram.calls().length
  const phone = newPhone()
  const card = await order(reseller, phone)
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  world.provider.setStatus(ordersFor(world, phone).at(-1)?.reference ?? '', 'delivered')
  await reseller.chat.waitForText(`for ${phone}: delivered`)
  await cardReads(world, reseller, card, /^(?![\s\S]*reported)[\s\S]*delivered/i)
  await world.provider.idle()
  return messagesSince(reseller, from)
}

const inFour = [
  { method: 'sendMessage', text: expect.stringContaining('Confirm') },
  { method: 'editMessageText', text: expect.stringContaining('processing') },
  { method: 'editMessageText', text: expect.stringContaining('delivered') },
  { method: 'sendMessage', text: expect.stringContaining('delivered') },
]

/** The fewest messages of some purchases, because on a busy machine the bot may be slower than its own waits. */
const fewest = async (slow: Slow | null, enough = inFour.length): Promise<Call[]> => {
  let best = await buy(slow)
  for (let tries = 1; tries < 4 && best.length > enough; tries += 1) {
    const next = await buy(slow)
    if (next.length < best.length) best = next
  }
  return best
}

describe('a purchase takes four messages from the typed order to the delivery', () => {
  test('if the provider answers immediately', async () => {
    expect(await fewest(null)).toEqual(inFour)
  })

  test('if the provider answers after 400 ms', async () => {
    expect(await fewest({ path: '/order', delayMs: 400 })).toEqual(inFour)
  })

  test('if the provider’s record confirms the callback after 400 ms', async () => {
    expect(await fewest({ path: '/order/status', delayMs: 400 })).toEqual(inFour)
  })
})

test('a purchase takes a fifth message, saying that the order is being sent, if the provider is slow', async () => {
  const [draft, sending, ...rest] = await fewest({ path: '/order', delayMs: 1_200 }, 5)
  expect([draft, ...rest]).toEqual(inFour)
  expect(sending).toEqual({ method: 'editMessageText', text: expect.not.stringContaining('BUD-API-') })
})
