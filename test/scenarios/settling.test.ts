import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import { inDatabase } from './shop.ts'

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

  const posts = () => world.provider.requests().filter(({ method }) => method === 'POST').length

  /** Puts the send of all unsettled orders back in time, as if the bot had waited. */
  const minutesLater = async (minutes: number) => {
    await world.bot.stop()
    inDatabase(world, (database) => {
      const earlier = (time: number) => new Date(time).toISOString().replace('Z', '+00:00')
      const rows = database.prepare('SELECT id, sentAt FROM "Order" WHERE settleAt IS NOT NULL').all()
      const update = database.prepare('UPDATE "Order" SET sentAt = ?, settleAt = ? WHERE id = ?')
      for (const { id = null, sentAt } of rows) {
        update.run(earlier(Date.parse(String(sentAt)) - minutes * 60_000), earlier(Date.now()), id)
      }
    })
    await world.bot.start()
  }

  test('is settled by its debit: one POST, one debit, said in a new message', async () => {
    const reseller = await world.newReseller()
    const before = posts()
    world.provider.addFault({ kind: 'answer_lost' })
    await order(reseller)
    const unconfirmed = await reseller.chat.waitForText(/unconfirmed[\s\S]*Do not order again/)
    await reseller.chat.waitForText(/was placed after all: GHS 43.*charged once/, {
      timeoutMs: 30_000,
      after: unconfirmed.message_id - 2,
    })
    expect(posts() - before).toBe(1)
    const debits = world.provider.debits(reseller.account.id)
    expect(debits).toHaveLength(1)
    await reseller.chat.waitForText(new RegExp(`processing[\\s\\S]*${debits[0]?.reference}`))
  }, 90_000)

  test('is “not placed” after a complete read that shows no debit, and can be ordered again', async () => {
    const reseller = await world.newReseller()
    world.provider.addFault({ kind: 'reset_before' })
    await order(reseller)
    await reseller.chat.waitForText('unconfirmed')
    await minutesLater(11)
    await reseller.chat.waitForText(/not placed[\s\S]*nothing was charged/)
    expect(world.provider.debits(reseller.account.id)).toHaveLength(0)
    reseller.chat.press('Order again')
    await reseller.chat.waitForButton('Confirm')
    reseller.chat.press('Confirm')
    await reseller.chat.waitForText(/processing[\s\S]*BUD-API/)
    expect(world.provider.debits(reseller.account.id)).toHaveLength(1)
  })

  test('stays unconfirmed while the history cannot be read, and says so', async () => {
    const reseller = await world.newReseller()
    world.provider.addFault({ kind: 'reset_before' })
    await order(reseller)
    await reseller.chat.waitForText('unconfirmed')
    world.provider.addFault({ kind: 'error_before', path: '/transactions', times: null })
    await minutesLater(11)
    await reseller.chat.waitForText('entries cannot be read to tell')
    world.provider.clearFaults()
    reseller.chat.press('Check now')
    await reseller.chat.waitForText(/not placed[\s\S]*nothing was charged/)
  })

  test('that was “not placed” is reported at once when its debit appears late', async () => {
    const reseller = await world.newReseller()
    world.provider.addFault({ kind: 'debit_late', delayMs: 8_000 })
    world.provider.addFault({ kind: 'answer_lost' })
    await order(reseller)
    await reseller.chat.waitForText('unconfirmed')
    await minutesLater(11)
    await reseller.chat.waitForText('not placed')
    // The entry's own time is cut to whole seconds.
    await world.until(
      () => Date.now() - Date.parse(world.provider.debits(reseller.account.id)[0]?.createdAt ?? '') > 9_200,
      'the debit shows',
    )
    await minutesLater(5)
    await reseller.chat.waitForText('was placed after all')
    expect(world.provider.debits(reseller.account.id)).toHaveLength(1)
  }, 90_000)

  test('is not given the debit of another order for another number', async () => {
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

  test('that fails is watched until its refund is in the wallet', async () => {
    const reseller = await world.newReseller()
    world.provider.settings({ refundAfterMs: null })
    await order(reseller)
    await reseller.chat.waitForText('processing')
    const [debit] = world.provider.debits(reseller.account.id)
    world.provider.setStatus(debit?.reference ?? '', 'failed')
    reseller.chat.press('Refresh')
    await reseller.chat.waitForText(/failed[\s\S]*refund not seen yet/)

    world.provider.setStatus(debit?.reference ?? '', 'refunded', { quiet: true })
    world.provider.setStatus(debit?.reference ?? '', 'failed', { quiet: true })
    await world.bot.stop()
    inDatabase(world, (database) =>
      database.exec('UPDATE "Order" SET refundAt = statusAt WHERE refundAt IS NOT NULL'),
    )
    await world.bot.start()
    await reseller.chat.waitForText(/↩️ MTN 10GB for 0241234567 failed: refunded GHS 43/)
    world.provider.settings({ refundAfterMs: 0 })
  })
})
