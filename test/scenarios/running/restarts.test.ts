// @module-tag killed
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { sendNumber } from '../../../src/telegram/features/buying/words.ts'
import { copyKey, sendSecret } from '../../../src/telegram/features/connecting/words.ts'
import { createWorld, type World } from '../../support/world.ts'
import { askFor, cardReads, debitsOf, endLeases, newPhone, ordersFor, place, postsFor } from '../shop.ts'

const ways: [string, (world: World) => Promise<void>, number][] = [
  ['stopped', ({ bot }) => bot.restart(), 1],
  [
    'killed',
    async ({ bot }) => {
      await bot.kill()
      await bot.start()
    },
    // If the bot is killed between the message and its receipt, it sends the message twice rather than never.
    2,
  ],
]

/** Each in its own world, so that they can run concurrently. */
test.concurrent.for(ways)(
  'a bot that is %s between all steps takes a reseller from the key to the delivery, with one debit',
  async ([_way, restartIn, maxAnnouncements], { expect, onTestFinished }) => {
    const world = await createWorld({ process: true })
    onTestFinished(() => world.close())
    const restart = () => restartIn(world)
    const account = world.provider.addAccount({ accountType: 'agent', balancePesewas: 10_000 })
    const { id, chat } = world.newPerson()
    const phone = newPhone()
    const say = async (text: string, answer: string | RegExp) => {
      const { message_id: after } = chat.say(text)
      const message = await chat.waitForText(answer, { after })
      await restart()
      return message
    }
    const press = async (label: string, reads: string | RegExp) => {
      const { message } = await chat.waitForButton(label)
      chat.press(label)
      const shown = await cardReads(world, { id }, message, reads)
      await restart()
      return shown
    }

    await say('/connect', copyKey)
    await say(account.apiKey, sendSecret)
    await say(account.apiSecret, /Connected\.[\s\S]*GHS 100\.00/)
    await say('/buy', /Which network\?/)
    await press('MTN', /MTN.*: which bundle\?/)
    await press('2GB · GHS 9.60', sendNumber)
    const card = await say(phone, asksToConfirm)
    await press('Confirm', /processing[\s\S]*BUD-API-/)
    const [order] = ordersFor(world, phone)
    world.provider.setStatus(order?.reference ?? '', 'delivered')
    await chat.waitForText(/2GB for .*: delivered/, { after: card.message_id })
    await restart()
    const delivered = await cardReads(world, { id }, card, /delivered(?! \(reported\))/)
    expect(delivered.text).toContain(order?.reference)
    await say('/orders', new RegExp(`1\\. ✅ MTN 2GB · ${phone} · GHS 9\\.60 · delivered`))
    const { message_id: after } = chat.say('/balance')
    await chat.waitForText('GHS 90.40', { after })

    expect(world.provider.debits(account.id).map(({ amountPesewas }) => amountPesewas)).toEqual([960])
    expect(postsFor(world, phone)).toHaveLength(1)
    const announced = chat.texts().filter((text) => /: delivered/.test(text))
    expect(new Set(announced).size).toBe(1)
    expect(announced.length).toBeLessThanOrEqual(maxAnnouncements)
  },
)

let world: World

beforeAll(async () => {
  world = await createWorld({
    process: true,
    settings: { callbackRetriesMs: [300, 600, 1_000, 2_000, 5_000, 10_000, 20_000] },
  })
})
afterAll(() => world?.close())

describe('a bot that is killed around Confirm', () => {
  /** The moments of the kill, as conditions that can be seen from outside. */
  const moments: [string, (phone: string, queryId: string) => unknown][] = [
    ['at once', () => true],
    ['when the press was answered', (_phone, queryId) => world.telegram.answers(queryId)],
    ['when the order arrives at the provider', (phone) => postsFor(world, phone).length > 0],
    ['when the order was debited', (phone) => ordersFor(world, phone).length > 0],
    ['when the provider has answered', (phone) => postsFor(world, phone)[0]?.status === 201],
  ]

  test.each(moments)('sends the order once and shows its status if killed %s', async (_moment, isReached) => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    const { id: queryId } = reseller.chat.press('Confirm')
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isReached(phone, queryId)) return
        for (const stop of stops) stop()
        resolve()
      }
      const stops = [world.provider.on(look), world.telegram.on(look)]
      look()
    })
    await world.bot.kill()
    await endLeases(world)
    await world.bot.start()
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(postsFor(world, phone)).toHaveLength(1)
  })
})

describe('after the bot was down', () => {
  test('a status whose callback failed is announced when the provider sends the callback again', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const { reference } = await place(world, reseller, phone)
    await world.bot.stop()
    world.provider.setStatus(reference, 'delivered')
    await world.until(() => failedCallbacks(reference) > 0, 'a callback to fail')
    await world.bot.start()
    const told = await reseller.chat.waitForText(/: delivered/)
    expect(told.text).toContain(reference)
  })

  const failedCallbacks = (reference: string): number =>
    world.provider
      .callbacks()
      .filter((each) => each.reference === reference && each.status === 'delivered' && each.answer === null)
      .length

  test('a press of Confirm that Telegram kept makes exactly one order', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await world.bot.stop()
    reseller.chat.press('Confirm')
    reseller.chat.press('Confirm')
    await world.bot.start()
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(postsFor(world, phone)).toHaveLength(1)
  })
})

test('a question that is answered after a restart loses its buttons', async ({ expect, onTestFinished }) => {
  const world = await createWorld()
  onTestFinished(() => world.close())
  const { id, chat } = await world.newReseller()
  chat.say('/buy')
  await chat.waitForButton('MTN')
  chat.press('MTN')
  await chat.waitForButton('2GB')
  chat.press('2GB')
  const question = await chat.waitForText(sendNumber)
  expect(question.reply_markup).toBeDefined()
  await world.bot.restart()
  const { message_id: after } = chat.say(newPhone())
  await chat.waitForText(asksToConfirm, { after })
  await world.telegram.waitFor(
    () =>
      world.telegram
        .messages(id)
        .some(
          ({ message_id, reply_markup: keys }) =>
            message_id === question.message_id && !keys?.inline_keyboard.length,
        ),
    { message: 'Waiting for the question to lose its buttons' },
  )
})
