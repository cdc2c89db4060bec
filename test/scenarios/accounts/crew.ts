import { expect, type TestContext } from 'vitest'
import type { BotUnderTest } from '../../support/bot/bot.ts'
import { type Balancer, startBalancer } from '../../support/network/balancer.ts'
import { createWorld, type Reseller, type World, type WorldOptions } from '../../support/world.ts'
import { debitsOf, inDatabase, newPhone, order, ordersFor, postsFor } from '../shop.ts'

/**
 * Several bot processes on one PostgreSQL, behind a load balancer that passes updates and callbacks to each in turn.
 */
export interface Crew {
  world: World
  bots: BotUnderTest[]
  balancer: Balancer
}

/** @param count how many processes. */
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

/** The messages about delivered orders in the person's chat. */
export const endsOf = ({ chat }: Reseller): string[] =>
  chat.texts().filter((text) => /^✅ .*: delivered/.test(text))

/** How often the words occur in a process's output. */
export const countIn = (bot: BotUnderTest, words: RegExp): number => bot.output().match(words)?.length ?? 0

/** The process that holds the worker's lease. */
export const workerOf = ({ world, bots }: Pick<Crew, 'world' | 'bots'>): BotUnderTest | undefined => {
  const held = inDatabase(world, (db) => db.prepare(`SELECT token FROM Lease WHERE name = 'worker'`).get())
  return bots.find(({ pid }) => String(held?.token).includes(`/${pid()}/`))
}

/** The placements of all orders. */
export const placements = (world: World): string[] =>
  inDatabase(world, (db) => db.prepare('SELECT placement FROM "Order"').all()).map(({ placement }) =>
    String(placement),
  )

/** Creates people who have connected their own accounts. */
export const newResellers = ({ world }: Crew, count: number): Promise<Reseller[]> =>
  Promise.all(Array.from({ length: count }, () => world.newReseller()))

/** All resellers place `times` orders each, at the same time. @returns the phone numbers of each reseller's orders. */
export const orderAll = (resellers: readonly Reseller[], times: number): Promise<string[][]> =>
  Promise.all(
    resellers.map(async (reseller) => {
      const phones = Array.from({ length: times }, () => newPhone())
      for (const phone of phones) await order(reseller, phone)
      return phones
    }),
  )

/** Expects that all orders are delivered: each was posted and debited once, and announced once. */
export const allEndWell = async (
  { world }: Crew,
  resellers: readonly Reseller[],
  phones: readonly string[][],
): Promise<void> => {
  const all = phones.flat()
  const placed = await world.until(() => {
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
