import type { TestContext } from 'vitest'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { createWorld, type Reseller, type World, type WorldOptions } from '../support/world.ts'

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
