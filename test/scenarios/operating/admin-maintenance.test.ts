// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { linesOf, orderList, paste, phones } from '../lists/list-shop.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
  toastOf,
} from '../shop.ts'
import { isPaused, type Operator, operatorId, operatorOf } from './operator.ts'

/** While an operator has paused all orders, no press orders anything. Orders confirmed before go on. */

let world: World
let operator: Operator
const worlds = {
  get: () => world,
  set: (other: World) => {
    world = other
    operator = operatorOf(other)
  },
}

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
  operator = operatorOf(world)
})
beforeEach(async () => {
  world.provider.clearFaults()
  if (isPaused(world)) await operator.resume()
})
afterAll(() => world?.close())

const pressAndRead = ({ id }: Reseller, card: Message, label: string): Promise<string> =>
  toastOf(world, world.telegram.press({ from: id, messageId: card.message_id, data: dataOf(card, label) }))

const current = ({ id }: Reseller, card: Message): Message =>
  world.telegram.messages(id).find(({ message_id }) => message_id === card.message_id) ?? card

const postsBy = ({ account }: Reseller): number =>
  world.provider.requests().filter(({ method, accountId }) => method === 'POST' && accountId === account.id)
    .length

/** All of that person's orders in the bot's database, including failed ones. */
const ordersWritten = ({ id }: Reseller): string[] =>
  inDatabase(world, (db) =>
    db
      .prepare('SELECT id, placement, sendAnyway FROM "Order" WHERE userId = ? ORDER BY id')
      .all(id)
      .map((row) => JSON.stringify(row)),
  )

/** A press that would lead to an order if orders were not paused. */
interface OrderingPress {
  name: string
  /** Brings up the first card before orders are paused. */
  prepare(reseller: Reseller): Promise<Message>
  /** Does what is left until the press while orders are paused. @returns the card with the button to press. */
  press(reseller: Reseller, screen: Message): Promise<Message>
  /** The button to press. */
  label: string
  /** Checks that a press of the button after the pause leads to an order. */
  goes(reseller: Reseller, card: Message): Promise<unknown>
}

const confirmed = (reseller: Reseller, card: Message): Promise<unknown> =>
  cardReads(world, reseller, card, /processing/)
const asItIs = async (_: Reseller, screen: Message): Promise<Message> => screen

/** A refused order, whose card offers to order again. */
const refusedOrder = async (reseller: Reseller): Promise<Message> => {
  world.provider.addFault({ kind: 'refuse', type: 'INSUFFICIENT_BALANCE', account: reseller.account.id })
  const card = await order(reseller, newPhone())
  return cardReads(world, reseller, card, /rejected/)
}

const setQuickRepeat = ({ id }: Reseller): Promise<unknown> =>
  changeDatabase(world, (db) =>
    db.prepare('INSERT INTO Preference (userId, freeRepeatPesewas) VALUES (?, 100000)').run(id),
  )

/** Presses a button that makes a draft. @returns the draft's card. */
const draftBy =
  (label: string, awaited: RegExp) =>
  async ({ id, chat }: Reseller, screen: Message): Promise<Message> => {
    const after = chat.last()?.message_id ?? 0
    world.telegram.press({ from: id, messageId: screen.message_id, data: dataOf(screen, label) })
    return chat.waitForText(awaited, { after })
  }

const paused = /Orders are paused/
/** The text of a card that can be confirmed. */
const notPaused = /^(?![\s\S]*Orders are paused)[\s\S]*Confirm this order/

const ways: OrderingPress[] = [
  {
    name: 'a press of “Confirm” on the card of one order',
    prepare: (reseller) => askFor(reseller, newPhone()),
    press: asItIs,
    label: 'Confirm',
    goes: confirmed,
  },
  {
    name: 'a press of “Confirm” on the preview of a list',
    prepare: (reseller) => paste(reseller, linesOf(phones(3), '1GB')),
    press: asItIs,
    label: 'Confirm',
    goes: confirmed,
  },
  {
    name: 'a press of “Confirm” on an order that is written during the pause',
    prepare: (reseller) => askFor(reseller, newPhone()),
    press: async ({ chat }) => {
      const { message_id: after } = chat.say(`${newPhone()} 2GB`)
      return chat.waitForText(paused, { after })
    },
    label: 'Confirm',
    goes: confirmed,
  },
  {
    name: 'a press of “Confirm” on a list that is pasted during the pause',
    prepare: (reseller) => askFor(reseller, newPhone()),
    press: async ({ chat }) => {
      const { message_id: after } = chat.say(linesOf(phones(2), '1GB').join('\n'))
      return chat.waitForText(/2 to order[\s\S]*Orders are paused/, { after })
    },
    label: 'Confirm',
    goes: confirmed,
  },
  {
    name: 'a press of “Repeat” that needs no Confirm',
    prepare: async (reseller) => {
      await setQuickRepeat(reseller)
      const phone = newPhone()
      const { reference } = await place(world, reseller, phone)
      world.provider.setStatus(reference, 'delivered')
      // Otherwise the bot would first ask whether the same order is wanted again so soon.
      await changeDatabase(world, (db) =>
        db
          .prepare('UPDATE "Order" SET createdAt = ?, sentAt = ? WHERE userId = ?')
          .run('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', reseller.id),
      )
      await reseller.chat.waitForText(/: delivered/)
      return (await reseller.chat.waitForButton('Repeat')).message
    },
    press: draftBy('Repeat', /Confirm this order\?[\s\S]*Orders are paused/),
    label: 'Confirm',
    goes: confirmed,
  },
  {
    name: 'a press of “Order again” on a refused order',
    prepare: refusedOrder,
    press: draftBy('Order again', paused),
    label: 'Confirm',
    goes: confirmed,
  },
  {
    name: 'a press of “Retry failed” on a list that the provider refused',
    prepare: async (reseller) => {
      world.provider.addFault({ kind: 'refuse', type: 'INSUFFICIENT_BALANCE', account: reseller.account.id })
      const card = await orderList(reseller, linesOf(phones(2), '1GB'))
      return cardReads(world, reseller, card, /rejected/)
    },
    press: draftBy('Retry failed', paused),
    label: 'Confirm',
    goes: confirmed,
  },
  {
    name: 'a press of “Continue” on a list that waits',
    prepare: async (reseller) => {
      world.provider.addFault({ kind: 'refuse', type: 'INSUFFICIENT_BALANCE', account: reseller.account.id })
      const card = await orderList(reseller, [...linesOf(phones(2), '1GB'), ...linesOf(phones(2), '2GB')])
      await reseller.chat.waitForText(/2 numbers are waiting/)
      return cardReads(world, reseller, card, /rejected/)
    },
    press: asItIs,
    label: 'Continue',
    goes: confirmed,
  },
  {
    name: 'a press of “Send anyway” while the number has an open order',
    prepare: async (reseller) => {
      const phone = newPhone()
      await place(world, reseller, phone)
      const card = await order(reseller, phone, '3GB')
      return cardReads(world, reseller, card, /this number has an open order/)
    },
    press: asItIs,
    label: 'Send anyway',
    goes: (reseller, card) => cardReads(world, reseller, card, /Your order .* for this number is still open/),
  },
]

describe('while orders are paused', () => {
  test.each(ways)('$name orders nothing and says why until the pause ends', async (way) => {
    const reseller = await world.newReseller()
    const screen = await way.prepare(reseller)
    await operator.pause()
    const [posted, written] = [postsBy(reseller), ordersWritten(reseller)]

    const card = current(reseller, await way.press(reseller, current(reseller, screen)))
    expect(await pressAndRead(reseller, card, way.label)).toMatch(
      /^🛠 Orders are paused\. Nothing new was ordered\./,
    )
    expect(await pressAndRead(reseller, card, way.label)).toMatch(paused)
    expect(ordersWritten(reseller)).toEqual(written)
    expect(postsBy(reseller)).toBe(posted)

    await operator.resume()
    await reseller.chat.waitForText('Orders are open again')
    expect(postsBy(reseller)).toBe(posted)
    expect(reseller.chat.texts().filter((text) => text.includes('Orders are open again'))).toHaveLength(1)
    await pressAndRead(reseller, current(reseller, card), way.label)
    await way.goes(reseller, card)
    // A list's card already says that the list continues when its next order is not yet sent.
    await expect.poll(() => postsBy(reseller)).toBe(posted + 1)
  })

  test('an order confirmed before the pause is sent in its turn, and followed to its end', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const first = await place(world, reseller, phone)
    const card = await order(reseller, phone, '3GB')
    await cardReads(world, reseller, card, /this number has an open order/)
    await operator.pause()
    world.provider.setStatus(first.reference, 'delivered')
    await cardReads(world, reseller, card, /3GB[\s\S]*processing/)
    expect(postsFor(world, phone)).toHaveLength(2)
    const second = ordersFor(world, phone).at(-1)
    world.provider.setStatus(second?.reference ?? '', 'delivered')
    await reseller.chat.waitForText(/3GB for .*: delivered/)
  })

  test('the card and the toast show the reason and the expected end of the pause', async () => {
    const reseller = await world.newReseller()
    const card = await askFor(reseller, newPhone())
    await operator.go(['Maintenance', 'Pause orders', '30 min'], 'How long: about 30 min')
    const { message_id: after } = operator.chat.say('The provider <b>moves</b> house & comes back')
    const asked = await operator.chat.waitForText('moves', { after })
    expect(asked.text).toContain('How long: about 30 min')
    await operator.press('Confirm: pause orders', 'Orders paused since')
    expect(await pressAndRead(reseller, card, 'Confirm')).toMatch(
      /paused until about (\d{1,2} \w{3}, )?\d\d:\d\d\./,
    )
    const drawn = await cardReads(world, reseller, card, paused)
    expect(drawn.text).toContain('“The provider <b>moves</b> house & comes back”')
    expect(drawn.text).toContain('confirm when orders reopen')
    await operator.press('Remove reason', 'Reason: not given')
    const overview = await operator.open()
    expect(overview.text).toMatch(/Orders paused since .*until about/)
  })

  test('every card that shows the pause is redrawn when the pause ends, even by a new process', async () => {
    const reseller = await world.newReseller()
    await operator.pause()
    const cards = [await askFor(reseller, newPhone()), await askFor(reseller, newPhone(), '3GB')]
    for (const card of cards) await cardReads(world, reseller, card, paused)
    await operator.resume()
    for (const card of cards) await cardReads(world, reseller, card, notPaused)

    await operator.pause()
    const last = await askFor(reseller, newPhone())
    await cardReads(world, reseller, last, paused)
    await world.bot.stop()
    await changeDatabase(world, (database) => {
      const fact = database.prepare('INSERT OR REPLACE INTO Fact (name, value) VALUES (?, ?)')
      fact.run('maintenance', '')
      fact.run('reopened', String(Date.now()))
    })
    await world.bot.start()
    await cardReads(world, reseller, last, notPaused)
  })

  test('a draft does not expire, however long the pause lasts', async () => {
    const reseller = await world.newReseller()
    const card = await askFor(reseller, newPhone())
    await operator.pause()
    await changeDatabase(world, (db) =>
      db
        .prepare(`UPDATE Purchase SET expiresAt = ? WHERE userId = ? AND state = 'draft'`)
        .run(new Date(Date.now() - 60_000).toISOString(), reseller.id),
    )
    const expiresAt = () =>
      inDatabase(world, (db) =>
        String(db.prepare('SELECT expiresAt FROM Purchase WHERE userId = ?').get(reseller.id)?.expiresAt),
      )
    await world.until(() => expiresAt() > new Date().toISOString(), 'the draft to be kept')
    await operator.resume()
    await pressAndRead(reseller, current(reseller, card), 'Confirm')
    await cardReads(world, reseller, card, /processing/)
  })

  describe('if the bot is killed before it answers', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { crashable: true, env: { OWNER_IDS: String(operatorId) } })

    test('neither the pause nor its end is lost', async () => {
      const reseller = await world.newReseller()
      const card = await askFor(reseller, newPhone())
      await operator.go(['Maintenance', 'Pause orders'], 'Pause all orders?')
      await operator.chat.waitForButton('Confirm: pause orders')
      await world.bot.crashAt({ at: 'maintenance_switched' })
      operator.chat.press('Confirm: pause orders')
      await world.bot.died()
      expect(isPaused(world)).toBe(true)
      await world.bot.start()
      await operator.chat.waitForText('Orders paused since')
      expect(await pressAndRead(reseller, card, 'Confirm')).toMatch(paused)

      await world.bot.restart()
      expect(await pressAndRead(reseller, card, 'Confirm')).toMatch(paused)
      expect(postsBy(reseller)).toBe(0)

      await operator.go(['Maintenance', 'Resume orders'], 'Resume orders?')
      await operator.chat.waitForButton('Confirm: resume orders')
      await world.bot.crashAt({ at: 'maintenance_switched' })
      operator.chat.press('Confirm: resume orders')
      await world.bot.died()
      expect(isPaused(world)).toBe(false)
      await world.bot.start()
      await reseller.chat.waitForText('Orders are open again')
    })
  })

  describe('if the bot is killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { crashable: true, env: { OWNER_IDS: String(operatorId) } })

    test('another process on the database takes over and also orders nothing', async () => {
      const reseller = await world.newReseller()
      const card = await askFor(reseller, newPhone())
      await operator.pause()
      const other = await world.anotherBot()
      await other.start()
      await world.bot.kill()
      expect(await pressAndRead(reseller, card, 'Confirm')).toMatch(paused)
      expect(postsBy(reseller)).toBe(0)
      await other.kill()
      await world.bot.start()
    })
  })
})
