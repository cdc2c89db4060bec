import { expect, type TestContext } from 'vitest'
import type { Topic } from '../../src/database/signals.ts'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { createWorld, type Reseller, type World, type WorldOptions } from '../support/world.ts'
import { debitsOf, inDatabase, newPhone, order, ordersFor, postsFor } from './shop.ts'

/** Instances on one PostgreSQL, behind a load balancer that gives updates and callbacks to each in turn. */
export interface Crew {
  world: World
  bots: BotUnderTest[]
  balancer: Balancer
}

/** @param count how many instances. */
export const newCrew = async (
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  options: WorldOptions = {},
  count = 3,
): Promise<Crew> => {
  const targets: string[] = []
  const balancer = await startBalancer(targets)
  onTestFinished(() => balancer.close())
  const world = await createWorld({
    process: true,
    pace: 'telegram',
    settings: { limits: { perMinute: 1_000, perHour: 1_000, perDay: 5_000 } },
    env: { TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: balancer.url },
    ...options,
  })
  onTestFinished(() => world.close())
  const bots = [world.bot]
  while (bots.length < count) bots.push(await world.anotherBot())
  targets.push(world.bot.url)
  for (const bot of bots.slice(1)) {
    await bot.start()
    targets.push(bot.url)
  }
  return { world, bots, balancer }
}

/** What the person was told of delivered orders. */
export const endsOf = ({ chat }: Reseller): string[] =>
  chat.texts().filter((text) => /^✅ .*: delivered/.test(text))

/** How often those words stand in what an instance has printed. */
export const countIn = (bot: BotUnderTest, words: RegExp): number => bot.output().match(words)?.length ?? 0

/** The processes that hold claims of that kind. */
export const pidsWith = (world: World, topic: Topic): string[] =>
  inDatabase(world, (db) => db.prepare(`SELECT token FROM Lease WHERE name LIKE '${topic} %'`).all()).map(
    ({ token }) => String(token).split('/').at(-2) ?? '',
  )

/** How many orders of each state there are. */
export const placements = (world: World): string[] =>
  inDatabase(world, (db) => db.prepare('SELECT placement FROM "Order"').all()).map(({ placement }) =>
    String(placement),
  )

/** People who have connected accounts of their own. */
export const newResellers = ({ world }: Crew, count: number): Promise<Reseller[]> =>
  Promise.all(Array.from({ length: count }, () => world.newReseller()))

/** Each orders so many times, at the same time as the others. @returns the numbers of each. */
export const orderAll = (resellers: readonly Reseller[], times: number): Promise<string[][]> =>
  Promise.all(
    resellers.map(async (reseller) => {
      const phones = Array.from({ length: times }, () => newPhone())
      for (const phone of phones) await order(reseller, phone)
      return phones
    }),
  )

/**
 * Presses again where the bot has said that a press did nothing, as it does where a process stood still in it, or where
 * the machine is so busy that its database is late.
 */
export const pressesAgain = ({ telegram }: World, resellers: readonly Reseller[]): (() => void) => {
  const answered = new Set<number>()
  const confirm = (chatId: number, messageId = 0): void => {
    const card = telegram.messages(chatId).find((message) => message.message_id === messageId)
    const button = card?.reply_markup?.inline_keyboard.flat().find(({ text }) => text.includes('Confirm'))
    // Another instance may have taken the same press, which Telegram brought to it as well.
    if (button && 'callback_data' in button)
      telegram.press({ from: chatId, messageId, data: button.callback_data })
  }
  return () => {
    for (const { id: chatId } of resellers)
      for (const { message_id: id, text, reply_to_message: card } of telegram.messages(chatId))
        if (text?.includes('Your press did nothing') && !answered.has(id)) {
          answered.add(id)
          confirm(chatId, card?.message_id)
        }
  }
}

/** All are delivered: each was posted and debited once, and each end is told once. */
export const allEndWell = async (
  { world }: Crew,
  resellers: readonly Reseller[],
  phones: readonly string[][],
): Promise<void> => {
  const all = phones.flat()
  const pressAgain = pressesAgain(world, resellers)
  const placed = await world.until(() => {
    pressAgain()
    const found = all.flatMap((phone) => ordersFor(world, phone))
    return found.length >= all.length && found
  }, 'all to be placed')
  for (const { reference } of placed) world.provider.setStatus(reference, 'delivered')
  await world.until(() => resellers.flatMap(endsOf).length >= all.length, 'all ends to be told')
  expect(new Set(resellers.flatMap(endsOf)).size).toBe(all.length)
  for (const phone of all) expect(postsFor(world, phone)).toHaveLength(1)
  for (const [index, reseller] of resellers.entries())
    expect(debitsOf(world, reseller)).toHaveLength(phones[index]?.length ?? 0)
}
