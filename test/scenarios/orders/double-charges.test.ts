import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { earlyEnoughToday } from '../../support/day.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { accountIdOf, addMember } from '../accounts/members.ts'
import { changeDatabase, newPhone, place } from '../shop.ts'

/** The provider debits an order twice, and the people concerned are told. */

let world: World

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(earlyEnoughToday)
afterAll(() => world?.close())

const twice = /charged twice for MTN 2GB to .*: GHS 19\.20 instead of GHS 9\.60/

/** The messages in the chat that report a double charge. */
const told = ({ chat }: Reseller, words = /charged (?:twice|the wallet twice)/): string[] =>
  chat.texts().filter((text) => words.test(text))

const says = ({ chat }: Reseller, text: string, answer: string | RegExp) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

/** Places an order and debits it a second time, which the bot finds when the owner asks for the balance. */
const debitAgain = async (reseller: Reseller, owner = reseller): Promise<string> => {
  const { reference } = await place(world, reseller, newPhone())
  world.provider.debit(reference, 960)
  owner.chat.say('/balance')
  return reference
}

/** Waits for the answers to two more reads of the wallet, so that the bot has found every debit. */
const allIsSaid = async (reseller: Reseller): Promise<void> => {
  await says(reseller, '/balance', 'GHS')
  await says(reseller, '/transactions', 'GHS')
}

test('a double charge that happens during a restart is reported exactly once', async () => {
  const reseller = await world.newReseller()
  const { reference } = await place(world, reseller, newPhone())
  await world.bot.stop()
  world.provider.debit(reference, 960)
  await world.bot.start()
  await says(reseller, '/balance', twice)
  await world.bot.restart()
  await allIsSaid(reseller)
  expect(told(reseller)).toHaveLength(1)
})

test('a double charge of an agent’s order is reported once to agent and owner, without a cost to the agent', async () => {
  const owner = await world.newReseller()
  const agent = await addMember(world, owner)
  const reference = await debitAgain(agent, owner)
  await owner.chat.waitForText(twice)
  await agent.chat.waitForText('The provider charged the wallet twice')
  await allIsSaid(owner)
  expect(told(owner)).toHaveLength(1)
  expect(told(owner)[0]).toMatch(/👤 .* ordered:/)
  expect(told(agent)).toHaveLength(1)
  expect(told(agent)[0]).toContain('I’ve told the owner.')
  expect(agent.chat.texts().join()).not.toMatch(/GHS (?:9\.60|19\.20)/)
  world.provider.credit(reference, 960)
})

test('every owner of the account is told once of a double charge, and once of its refund', async () => {
  const first = await world.newReseller()
  const second = await addMember(world, first, 'owner')
  const agent = await addMember(world, first)
  await says(second, '/help', 'How it works')
  const reference = await debitAgain(first)
  await first.chat.waitForText(twice)
  const news = await second.chat.waitForText(twice)
  expect(news.text).toContain('👤 Another owner ordered:')
  world.provider.credit(reference, 960)
  await says(first, '/transactions', 'GHS')
  for (const { chat } of [first, second]) await chat.waitForText('That was the extra charge. It’s settled.')
  await allIsSaid(first)
  for (const each of [first, second]) {
    expect(told(each)).toHaveLength(1)
    expect(told(each, /It’s settled/)).toHaveLength(1)
  }
  expect(told(agent)).toEqual([])
})

test('a double charge counts in profit, statistics and files until it is refunded', async () => {
  const reseller = await world.newReseller()
  await changeDatabase(world, (database) =>
    database
      .prepare(`INSERT INTO Shop (accountId, name, ruleKind, ruleValue) VALUES (?, 'Ama', 'plus', 200)`)
      .run(accountIdOf(world, reseller)),
  )
  const reference = await debitAgain(reseller)
  await reseller.chat.waitForText(twice)
  world.provider.setStatus(reference, 'delivered')
  await reseller.chat.waitForText(/✅ MTN 2GB.*delivered/)
  const books = async () => {
    const { message_id: after } = reseller.chat.say('/stats')
    const { message } = await reseller.chat.waitForPhoto({ after })
    return message.caption ?? ''
  }
  const row = async () => {
    const { message_id: after } = reseller.chat.say('/export')
    await reseller.chat.waitForText('file for your books', { after })
    reseller.chat.press('🧾 Orders')
    await reseller.chat.waitForText(/Which days\?/, { after })
    reseller.chat.press('Today')
    await reseller.chat.waitForText('What kind of file?', { after })
    reseller.chat.press('CSV')
    const file = await reseller.chat.waitForFile({ after })
    await reseller.chat.waitForText(/^✅ Export of/, { after })
    return parse(file.bytes, { columns: true, bom: true })
  }
  expect(await row()).toMatchObject([
    { 'Price GHS': '9.60', 'Charged GHS': '19.20', 'Refunded GHS': '0.00', 'Profit GHS': '-7.60' },
  ])
  expect(await books()).toMatch(/Spent: GHS 19\.20\nSold for: GHS 11\.60 · loss GHS 7\.60/)
  world.provider.credit(reference, 960)
  await says(reseller, '/transactions', 'GHS')
  await reseller.chat.waitForText('It’s settled')
  expect(await row()).toMatchObject([
    { 'Price GHS': '9.60', 'Charged GHS': '19.20', 'Refunded GHS': '9.60', 'Profit GHS': '2.00' },
  ])
  expect(await books()).toMatch(/Spent: GHS 9\.60 .*\nSold for: GHS 11\.60 · profit GHS 2\.00/)
})
