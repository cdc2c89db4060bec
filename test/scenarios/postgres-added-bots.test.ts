import { expect, test } from 'vitest'
import type { BotUnderTest } from '../support/bot.ts'
import { createWorld, type World } from '../support/world.ts'
import { addBot, answers, botScreen, operatorId, operatorOf } from './fleet.ts'
import { cardReads, debitsOf, newPhone, order, ordersFor, place } from './shop.ts'

/** Two instances on one PostgreSQL run each bot that was added, in whichever of them. */

const callBack = async ({ url }: BotUnderTest, path: string, reference: string): Promise<number> => {
  const body = JSON.stringify({ reference, status: 'processing' })
  return (await fetch(`${url}${path}`, { method: 'POST', body })).status
}

/** Orders in that bot, and has the order delivered. */
const trade = async (world: World): Promise<void> => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const card = await order(reseller, phone)
  await cardReads(world, reseller, card, /processing/)
  const [placed] = ordersFor(world, phone)
  world.provider.setStatus(placed?.reference ?? '', 'delivered')
  await cardReads(world, reseller, card, /delivered/)
  expect(debitsOf(world, reseller)).toHaveLength(1)
}

test('a bot that one instance added runs in both, and goes on when its leader is killed', async ({
  onTestFinished,
}) => {
  const world = await createWorld({ process: true, env: { OWNER_IDS: String(operatorId) } })
  onTestFinished(() => world.close())
  const first = world.bot
  const second = await world.anotherBot()
  await second.start()
  const operator = operatorOf(world)
  const bot = await addBot(world, operator)
  await trade(bot)

  // Either instance takes its callbacks.
  const reseller = await bot.newReseller()
  const placed = await place(bot, reseller, newPhone())
  const path = new URL(placed.webhookUrl ?? '').pathname
  const taken = (by: BotUnderTest, status: number) =>
    world.until(async () => (await callBack(by, path, placed.reference)) === status, `${by.url}: ${status}`)
  await taken(first, 200)
  await taken(second, 200)

  await first.kill()
  expect(await answers(world)).toBe(true)
  expect(await answers(bot)).toBe(true)
  await first.start()
  await taken(first, 200)

  // Whatever the second one's operator changes, the first one follows.
  await botScreen(operator, bot)
  await operator.press('Stop', 'Stopped')
  for (const each of [first, second]) await taken(each, 503)
  await operator.press('New token', 'Send me the new token')
  const { message_id: after } = operator.chat.say(bot.telegram.renew())
  await operator.chat.waitForText('has its new token', { after })
  for (const each of [first, second]) await taken(each, 200)
  expect(await answers(bot)).toBe(true)
  await second.stop()
  expect(await answers(bot)).toBe(true)

  await botScreen(operator, bot)
  await second.start()
  await taken(second, 200)
  await operator.press('Remove', 'Remove this bot?')
  await operator.press('Confirm: remove', 'Its database is kept')
  for (const each of [first, second]) await taken(each, 404)
})
