// @module-tag exhaustive
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentPrices } from '../../../src/domain/selling/price-rule.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { type ButtonPress, encodePress } from '../../../src/telegram/buttons/table.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  inDatabase,
  newPhone,
  ordersFor,
  place,
  shareLink,
  toastOf,
} from '../shop.ts'
import { everyButton, idsOfNothing } from './every-button.ts'
import { accountIdOf, addMember, letAgentsSee } from './members.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 } } })
})
afterAll(() => world?.close())

/** The wallet's balance. The provider mentions it in its refusals (API §7). */
const balance = '9013.71'
const refusals = [400, 402, 404, 409, 422] as const
const words = `Your wallet balance is GHS ${balance}, short of what this costs`

/** A bundle's cost, chosen so that no sum of other costs or selling prices equals it by chance. */
const costOf = (bundleId: number): number => 1_007 + 40 * bundleId
const amount = (pesewas: number): string => (pesewas / 100).toFixed(2)

const newShop = async (): Promise<Reseller & { costs: string[] }> => {
  const owner = await world.newReseller(901_371)
  const ids = world.provider.bundles(owner.account.id).map(({ id }) => id)
  const prices = Object.fromEntries(ids.map((id) => [id, costOf(id)]))
  world.provider.setAccount(owner.account.id, { prices })
  const later = costOf(2) + 3
  const costs = [...ids.flatMap((id) => [1, 2, 3].map((count) => costOf(id) * count)), later, later * 2]
  return { ...owner, costs: costs.map(amount) }
}

const refuseNext = (owner: Reseller, status: number, path: string): void => {
  world.provider.addFault({ kind: 'refuse', status, message: words, path, account: owner.account.id })
}

/** After a 409 the outcome is unknown until the wallet is read. */
const refusedWord = (status: number): RegExp => (status === 409 ? /unconfirmed/ : /rejected/)

const refusedOrder = async (owner: Reseller, agent: Reseller, status: number): Promise<string> => {
  const phone = newPhone()
  const card = await askFor(agent, phone)
  refuseNext(owner, status, '/order')
  agent.chat.press('Confirm')
  await cardReads(world, agent, card, refusedWord(status))
  return phone
}

const refusedList = async (owner: Reseller, agent: Reseller, status: number): Promise<string> => {
  const [first, second] = [newPhone(), newPhone()]
  const { message_id: after } = agent.chat.say(`${first} 2GB\n${second} 2GB`)
  const card = await agent.chat.waitForText('2 to order', { after })
  refuseNext(owner, status, '/order/bulk')
  agent.chat.press('Confirm')
  await cardReads(world, agent, card, refusedWord(status))
  return first
}

/** Orders with every kind of end, a list with amounts next to its numbers, and drafts of every kind. */
const orderAll = async (agent: Reseller): Promise<{ phones: string[]; reference: string }> => {
  const delivered = await place(world, agent, newPhone())
  world.provider.setStatus(delivered.reference, 'delivered')
  const failed = await place(world, agent, newPhone())
  world.provider.setStatus(failed.reference, 'failed')
  await agent.chat.waitForText('owed a refund')
  world.provider.credit(failed.reference, costOf(2))
  world.provider.setStatus(failed.reference, 'refunded')
  await agent.chat.waitForText(/back in the wallet/)
  const [first, second] = [newPhone(), newPhone()]
  const { message_id: after } = agent.chat.say(`${first} 2GB\n${second} 2GB GHS 20`)
  const list = await agent.chat.waitForText('2 to order', { after })
  agent.chat.press('Confirm 2')
  await cardReads(world, agent, list, /2 processing/)
  return {
    phones: [delivered, failed]
      .flatMap(({ phones }) => phones.map(({ phone }) => phone as string))
      .concat(first),
    reference: delivered.reference,
  }
}

const idsFor = (phone: string) =>
  inDatabase(world, (db) => {
    const row = db
      .prepare(
        `SELECT o.id AS orderId, o.purchaseId AS listId, o.accountId AS accountId, p.kind AS kind FROM "Order" o
         JOIN Purchase p ON p.id = o.purchaseId JOIN Recipient r ON r.orderId = o.id WHERE r.phone = ?`,
      )
      .get(phone)
    const isList = row?.kind === 'list'
    return {
      orderId: String(row?.orderId),
      listId: String(row?.listId),
      accountId: String(row?.accountId),
      isList,
    }
  })

/** Whether the button would end the agent's membership or delete their data. Such buttons are not pressed. */
const ends = (button: ButtonPress): boolean =>
  button.do === 'disconnect' || (button.do === 'settings' && button.act.act === 'forget_sure')

const pressEach = async (person: { id: number }, buttons: readonly ButtonPress[]): Promise<void> => {
  const presses = [...new Set(buttons.map(encodePress))].map((data) =>
    world.telegram.press({ from: person.id, messageId: 900_000, data, stale: true }),
  )
  for (const press of presses) await toastOf(world, press)
}

/** Every button about the order for that number. The buttons of a list are included only if the order is in a list. */
const buttonsAbout = (phone: string): ButtonPress[] => {
  const { listId, isList, ...ids } = idsFor(phone)
  const everything = { ...idsOfNothing(), bundleId: 2, phone: newPhone() as Phone, ...ids }
  const purchase = isList ? { listId } : { draftId: listId }
  return everyButton({ ...everything, ...purchase }).filter((button) => {
    const data = encodePress(button)
    const isAbout = data.includes(ids.orderId) || data.includes(listId)
    return isAbout && !ends(button) && (isList || button.do !== 'list')
  })
}

const shows = new Set(['refresh', 'open', 'report', 'look', 'open_shared'])
const showsList = new Set(['open', 'look', 'doubtful', 'numbers', 'references_page', 'page'])
/** Whether the button changes nothing and only shows again what the provider answered. */
const onlyShows = (button: ButtonPress): boolean =>
  button.do === 'list' ? showsList.has(button.act.act) : shows.has(button.do)

/** Presses every button about those orders, and sends every command that shows something. */
const pressAll = async (person: Pick<Reseller, 'id' | 'chat'>, phones: readonly string[]): Promise<void> => {
  for (const phone of phones) await pressEach(person, buttonsAbout(phone))
  const commands = ['/orders', '/balance', '/export', '/start', '/stats', '/prices', '/bundles', '/settings']
  for (const command of [
    ...commands,
    '/transactions',
    '/customers',
    '/buy',
    '/bulk',
    '/status BUD-API-X-1',
  ]) {
    const { message_id: after } = person.chat.say(command)
    await person.chat.waitForText('', { after })
  }
}

/** Everything that the chats of those people got, including files and toasts. */
const textsTo = (people: readonly { id: number }[]): string[] =>
  world.telegram
    .calls()
    .filter(
      ({ method, payload }) =>
        method === 'answerCallbackQuery' || people.some(({ id }) => payload.chat_id === id),
    )
    .map(({ payload }) =>
      JSON.stringify(payload, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    )

const telling = (texts: readonly string[], secrets: readonly string[]): string[] => {
  const any = new RegExp(
    `(?<!\\d)(?:${secrets.map((secret) => secret.replace('.', '\\.')).join('|')})(?!\\d)`,
  )
  return texts.filter((text) => any.test(text))
}

const remove = (agent: Reseller): Promise<unknown> =>
  changeDatabase(world, (db) => {
    db.prepare(`UPDATE "Order" SET agentName = 'Ama' WHERE userId = ?`).run(agent.id)
    db.prepare('DELETE FROM Member WHERE userId = ?').run(agent.id)
  })

const idle = async (): Promise<void> => {
  await world.provider.idle()
  await world.until(
    () =>
      inDatabase(world, (db) => db.prepare('SELECT COUNT(*) AS n FROM Notice WHERE quietUntil IS NULL').get())
        ?.n === 0,
    'the outbox to be empty',
  )
}

test('an agent, even a removed one, never reads the balance of the wallet', async () => {
  const owner = await newShop()
  await letAgentsSee(world, owner, 'cost')
  const { message_id: after } = owner.chat.say('/balance')
  await owner.chat.waitForText(/9,013\.71/, { after })
  const agent = await addMember(world, owner)
  const phones: string[] = []
  for (const status of refusals) {
    phones.push(await refusedOrder(owner, agent, status))
    phones.push(await refusedList(owner, agent, status))
  }
  const [one = '', list = '', ...others] = phones
  await pressAll(agent, [one, list])
  for (const phone of others) await pressEach(agent, buttonsAbout(phone).filter(onlyShows))
  await remove(agent)
  await pressAll(agent, phones.slice(0, 2))
  await idle()
  const texts = textsTo([agent])
  expect(texts.some((text) => text.includes('rejected'))).toBe(true)
  expect(texts.some((text) => text.includes('For the provider’s support team'))).toBe(true)
  expect(telling(texts, owner.costs)).not.toEqual([])
  expect(telling(texts, [balance, '9,013.71'])).toEqual([])
})

/** Shops with a selling price for the size that is ordered in these tests, or with no selling prices at all. */
const shops: { what: string; sees: AgentPrices; sellPesewas: number | null }[] = [
  { what: 'selling prices', sees: 'selling', sellPesewas: 1_399 },
  { what: 'selling prices and the shop has none', sees: 'selling', sellPesewas: null },
  { what: 'no prices', sees: 'none', sellPesewas: 1_399 },
]

test.each(shops)(
  'no button shows an agent or a follower a cost if agents see $what',
  async ({ sees, sellPesewas }) => {
    const owner = await newShop()
    await letAgentsSee(world, owner, sees)
    const accountId = accountIdOf(world, owner)
    if (sellPesewas !== null)
      await changeDatabase(world, (db) =>
        db
          .prepare('INSERT INTO SellingPrice (accountId, bundleId, pricePesewas) VALUES (?, 2, ?)')
          .run(accountId, sellPesewas),
      )
    const agent = await addMember(world, owner)
    const { message_id: before } = agent.chat.say('/bundles MTN')
    const list = await agent.chat.waitForText('What you can order', { after: before })
    expect(list.text).toContain(sees === 'selling' && sellPesewas ? '2GB · GHS 13.99' : '2GB · –')

    const { phones, reference } = await orderAll(agent)
    const refused = [await refusedOrder(owner, agent, 402), await refusedOrder(owner, agent, 409)]
    refused.push(await refusedList(owner, agent, 422))

    // The owner's cost changes while the agent's card waits. The agent confirms again and learns no figure.
    const changed = newPhone()
    const card = await askFor(agent, changed)
    world.provider.setAccount(owner.account.id, { prices: { 2: costOf(2) + 3 } })
    await world.bot.stop()
    await world.bot.start()
    agent.chat.press('Confirm')
    const again = await agent.chat.waitForText(/price has gone up|price has changed/, {
      after: card.message_id,
    })
    expect(again.text).toMatch(sellPesewas && sees === 'selling' ? /Your price is the same/ : /Price: –/)
    expect(ordersFor(world, changed)).toEqual([])

    const { id, chat } = world.newPerson()
    const shown = agent.chat.say(reference)
    await agent.chat.waitForText('Reference: ', { after: shown.message_id })
    world.telegram.openLink(id, await shareLink(agent))
    await chat.waitForText('Status:')
    const stranger = await world.newReseller()

    const everything = { ...idsOfNothing(), bundleId: 2, phone: newPhone() as Phone }
    const isFirst = sees === 'selling' && sellPesewas !== null
    // To find differences in the other shops, a single order and their two lists are enough.
    const all = isFirst ? [...phones, ...refused] : [...phones.slice(2), ...refused.slice(1)]
    if (isFirst) {
      await pressEach(
        agent,
        everyButton(everything).filter((button) => !ends(button)),
      )
      await pressEach(stranger, buttonsAbout(all[0] ?? ''))
      await pressAll({ id, chat }, [phones[0] ?? '', ...phones.slice(2)])
    }
    await pressAll(agent, all)
    await remove(agent)
    await pressAll(agent, all.slice(0, 2))
    await idle()
    const texts = textsTo([agent, { id }])
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.some((text) => text.includes('13.99'))).toBe(sellPesewas !== null)
    expect(telling(texts, owner.costs)).toEqual([])
  },
  240_000,
)
