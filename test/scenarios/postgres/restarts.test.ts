import type { Message } from 'grammy/types'
import { test } from 'vitest'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  dataOf,
  debitsOf,
  inDatabase,
  newPhone,
  ordersFor,
  place,
  postsFor,
} from '../shop.ts'

/** A PostgreSQL whose connections end, or that is down for a while, in the middle of everything. */

const patient = { callbackTimeoutMs: 20_000, callbackRetriesMs: Array<number>(60).fill(500) }

interface Wish {
  reseller: Reseller
  phone: string
  card: Message
}

/** Ends all connections of the world's bots. @returns how many there were. */
const endConnections = (world: World): number => {
  const { applicationName } = readPostgresUrl(world.databaseUrl)
  return inDatabase(
    world,
    (db) =>
      db
        .prepare('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?')
        .all(applicationName).length,
  )
}

/** Ends the connections `times` times, each time after the bot has made new ones. */
const keepEndingThem = async (world: World, times: number): Promise<void> => {
  for (let time = 1; time <= times; time += 1) {
    await world.until(() => endConnections(world) > 0, 'the bot to connect again')
  }
}

/** Presses Confirm, and again if told that it failed, as people do. */
const confirm = async (world: World, { reseller, card }: Wish): Promise<void> => {
  const { chat, id } = reseller
  const apologies = () => chat.texts().filter((text) => text.startsWith('Something went wrong')).length
  const isTaken = () =>
    world.telegram
      .messages(id)
      .some(({ message_id, text }) => message_id === card.message_id && !text?.includes(asksToConfirm))
  while (!isTaken()) {
    const before = apologies()
    world.telegram.press({ from: id, messageId: card.message_id, data: dataOf(card, 'Confirm') })
    await world.until(() => isTaken() || apologies() > before, 'a press of Confirm to come to something')
  }
}

const readiness = async (world: World): Promise<number> => (await fetch(`${world.botUrl}/readyz`)).status

test.concurrent('each of ten orders is placed and reported once, although the database keeps ending all connections', async ({
  expect,
  onTestFinished,
}) => {
  const world = await createWorld({ process: true, settings: patient })
  onTestFinished(() => world.close())
  const resellers = [await world.newReseller(), await world.newReseller()]
  const wishes: Wish[] = []
  for (const reseller of resellers) {
    for (let made = 0; made < 5; made += 1) {
      const phone = newPhone()
      wishes.push({ reseller, phone, card: await askFor(reseller, phone) })
    }
  }
  await Promise.all([
    keepEndingThem(world, 12),
    // A person presses one button after the other.
    ...resellers.map(async (reseller) => {
      for (const wish of wishes) if (wish.reseller === reseller) await confirm(world, wish)
    }),
  ])
  for (const { reseller, card } of wishes) await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  for (const { phone } of wishes) {
    for (const { reference } of ordersFor(world, phone)) world.provider.setStatus(reference, 'delivered')
  }
  await keepEndingThem(world, 12)
  for (const { reseller, phone } of wishes) {
    await reseller.chat.waitForText(new RegExp(`for ${phone}: delivered`), { timeoutMs: 60_000 })
  }
  for (const { reseller, card } of wishes)
    await cardReads(world, reseller, card, /delivered(?! \(reported\))/)
  for (const { phone } of wishes) expect(postsFor(world, phone), phone).toHaveLength(1)
  for (const reseller of resellers) expect(debitsOf(world, reseller)).toHaveLength(5)
  await world.until(async () => (await readiness(world)) === 200, 'the bot to be ready')
  expect(await world.bot.stop()).toBe(0)
})

test.concurrent('the bot is unready and takes no callback while the database server is down, and goes on by itself afterwards', async ({
  expect,
  onTestFinished,
}) => {
  const world = await createWorld({ process: true, settings: patient, gateway: true })
  onTestFinished(() => world.close())
  const reseller = await world.newReseller()
  const [open, next] = [newPhone(), newPhone()]
  const { reference } = await place(world, reseller, open)
  const card = await askFor(reseller, next)
  await world.gateway?.cut()
  await world.until(async () => (await readiness(world)) === 503, 'the bot not to be ready')
  world.provider.setStatus(reference, 'delivered')
  await world.until(
    () => world.provider.callbacks().some((each) => each.reference === reference && each.answer === 503),
    'a callback to be answered 503',
  )
  expect(reseller.chat.texts().join()).not.toContain('delivered')
  await world.gateway?.mend()
  await world.until(async () => (await readiness(world)) === 200, 'the bot to be ready again')
  await reseller.chat.waitForText(new RegExp(`for ${open}: delivered`), { timeoutMs: 60_000 })
  await confirm(world, { reseller, phone: next, card })
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  for (const phone of [open, next]) expect(postsFor(world, phone)).toHaveLength(1)
  expect(debitsOf(world, reseller)).toHaveLength(2)
})

test.concurrent('an order that is being sent when the database server goes down is charged once, and reported afterwards', async ({
  expect,
  onTestFinished,
}) => {
  const world = await createWorld({ process: true, settings: patient, gateway: true })
  onTestFinished(() => world.close())
  const reseller = await world.newReseller()
  const phone = newPhone()
  const card = await askFor(reseller, phone)
  world.provider.addFault({ kind: 'slow', delayMs: 1_500 })
  await confirm(world, { reseller, phone, card })
  await world.until(() => postsFor(world, phone).length > 0, 'the order to arrive at the provider')
  await world.gateway?.cut()
  await world.until(() => ordersFor(world, phone).length > 0, 'the order to be debited')
  await world.until(async () => (await readiness(world)) === 503, 'the bot not to be ready')
  await world.gateway?.mend()
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/, 60_000)
  expect(postsFor(world, phone)).toHaveLength(1)
  expect(debitsOf(world, reseller)).toHaveLength(1)
})
