// @module-tag killed
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import type { BotUnderTest } from '../../support/bot/bot.ts'
import { metricsToken, readMetrics } from '../../support/metrics.ts'
import { createWorld, type World, type WorldOptions } from '../../support/world.ts'
import { askFor, changeDatabase, debitsOf, inDatabase, newPhone, ordersFor, postsFor } from '../shop.ts'

/** Two bot processes with one token, on one database or on two. */

const limits = { perMinute: 1_000, perHour: 1_000, perDay: 5_000 }

type Finishing = Pick<TestContext, 'onTestFinished'>

const newWorld = async ({ onTestFinished }: Finishing, options: WorldOptions = {}): Promise<World> => {
  const world = await createWorld({
    process: true,
    settings: { limits },
    env: { METRICS_TOKEN: metricsToken },
    ...options,
  })
  onTestFinished(() => world.close())
  return world
}

const withTwo = async (
  context: Finishing,
): Promise<{ world: World; first: BotUnderTest; second: BotUnderTest }> => {
  const world = await newWorld(context)
  const second = await world.anotherBot()
  await second.start()
  return { world, first: world.bot, second }
}

const telegramOf = async ({ url }: BotUnderTest): Promise<string> => {
  const answer = await fetch(`${url}/readyz`)
  return ((await answer.json()) as { telegram: string }).telegram
}

const isAnswered = async (world: World): Promise<void> => {
  const { chat } = world.newPerson()
  chat.say('/help')
  await chat.waitForText(helpTitle, { timeoutMs: 60_000 })
}

describe.concurrent('two processes of the bot', () => {
  test('on one database do not both work, and the standby takes over when the worker is killed', async (context) => {
    const { world, first, second } = await withTwo(context)
    expect([await telegramOf(first), await telegramOf(second)]).toEqual([
      'ok',
      'standing by: another process on this database reads the updates',
    ])
    // A standby must not cause an alert.
    expect(await readMetrics(second.url)).toContain('\nbundlegram_telegram_connected 1\n')
    await isAnswered(world)
    await first.kill()
    await isAnswered(world)
    expect(await telegramOf(second)).toBe('ok')
    await first.start()
    expect(await telegramOf(first)).toContain('standing by')
    // The killed process's call may end this way, if Telegram does not know yet that its connection is gone.
    const conflicts = world.telegram.calls('getUpdates').filter(({ errorCode }) => errorCode === 409)
    expect(conflicts.length).toBeLessThanOrEqual(1)
  })

  test('hand over immediately when one is stopped, without losing an update', async (context) => {
    const { world, first, second } = await withTwo(context)
    const people = Array.from({ length: 20 }, () => world.newPerson())
    for (const { chat } of people.slice(0, 10)) chat.say('/help')
    const stopped = first.stop()
    for (const { chat } of people.slice(10)) chat.say('/help')
    expect(await stopped).toBe(0)
    for (const { chat } of people) await chat.waitForText(helpTitle, { timeoutMs: 60_000 })
    await first.start()
    await second.stop()
    await isAnswered(world)
    for (const { chat } of people) {
      expect(chat.texts().filter((text) => text.startsWith(helpTitle))).toHaveLength(1)
    }
  })

  test('never both work: a suspended worker that lost its lease stands by', async (context) => {
    const { world, first, second } = await withTwo(context)
    process.kill(first.pid() ?? 0, 'SIGSTOP')
    // Ends the lease, as if the process had been suspended for fifteen seconds.
    await changeDatabase(world, (db) =>
      db.prepare('UPDATE Lease SET until = ?').run(new Date().toISOString().replace('Z', '+00:00')),
    )
    await world.until(async () => (await telegramOf(second)) === 'ok', 'the second one to take over')
    process.kill(first.pid() ?? 0, 'SIGCONT')
    await world.until(async () => (await telegramOf(first)).includes('standing by'), 'the first to stand by')
    await isAnswered(world)
    expect(first.output()).not.toContain('TELEGRAM_BOT_TOKEN')
  })

  test('send and announce each of twenty purchases once', async (context) => {
    const { world, second } = await withTwo(context)
    const resellers = await Promise.all(Array.from({ length: 4 }, () => world.newReseller()))
    const purchases = resellers.flatMap((reseller) =>
      Array.from({ length: 5 }, () => ({ reseller, phone: newPhone() })),
    )
    await Promise.all(
      resellers.map(async (each) => {
        for (const { reseller, phone } of purchases) if (reseller === each) await askFor(reseller, phone)
      }),
    )
    for (const { reseller } of purchases) {
      const unconfirmed = world.telegram
        .messages(reseller.id)
        .filter(({ text, from }) => from?.is_bot && text?.includes(asksToConfirm))
      for (const message of unconfirmed) {
        const button = message.reply_markup?.inline_keyboard
          .flat()
          .find(({ text }) => text.includes('Confirm'))
        if (button && 'callback_data' in button) {
          world.telegram.press({
            from: reseller.id,
            messageId: message.message_id,
            data: button.callback_data,
          })
        }
      }
    }
    const placed = await world.until(() => {
      const orders = purchases.flatMap(({ phone }) => ordersFor(world, phone))
      const cards = resellers.flatMap(({ chat }) =>
        chat.texts().filter((text) => /· processing\n/.test(text)),
      )
      return cards.length === 20 && orders
    }, 'all to be placed')
    for (const { reference } of placed) world.provider.setStatus(reference, 'delivered')
    const ends = () =>
      resellers.flatMap(({ chat }) => chat.texts().filter((text) => /^✅ .*: delivered/.test(text)))
    await world.until(() => ends().length >= 20, 'all ends to be told')
    await world.until(
      () => inDatabase(world, (db) => db.prepare('SELECT COUNT(*) AS owed FROM Notice').get()?.owed) === 0,
      'nothing to be owed',
    )
    expect(new Set(ends()).size).toBe(20)
    expect(ends()).toHaveLength(20)
    for (const { phone } of purchases) expect(postsFor(world, phone)).toHaveLength(1)
    for (const reseller of resellers) expect(debitsOf(world, reseller)).toHaveLength(5)
    await second.stop()
  }, 240_000)

  test('with one token on two databases notice the shared token within a minute, and one of them stops', async (context) => {
    const world = await newWorld(context, { env: { LOG_LEVEL: 'info' } })
    const bots = [world.bot, await world.anotherBot({ DATABASE_URL: world.unmadeDatabaseUrl() })]
    await bots[1]?.start()
    const hasEnded = () => bots.find((bot) => bot.pid() === undefined)
    await vi.waitUntil(hasEnded, { timeout: 80_000, interval: 50 })
    const ended = hasEnded()
    expect(await ended?.died()).toBe(1)
    expect(ended?.output()).toMatch(
      /"level":"error"[^\n]*TELEGRAM_BOT_TOKEN: another program uses this token/,
    )
    expect(ended?.output()).toContain('"msg":"stopped"')
    expect(bots.filter((bot) => bot.pid() !== undefined)).toHaveLength(1)
    await isAnswered(world)
  }, 240_000)
})
