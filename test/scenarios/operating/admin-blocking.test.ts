// @module-tag screens
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { createWorld, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  dataOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
  shareLink,
} from '../shop.ts'
import { type Operator, operatorId, operatorOf } from './operator.ts'

/** Messages of a blocked chat are not read. News of its confirmed orders still reaches it. */

let world: World
let operator: Operator

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
  operator = operatorOf(world)
})
afterAll(() => world?.close())

const block = async (id: number): Promise<void> => {
  await operator.go(['Blocked', 'Block somebody'], 'Who do you want to block?')
  const { message_id: after } = operator.chat.say(String(id))
  await operator.chat.waitForText('Block this chat?', { after })
  await operator.press('Confirm: block', new RegExp(`^Blocked[\\s\\S]*${id}`))
}

const unblock = async (id: number): Promise<void> => {
  const { text = '' } = await operator.go(['Blocked'], String(id))
  const number = new RegExp(`(\\d+)\\. ${id} `).exec(text)?.[1]
  await operator.press(`Unblock ${number}`, new RegExp(`^Blocked(?![\\s\\S]*${id})`))
}

/** Waits until the bot has read everything sent before. It reads updates in order, so one later answer shows that. */
const allRead = async (): Promise<void> => {
  const other = world.newPerson()
  const { message_id: after } = other.chat.say('/help')
  await other.chat.waitForText(helpTitle, { after })
}

const rowsOf = (id: number) =>
  inDatabase(world, (db) => ({
    session: db.prepare('SELECT value FROM Session WHERE key = ?').get(String(id)),
    purchases: db.prepare('SELECT COUNT(*) AS count FROM Purchase WHERE userId = ?').get(id),
    held: db.prepare('SELECT COUNT(*) AS count FROM PendingCredential WHERE chatId = ?').get(id),
    follows: db.prepare('SELECT COUNT(*) AS count FROM Follow WHERE chatId = ?').get(id),
  }))

describe('a blocked chat', () => {
  test('is told once that it is blocked, and nothing from it is read', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await block(reseller.id)
    await reseller.chat.waitForText('has blocked this chat')
    const [before, said, requests] = [
      rowsOf(reseller.id),
      reseller.chat.texts().length,
      world.provider.requests().length,
    ]
    for (const text of [
      '/start',
      '/help',
      `${newPhone()} 2GB`,
      '/balance',
      '/connect a b',
      'hello',
      '/admin',
    ]) {
      reseller.chat.say(text)
    }
    reseller.chat.sendFile('list.txt', `${newPhone()} 2GB\n${newPhone()} 2GB`)
    reseller.chat.sendContact('Ama', newPhone())
    const press = world.telegram.press({
      from: reseller.id,
      messageId: card.message_id,
      data: dataOf(card, 'Confirm'),
    })
    await allRead()
    expect(rowsOf(reseller.id)).toEqual(before)
    expect(reseller.chat.texts()).toHaveLength(said)
    expect(world.telegram.answers(press.id)).toBeUndefined()
    expect(world.provider.requests()).toHaveLength(requests)
    expect(postsFor(world, phone)).toEqual([])

    await unblock(reseller.id)
    const { message_id: after } = reseller.chat.say('/help')
    await reseller.chat.waitForText(helpTitle, { after })
    expect(reseller.chat.texts().filter((text) => text.includes('has blocked this chat'))).toHaveLength(1)
  })

  test('still gets the news of orders that it confirmed before', async () => {
    const reseller = await world.newReseller()
    const [phone, other] = [newPhone(), newPhone()]
    const placed = await place(world, reseller, phone)
    world.provider.addFault({ kind: 'slow', delayMs: 3_000, account: reseller.account.id })
    const card = await order(reseller, other)
    await block(reseller.id)
    await cardReads(world, reseller, card, /processing/)
    world.provider.setStatus(placed.reference, 'failed')
    await reseller.chat.waitForText(/: failed/)
    const second = ordersFor(world, other)[0]
    world.provider.setStatus(second?.reference ?? '', 'delivered')
    await reseller.chat.waitForText(/: delivered/)
    await unblock(reseller.id)
  })

  test('gets no news of orders that it only follows', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const placed = await place(world, reseller, phone)
    const [blocked, other] = [world.newPerson(), world.newPerson()]
    const url = await shareLink(reseller)
    for (const { id, chat } of [blocked, other]) {
      world.telegram.openLink(id, url)
      await chat.waitForText(followsOpen)
    }
    await block(blocked.id)
    await blocked.chat.waitForText('has blocked this chat')
    const said = blocked.chat.texts()
    const after = other.chat.last()?.message_id ?? 0
    world.provider.setStatus(placed.reference, 'delivered')
    await other.chat.waitForText(/delivered/, { after })
    await world.until(
      () =>
        inDatabase(world, (db) => db.prepare('SELECT id FROM Notice WHERE chatId = ?').all(blocked.id))
          .length === 0,
      'nothing to be owed to the blocked chat',
    )
    expect(blocked.chat.texts()).toEqual(said)
    await unblock(blocked.id)
  })

  test('gets no answer in a group where others do, and a whole group can be blocked', async () => {
    const [person, other] = [world.newPerson(), world.newPerson()]
    const { id: groupId } = world.telegram.addGroup({
      title: 'Market',
      members: [person.id, other.id],
      supergroup: true,
    } as never)
    await block(person.id)
    const ask = (id: number) =>
      world.telegram.say({ from: id, chat: groupId, text: '/status BUD-API-NOSUCH-000001' })
    const group = chatOf(world.telegram, other.id, groupId)
    ask(person.id)
    const { message_id: after } = ask(other.id)
    await group.waitForText('No order found', { after })
    expect(group.texts()).toHaveLength(1)
    await unblock(person.id)

    await block(groupId)
    ask(other.id)
    await allRead()
    expect(group.texts().filter((text) => text.includes('No order found'))).toHaveLength(1)
    await unblock(groupId)
  })

  test('stays blocked after a restart', async () => {
    const person = world.newPerson()
    person.chat.say('/help')
    await person.chat.waitForText(helpTitle)
    await block(person.id)
    await person.chat.waitForText('has blocked this chat')
    await world.bot.restart()
    const said = person.chat.texts()
    person.chat.say('/start')
    await allRead()
    expect(person.chat.texts()).toEqual(said)
    await unblock(person.id)
  })

  test('is told nothing of the block if it writes only after it was unblocked', async () => {
    const { id, chat } = world.newPerson()
    await block(id)
    await world.until(
      () => inDatabase(world, (db) => db.prepare('SELECT mutedAt FROM Chat WHERE id = ?').get(id)?.mutedAt),
      'Telegram to refuse the message',
    )
    await unblock(id)
    chat.say('/help')
    await chat.waitForText(helpTitle)
    await world.until(
      () => inDatabase(world, (db) => !db.prepare('SELECT id FROM Notice WHERE chatId = ?').get(id)),
      'nothing to be owed',
    )
    expect(chat.texts()).toHaveLength(1)
  })
})

describe('an operator', () => {
  test('cannot block an operator, nor anybody by a text that is not a Telegram id', async () => {
    await operator.go(['Blocked', 'Block somebody'], 'Who do you want to block?')
    const { message_id: after } = operator.chat.say('the one with <b>the hat</b>')
    await operator.chat.waitForText('isn’t an @username or a Telegram id', { after })
    const { message_id: later } = operator.chat.say(String(operatorId))
    await operator.chat.waitForText('Nobody is blocked', { after: later })
    expect(
      inDatabase(world, (db) => db.prepare('SELECT id FROM Chat WHERE blockedAt IS NOT NULL').all()),
    ).toEqual([])
    world.telegram.press({
      from: operatorId,
      messageId: operator.chat.last()?.message_id ?? 0,
      data: `operator:block_sure:${operatorId}`,
      stale: true,
    })
    await operator.go(['Blocked'], 'Nobody is blocked')
  })
})
