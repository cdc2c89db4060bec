import { expect, test } from 'vitest'
import { type Swallowed, swallowing } from '../../support/postgres/swallowing.ts'
import { createWorld } from '../../support/world.ts'
import { askFor, cardReads, debitsOf, newPhone, postsFor } from '../shop.ts'

/** The network loses the query that a press of Confirm causes, or the answer to it, without closing a connection. */

test.concurrent.for<Swallowed>(['query', 'answer'])(
  'a press of Confirm orders and charges once, even if its database %s is lost on the way',
  async (what, { onTestFinished }) => {
    const world = await createWorld({ gateway: swallowing('INSERT INTO "Order"', what) })
    onTestFinished(() => world.close())
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect([postsFor(world, phone).length, debitsOf(world, reseller).length]).toEqual([1, 1])
  },
)
