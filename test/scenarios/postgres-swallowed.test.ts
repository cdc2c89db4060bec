import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { pressAgain, pressNotTaken } from '../../src/telegram/texts/outage.ts'
import type { HandOn } from '../support/gateway.ts'
import { createWorld } from '../support/world.ts'
import { askFor, cardReads, debitsOf, newPhone, postsFor } from './shop.ts'

/** A network that swallows a press of Confirm on its way to the database, or the answer, and ends no connection. */

type Swallowed = 'query' | 'answer'

/** Hands on everything; from the next order on nothing more of the connection on which it is written, or no answer. */
const swallowing = (what: Swallowed) => {
  let isBegun = false
  const deaf = new WeakSet<Socket>()
  const handOn: HandOn = (from, to) => {
    const unlessSwallowed = (act: () => void) => () => deaf.has(to) || act()
    from.on('data', (chunk: Buffer) => {
      if (isBegun && chunk.includes('INSERT INTO "Order"')) {
        isBegun = false
        deaf.add(from)
        if (what === 'query') deaf.add(to)
      }
      unlessSwallowed(() => to.write(chunk))()
    })
    from.once(
      'end',
      unlessSwallowed(() => to.end()),
    )
    from.once(
      'close',
      unlessSwallowed(() => to.destroy()),
    )
  }
  const begin = () => {
    isBegun = true
  }
  return { handOn, begin }
}

test.concurrent.each<Swallowed>(['query', 'answer'])(
  'a press of Confirm whose %s is swallowed is never said to have done nothing, and charges once',
  async (what) => {
    const { handOn, begin } = swallowing(what)
    const world = await createWorld({ gateway: handOn })
    onTestFinished(() => world.close())
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    begin()
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect([postsFor(world, phone).length, debitsOf(world, reseller).length]).toEqual([1, 1])
    for (const untrue of [pressNotTaken, pressAgain]) expect(reseller.chat.texts()).not.toContain(untrue)
  },
)
