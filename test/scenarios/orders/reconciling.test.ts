import { afterAll, beforeAll, describe, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { changeDatabase } from '../shop.ts'

describe('an order whose answer was lost', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ publicUrl: false })
  })
  afterAll(() => world?.close())

  const order = async (reseller: Reseller) => {
    reseller.chat.say('0241234567 10GB')
    await reseller.chat.waitForButton('Confirm')
    reseller.chat.press('Confirm')
  }

  /**
   * Moves the send times of all orders that are to be reconciled back, as if time had passed while the bot was stopped.
   */
  const minutesLater = async (minutes: number) => {
    await world.bot.stop()
    await changeDatabase(world, (database) => {
      const earlier = (time: number) => new Date(time).toISOString().replace('Z', '+00:00')
      const rows = database.prepare('SELECT id, sentAt FROM "Order" WHERE reconcileAt IS NOT NULL').all()
      const update = database.prepare('UPDATE "Order" SET sentAt = ?, reconcileAt = ? WHERE id = ?')
      for (const { id = null, sentAt } of rows) {
        update.run(earlier(Date.parse(String(sentAt)) - minutes * 60_000), earlier(Date.now()), id)
      }
    })
    await world.bot.start()
  }

  test('does not take the debit of an order for another number', async () => {
    const [one, other] = [await world.newReseller(), await world.newReseller()]
    world.provider.addFault({ kind: 'reset_before' })
    await order(one)
    await one.chat.waitForText('unconfirmed')
    await order(other)
    await other.chat.waitForText('processing')
    const { apiKey, apiSecret } = world.provider.account(one.account.id)
    await fetch(`${world.provider.url}/order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
      body: JSON.stringify({ bundle_id: 4, phone: '0551234567' }),
    })
    await minutesLater(11)
    await one.chat.waitForText('not placed')
  })
})
