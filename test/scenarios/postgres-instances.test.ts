import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { leaseReserveMs, sendLeaseMs } from '../../src/journal/placement.ts'
import { helpTitle } from '../../src/telegram/texts/help.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { type Crew, endsOf, newCrew } from './crew.ts'
import {
  askFor,
  debitsOf,
  endLeases,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  postsFor,
  settleAfter,
} from './shop.ts'

const leaderOf = async ({ world, bots }: Crew): Promise<BotUnderTest> => {
  const held = inDatabase(world, (db) => db.prepare(`SELECT token FROM Lease WHERE name = 'telegram'`).get())
  const leader = bots.find(({ pid }) => String(held?.token).includes(`/${pid()}/`))
  if (!leader) throw new Error('Nobody leads.')
  return leader
}

describe('three instances', () => {
  test('take what Telegram and the provider bring to any of them: each purchase is debited once, and told once', async (context) => {
    const { world } = await newCrew(context)
    const resellers = await Promise.all(Array.from({ length: 4 }, () => world.newReseller()))
    const phones = resellers.map(() => Array.from({ length: 4 }, () => newPhone()))
    await Promise.all(
      resellers.map(async (reseller, index) => {
        for (const phone of phones[index] ?? []) await order(reseller, phone)
      }),
    )
    const all = phones.flat()
    const placed = await world.until(() => {
      const found = all.flatMap((phone) => ordersFor(world, phone))
      return found.length === all.length && found
    }, 'all to be placed')
    for (const { reference } of placed) world.provider.setStatus(reference, 'delivered')
    await world.until(
      () => resellers.flatMap(endsOf).length >= all.length,
      'all ends to be told, of callbacks that came to instances that do not lead',
    )
    expect(new Set(resellers.flatMap(endsOf)).size).toBe(all.length)
    for (const phone of all) expect(postsFor(world, phone)).toHaveLength(1)
    for (const reseller of resellers) expect(debitsOf(world, reseller)).toHaveLength(4)
  })

  test('a press that Telegram brings to all of them at once is one confirmation', async (context) => {
    const { world } = await newCrew(context)
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    const [button] = card.reply_markup?.inline_keyboard.flat() ?? []
    const data = button && 'callback_data' in button ? button.callback_data : ''
    for (let presses = 0; presses < 9; presses += 1) {
      world.telegram.press({ from: reseller.id, messageId: card.message_id, data })
    }
    const [placed] = await world.until(() => {
      const found = ordersFor(world, phone)
      return found.length > 0 && found
    }, 'it to be placed')
    world.provider.setStatus(placed?.reference ?? '', 'delivered')
    await world.until(() => endsOf(reseller).length > 0, 'its end to be told')
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('when the leader stands still another one leads, and all goes on without it', async (context) => {
    const crew = await newCrew(context)
    const { world } = crew
    const reseller = await world.newReseller()
    const leader = await leaderOf(crew)
    process.kill(leader.pid() ?? 0, 'SIGSTOP')
    const phone = newPhone()
    await order(reseller, phone)
    await world.until(() => ordersFor(world, phone).length === 1, 'the next one to place it')
    await world.until(async () => (await leaderOf(crew)).url !== leader.url, 'another one to lead')
    process.kill(leader.pid() ?? 0, 'SIGCONT')
    const after = newPhone()
    await order(reseller, after)
    await world.until(() => ordersFor(world, after).length === 1, 'an order after it goes on again')
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(postsFor(world, after)).toHaveLength(1)
  })

  test('one that stood still before the first byte, beyond all that it held, sends nothing when it goes on', async (context) => {
    const { world, bots } = await newCrew(context, { crashable: true })
    const reseller = await world.newReseller()
    // Whichever sends it.
    await world.bot.crashAt({ at: 'intent_committed', paused: true })
    const phone = newPhone()
    await order(reseller, phone)
    const isSending = () =>
      inDatabase(
        world,
        (db) => db.prepare(`SELECT id FROM "Order" WHERE placement = 'sending'`).all().length === 1,
      )
    await world.until(isSending, 'it to be on its way')
    await endLeases(world)
    await reseller.chat.waitForText('unconfirmed')
    // By its own clocks there would still be time for a request.
    await wait(sendLeaseMs - leaseReserveMs)
    for (const bot of bots) process.kill(bot.pid() ?? 0, 'SIGCONT')
    await settleAfter(world, 11)
    await reseller.chat.waitForText(/not placed/)
    expect(postsFor(world, phone)).toEqual([])
    expect(debitsOf(world, reseller)).toEqual([])
  })

  test('keep the limit of look-ups together', async (context) => {
    const { world } = await newCrew(context)
    const { chat } = world.newPerson()
    for (let tried = 0; tried < 20; tried += 1) chat.say(`BUD-API-GUESSED1-${100_000 + tried}`)
    chat.say('BUD-API-GUESSED1-200000')
    await chat.waitForText('Too many look-ups')
    expect(world.telegram.calls().filter(({ errorCode }) => errorCode === 429)).toEqual([])
  })

  test('one that is stopped in order hands over at once, and no update is lost', async (context) => {
    const crew = await newCrew(context)
    const { world } = crew
    const people = Array.from({ length: 12 }, () => world.newPerson())
    for (const { chat } of people.slice(0, 6)) chat.say('/help')
    const stopped = (await leaderOf(crew)).stop()
    for (const { chat } of people.slice(6)) chat.say('/help')
    expect(await stopped).toBe(0)
    for (const { chat } of people) await chat.waitForText(helpTitle)
    await world.until(() => leaderOf(crew).catch(() => null), 'another one to lead')
  })
})
