import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeButton } from '../../src/telegram/buttons/button.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import { everyButton, idsOfNothing } from './every-button.ts'
import { addMember } from './members.ts'
import { askFor, cardReads, changeDatabase, inDatabase, newPhone } from './shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 } } })
})
afterAll(() => world?.close())

/** The wallet's balance, which a refusal of the provider names (API §7). */
const balance = '913.71'
const refusals = [400, 402, 404, 422] as const
const words = `Your wallet balance is GHS ${balance}, short of what this costs`

const refuseNext = (owner: Reseller, status: number, path: string): void => {
  world.provider.addFault({ kind: 'refuse', status, message: words, path, account: owner.account.id })
}

const refusedOrder = async (owner: Reseller, agent: Reseller, status: number): Promise<string> => {
  const phone = newPhone()
  const card = await askFor(agent, phone)
  refuseNext(owner, status, '/order')
  agent.chat.press('Confirm')
  await cardReads(world, agent, card, /rejected/)
  return phone
}

const refusedList = async (owner: Reseller, agent: Reseller, status: number): Promise<string> => {
  const [first, second] = [newPhone(), newPhone()]
  const { message_id: after } = agent.chat.say(`${first} 2GB\n${second} 2GB`)
  const card = await agent.chat.waitForText('2 ready', { after })
  refuseNext(owner, status, '/order/bulk')
  agent.chat.press('Confirm')
  await cardReads(world, agent, card, /rejected/)
  return first
}

const idsFor = (phone: string) =>
  inDatabase(world, (db) => {
    const row = db
      .prepare(
        'SELECT o.id AS orderId, o.purchaseId AS listId, o.accountId AS accountId FROM "Order" o JOIN Recipient r ON r.orderId = o.id WHERE r.phone = ?',
      )
      .get(phone)
    return { orderId: String(row?.orderId), listId: String(row?.listId), accountId: String(row?.accountId) }
  })

/** Presses every button that there is about those orders. */
const pressAll = async (agent: Reseller, phones: string[]): Promise<void> => {
  for (const phone of phones) {
    const { listId, ...ids } = idsFor(phone)
    const buttons = everyButton({ ...idsOfNothing(), ...ids, listId, draftId: listId, listDraftId: listId })
    const about = buttons
      .map(encodeButton)
      .filter((data) => data.includes(ids.orderId) || data.includes(listId))
    const presses = about.map((data) =>
      world.telegram.press({ from: agent.id, messageId: 900_000, data, stale: true }),
    )
    await world.telegram.waitFor(() => presses.every(({ id }) => world.telegram.answers(id)), {
      timeoutMs: 60_000,
    })
  }
  for (const command of ['/orders', '/balance', '/export', '/start', '/status BUD-API-X-1']) {
    const { message_id: after } = agent.chat.say(command)
    await agent.chat.waitForText('', { after })
  }
}

test('an agent reads no balance of the wallet anywhere, and neither does who was removed as one', async () => {
  const owner = await world.newReseller(913_71)
  const { message_id: after } = owner.chat.say('/balance')
  await owner.chat.waitForText(balance, { after })
  const agent = await addMember(world, owner)
  const phones: string[] = []
  for (const status of refusals) {
    phones.push(await refusedOrder(owner, agent, status))
    phones.push(await refusedList(owner, agent, status))
  }
  await pressAll(agent, phones)
  await changeDatabase(world, (db) => {
    db.prepare(`UPDATE "Order" SET agentName = 'Ama' WHERE userId = ?`).run(agent.id)
    db.prepare('DELETE FROM Member WHERE userId = ?').run(agent.id)
  })
  await pressAll(agent, phones)
  const sent = world.telegram.calls().filter(({ payload }) => payload.chat_id === agent.id)
  const texts = sent.map(({ payload }) =>
    JSON.stringify(payload, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    ),
  )
  expect(texts.some((text) => text.includes('rejected'))).toBe(true)
  expect(texts.some((text) => text.includes('For the provider’s support'))).toBe(true)
  expect(texts.filter((text) => text.includes(balance))).toEqual([])
})
