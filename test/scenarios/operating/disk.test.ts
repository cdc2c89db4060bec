// @module-tag screens
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { noRoom } from '../../../src/telegram/chat/alerts/disk-words.ts'
import { metricsToken, readMetrics } from '../../support/metrics.ts'
import { createWorld, type World } from '../../support/world.ts'
import { askFor, cardReads, newPhone, ordersFor, place, toastOf } from '../shop.ts'
import { operatorId } from './operator.ts'

/** The database's disk is nearly full, or has free space again. */

let world: World
const [little, much] = [50_000_000, 50_000_000_000]
let freeBytes = much

beforeAll(async () => {
  world = await createWorld({
    env: { OWNER_IDS: String(operatorId), METRICS_TOKEN: metricsToken },
    freeBytes: async () => freeBytes,
  })
})
afterEach(async () => {
  await leave(much)
})
afterAll(() => world?.close())

const readiness = async () => {
  const answer = await fetch(`${world.botUrl}/readyz`)
  return { status: answer.status, ...((await answer.json()) as { ready: boolean; disk?: string }) }
}

/** Sets the free space, and waits until the bot has noticed. */
const leave = async (bytes: number): Promise<void> => {
  freeBytes = bytes
  await world.until(
    async () => ((await readiness()).disk !== undefined) === bytes < much,
    'the bot to look at the disk',
  )
}

const operator = () => chatOf(world.telegram, operatorId)

test('on a nearly full disk new orders are refused with the reason, and confirmed orders go on', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  const [phone, other, listed] = [newPhone(), newPhone(), newPhone()]
  const placed = await place(world, reseller, phone)
  const card = await askFor(reseller, other)
  await leave(little)
  expect(await toastOf(world, chat.press('Confirm'))).toBe(noRoom)
  for (const text of [`${listed} 2GB`, `${listed} 2GB\n${newPhone()} 3GB`, '/bulk', '/buy']) {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(noRoom, { after })
  }
  const { message_id: after } = chat.sendFile('list.txt', `${listed} 2GB`)
  await chat.waitForText(noRoom, { after })
  expect([ordersFor(world, other), ordersFor(world, listed)]).toEqual([[], []])
  // The callback is stored and reported.
  world.provider.setStatus(placed.reference, 'delivered')
  await chat.waitForText(`for ${phone}: delivered`)
  await leave(much)
  world.telegram.press({
    from: reseller.id,
    messageId: card.message_id,
    data: String(chat.button('Confirm')?.data),
  })
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
})

test('on a nearly full disk a second press of Confirm gets the answer that the order is already confirmed', async () => {
  const reseller = await world.newReseller()
  const card = await askFor(reseller, newPhone())
  const data = String(reseller.chat.button('Confirm')?.data)
  reseller.chat.press('Confirm')
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  await leave(little)
  const press = world.telegram.press({
    from: reseller.id,
    messageId: card.message_id,
    data,
    stale: true,
  })
  expect(await toastOf(world, press)).toContain('Already confirmed')
})

test('operators are told once that the disk is nearly full and when it has room again, even over a restart', async () => {
  operator().say('/start')
  await operator().waitForText('Bundlegram')
  const told = () =>
    operator()
      .texts()
      .filter((text) => /disk/.test(text)).length
  const before = told()
  await leave(little)
  const alert = await operator().waitForText('only 50 MB left')
  expect(await readiness()).toMatchObject({ status: 200, ready: true, disk: /50 MB free/ })
  await world.bot.restart()
  await leave(little)
  expect(await readMetrics(world.botUrl)).toMatch(/^bundlegram_disk_short 1$/m)
  await leave(much)
  const closed = await operator().waitForText(/^✅ Over after .*has space again/)
  expect(closed.message_id).toBe(alert.message_id)
  expect(told()).toBe(before + 1)
})
