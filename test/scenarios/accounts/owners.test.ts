import { afterAll, beforeAll, expect, test } from 'vitest'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { needAccount } from '../../../src/telegram/words/unusable.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  toastOf,
} from '../shop.ts'
import { joinBy, showOwners } from './members.ts'

/** Several owners of one account, one of whom may have stolen the key. */

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

const connect = async ({ chat }: Pick<Reseller, 'chat'>, { apiKey, apiSecret }: Reseller['account']) => {
  const { message_id: after } = chat.say(`/connect ${apiKey} ${apiSecret}`)
  return chat.waitForText(nowConnected, { after })
}

/** Somebody else who knows the key connects the account. */
const secondOwner = async (owner: Reseller): Promise<Reseller> => {
  const second = { ...world.newPerson(), account: owner.account }
  await connect(second, owner.account)
  return second
}

const regenerate = (owner: Reseller): void => {
  const { id, apiKey, apiSecret } = owner.account
  owner.account = world.provider.setAccount(id, { apiKey: `${apiKey}-2`, apiSecret: `${apiSecret}-2` })
}

const agentOf = async (owner: Reseller): Promise<Reseller> => {
  const { message_id: after } = owner.chat.say('/agents')
  await owner.chat.waitForText('Agents', { after })
  owner.chat.press('✉️ Invite')
  const { text = '' } = await owner.chat.waitForText(invitationTitle, { after })
  const agent = { ...world.newPerson(), account: owner.account }
  await joinBy(world, agent, /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(text)?.[0] ?? '')
  await agent.chat.waitForText(orderNowPhrase)
  return agent
}

const roleOf = ({ id }: Reseller): unknown =>
  inDatabase(world, (db) => db.prepare('SELECT role FROM Member WHERE userId = ?').get(id)?.role)

const balanceSays = async ({ chat }: Reseller, words: string): Promise<void> => {
  const { message_id: after } = chat.say('/balance')
  await chat.waitForText(words, { after })
}

test('each owner is told when another owner connects the account, and sees all owners in /agents', async () => {
  const owner = await world.newReseller()
  const second = await secondOwner(owner)
  const told = await owner.chat.waitForText(/connected your account with its key and secret/)
  expect(told.text).toContain(`(Telegram id ${second.id})`)
  expect(told.text).toMatch(/\d\d:\d\d/)
  expect(told.text).toContain('make a new key in the provider’s dashboard and /connect with it')
  owner.chat.say('/agents')
  const list = await owner.chat.waitForText(/Owners\n🔑 You · since/)
  expect(list.text).toContain(`(Telegram id ${second.id})`)
  await connect(second, owner.account)
  expect(owner.chat.texts().filter((text) => text.includes('connected your account'))).toHaveLength(1)
})

test('an owner who connects with a new key removes the other owners and pauses their agents', async () => {
  const owner = await world.newReseller()
  await place(world, owner, newPhone())
  const thief = await secondOwner(owner)
  const [helper, own] = [await agentOf(thief), await agentOf(owner)]
  const phone = newPhone()
  await place(world, thief, phone)
  const waiting = await order(thief, phone)
  await cardReads(world, thief, waiting, /this number has an open order/)

  regenerate(owner)
  await connect(owner, owner.account)
  const why = await thief.chat.waitForText(/connected your account with a new key/)
  expect(why.text).toContain('1 waiting order was cancelled, not charged.')
  await cardReads(world, thief, waiting, /Nothing was sent or charged/)
  await balanceSays(thief, needAccount)
  const summary = await owner.chat.waitForText(/New key: you’re now the only owner/)
  expect(summary.text).toContain(`(Telegram id ${thief.id})`)
  expect(summary.text).toContain('Paused until you resume them in /agents')
  expect(ordersFor(world, phone)).toHaveLength(1)

  await helper.chat.waitForText('You’re paused')
  helper.chat.say(`${newPhone()} 2GB`)
  await helper.chat.waitForText('so nothing new was ordered')
  await askFor(own, newPhone())
  const { message_id: after } = owner.chat.say('/agents')
  const list = await owner.chat.waitForText('Agents', { after })
  owner.chat.press('⏸ ')
  await cardReads(world, owner, list, /Agent since/)
  owner.chat.press('▶️ Resume')
  await helper.chat.waitForText('You can order again')
  await place(world, helper, newPhone())
})

test('an agent who has not ordered for 90 days is paused, and can order again after an owner resumes them', async () => {
  const owner = await world.newReseller()
  const agent = await agentOf(owner)
  const longAgo = new Date(Date.now() - 91 * 24 * 3_600_000).toISOString()
  await changeDatabase(world, (db) =>
    db.prepare('UPDATE Member SET createdAt = ? WHERE userId = ?').run(longAgo, agent.id),
  )
  await world.bot.restart()
  const asked = await owner.chat.waitForText(/hasn’t ordered for 90 days, so I’ve paused them/)
  expect(asked.text).toContain('Telegram accounts can change hands')
  agent.chat.say(`${newPhone()} 2GB`)
  await agent.chat.waitForText('You’re paused, so nothing new was ordered')
  owner.chat.press('▶️ Resume')
  await agent.chat.waitForText('You can order again')
  await place(world, agent, newPhone())
})

test('an owner loses no open order if somebody else connects the new key first', async () => {
  const owner = await world.newReseller()
  const before = await place(world, owner, newPhone())
  regenerate(owner)
  const partner = { ...world.newPerson(), account: owner.account }
  await connect(partner, owner.account)
  const theirs = await place(world, partner, newPhone())

  await connect(owner, owner.account)
  await partner.chat.waitForText(/connected your account with a new key/)
  await balanceSays(partner, needAccount)
  for (const { reference, phones } of [before, theirs]) {
    world.provider.setStatus(reference, 'delivered')
    const { message_id: after } = owner.chat.say('/orders')
    await owner.chat.waitForText(new RegExp(phones[0]?.phone ?? ''), { after })
    await owner.chat.waitForText(new RegExp(`for ${phones[0]?.phone}.*: delivered`))
  }
  await place(world, owner, newPhone())
})

test('a key of another wallet is not accepted as a new key of the account', async () => {
  const owner = await world.newReseller()
  const { reference } = await place(world, owner, newPhone())
  world.provider.setStatus(reference, 'delivered')
  await changeDatabase(world, (db) =>
    db
      .prepare('UPDATE "Order" SET placedAt = ? WHERE reference = ?')
      .run(new Date(Date.now() - 3_600_000).toISOString(), reference),
  )
  const { apiKey, apiSecret } = world.provider.addAccount()
  owner.chat.say(`/connect ${apiKey} ${apiSecret}`)
  await owner.chat.waitForText(/Switch to another account\?\nThis key belongs to another account/)
})

test('if the bot cannot judge whose key an owner sent, it says that the key may be another account’s', async () => {
  const owner = await world.newReseller()
  await place(world, owner, newPhone())
  const { apiKey, apiSecret } = world.provider.addAccount()
  owner.chat.say(`/connect ${apiKey} ${apiSecret}`)
  const asked = await owner.chat.waitForText('Switch to another account?')
  expect(asked.text).toContain('may belong to another account')
  expect(asked.text).toContain('1 order isn’t finished')
})

test('an owner can remove a later owner, but not an earlier one', async () => {
  const owner = await world.newReseller()
  const second = await secondOwner(owner)
  await showOwners(second)
  expect(second.chat.button('Remove')).toBeUndefined()
  const { message_id: messageId = 0 } = second.chat.last() ?? {}
  const forged = world.telegram.press({
    from: second.id,
    messageId,
    data: await removalData(owner, second.id, owner.id),
    stale: true,
  })
  expect(await toastOf(world, forged)).toContain('Nothing was changed')
  expect(roleOf(owner)).toBe('owner')

  owner.chat.press('Remove')
  await owner.chat.waitForText('An owner you remove still knows the key. To keep them out')
  owner.chat.press('Remove now')
  await owner.chat.waitForText('is no longer an owner')
  await second.chat.waitForText('removed you as an owner')
  await balanceSays(second, needAccount)
})

/** The data of a `Remove` button in the owner's list of owners, changed to remove `to` instead of `from`. */
const removalData = async (owner: Reseller, from: number, to: number): Promise<string> => {
  await showOwners(owner)
  const data = owner.chat.button('Remove')?.data ?? ''
  expect(data).toContain(String(from))
  return data.replace(String(from), String(to))
}
