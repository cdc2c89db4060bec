// @module-tag killed
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { askFor, changeDatabase, endLeases, inDatabase, newPhone } from '../shop.ts'

/** The bot is killed after Telegram has accepted an alert and before the bot can store its message id. */

let world: World

beforeAll(async () => {
  world = await createWorld({ judged: true, crashable: true })
})
beforeEach(async () => {
  if (world.bot.pid() === undefined) await world.bot.start()
})
afterAll(() => world?.close())

const over = /^✅ Over after .*the balance isn’t below your alert/

const alerts = ({ chat }: Reseller): string[] =>
  chat.texts().filter((text) => text.includes('The balance is low'))

/** An owner who was warned of a low balance by a bot that then crashed. */
const warned = async (): Promise<Reseller> => {
  const reseller = await world.newReseller(20_000)
  await changeDatabase(world, (db) =>
    db.prepare('INSERT INTO Preference (userId, lowBalancePesewas) VALUES (?, 20000)').run(reseller.id),
  )
  await askFor(reseller, newPhone())
  await world.bot.crashAt({ at: 'alert_accepted' })
  reseller.chat.press('Confirm')
  expect(await world.bot.died()).toBe('SIGKILL')
  expect(alerts(reseller)).toHaveLength(1)
  return reseller
}

const standing = ({ id }: Reseller): unknown[] =>
  inDatabase(world, (db) =>
    db.prepare("SELECT messageId FROM Alert WHERE chatId = ? AND name = 'balance'").all(id),
  )

test('an alert to operators that is over at the start after a crash is closed by one silent message', async () => {
  const reseller = await warned()
  await changeDatabase(world, (db) =>
    db.prepare('UPDATE Preference SET lowBalanceToldAt = NULL WHERE userId = ?').run(reseller.id),
  )
  await endLeases(world)
  await world.bot.start()
  const { message_id } = await reseller.chat.waitForText(over)
  await world.until(() => standing(reseller).length === 0, 'the alert to be forgotten')
  expect(alerts(reseller)).toHaveLength(1)
  expect(reseller.chat.texts().filter((text) => over.test(text))).toHaveLength(1)
  expect(world.telegram.chat(reseller.id).silent).toContain(message_id)
})

test('an alert to operators that still applies at the start after a crash is sent again, and closed later', async () => {
  const reseller = await warned()
  world.provider.setAccount(reseller.account.id, { balancePesewas: 20_000 })
  await endLeases(world)
  await world.bot.start()
  await world.until(() => alerts(reseller).length === 2, 'the alert to be said again')
  await world.until(() => Number(Object.values(standing(reseller)[0] ?? {})[0]) > 0, 'its place to be noted')
  reseller.chat.say('/balance')
  await reseller.chat.waitForText(over)
  expect(alerts(reseller)).toHaveLength(1)
  expect(reseller.chat.texts().filter((text) => over.test(text))).toHaveLength(1)
})
