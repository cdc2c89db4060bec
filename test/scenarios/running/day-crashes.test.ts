// @module-tag killed
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { age } from '../operating/age.ts'
import {
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  inDatabase,
  newPhone,
  ordersFor,
  place,
  postsFor,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ judged: true, crashable: true })
})
beforeEach(async () => {
  world.provider.clearFaults()
  if (world.bot.pid() === undefined) await world.bot.start()
})
afterAll(() => world?.close())

type Person = Pick<Reseller, 'id' | 'chat'>

const press = ({ id }: Person, { message_id: messageId }: Message, data: string): unknown =>
  world.telegram.press({ from: id, messageId, data })

const prefer = ({ id }: Person, column: string, value: number): Promise<unknown> =>
  changeDatabase(world, (db) =>
    db
      .prepare(
        `INSERT INTO Preference (userId, ${column}) VALUES (?, ?) ON CONFLICT (userId) DO UPDATE SET ${column} = excluded.${column}`,
      )
      .run(id, value),
  )

const count = (query: string): number => inDatabase(world, (db) => db.prepare(query).all().length)

const nothingIsOwed = (): Promise<unknown> =>
  world.until(() => count('SELECT id FROM Notice') === 0, 'every notice to go out')

const diesByTheCrash = async (): Promise<void> => expect(await world.bot.died()).toBe('SIGKILL')

const textsLike = ({ chat }: Person, pattern: RegExp): string[] =>
  chat.texts().filter((text) => pattern.test(text))

test('a repeat that needs no Confirm and is committed just before the bot is killed is sent exactly once', async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const first = await place(world, reseller, phone)
  world.provider.setStatus(first.reference, 'delivered')
  const news = await reseller.chat.waitForText(/: delivered(?! \(reported\))/)
  await nothingIsOwed()
  await prefer(reseller, 'freeRepeatPesewas', 100_000)
  const earlier = new Date(Date.now() - 11 * 60_000)
  await age(world, first.reference, { createdAt: earlier, sentAt: earlier })
  await world.bot.crashAt({ at: 'repeat_confirmed' })
  press(reseller, news, dataOf(news, 'Repeat'))
  await diesByTheCrash()
  expect(postsFor(world, phone)).toHaveLength(1)
  await world.bot.start()
  await reseller.chat.waitForText(/processing[\s\S]*BUD-API-/, { after: news.message_id })
  await nothingIsOwed()
  expect(ordersFor(world, phone)).toHaveLength(2)
  expect(postsFor(world, phone)).toHaveLength(2)
  expect(debitsOf(world, reseller)).toHaveLength(2)
  expect(count("SELECT id FROM Purchase WHERE state = 'draft'")).toBe(0)
})

describe('news delayed by quiet hours', () => {
  const sixDelivered = async (): Promise<{ reseller: Reseller; phones: string[] }> => {
    const reseller = await world.newReseller()
    const minutes = new Date().getUTCHours() * 60 + new Date().getUTCMinutes()
    await prefer(reseller, 'quietFrom', (minutes + 1_440 - 60) % 1_440)
    await prefer(reseller, 'quietTo', (minutes + 180) % 1_440)
    const phones = Array.from({ length: 6 }, () => newPhone())
    for (const phone of phones) {
      const { reference } = await place(world, reseller, phone)
      world.provider.setStatus(reference, 'delivered')
    }
    await world.until(() => count(heldOf(reseller)) === 6, 'six messages to be held back')
    await world.until(
      () => count('SELECT id FROM "Order" WHERE statusReported') === 0,
      'the provider to confirm what its callbacks said',
    )
    await world.until(
      () => count('SELECT id FROM Notice WHERE quietUntil IS NULL') === 0,
      'all else to go out',
    )
    return { reseller, phones }
  }

  const heldOf = ({ id }: Person) => `SELECT id FROM Notice WHERE chatId = ${id} AND quietUntil IS NOT NULL`

  test.each([
    { at: 'digest_made', when: 'made the digest but not sent it', told: 1 },
    { at: 'notice_accepted', when: 'sent the digest but not stored its receipt', told: 2 },
  ] as const)('is sent after the start if the killed bot had $when', async ({ at, told }) => {
    const { reseller, phones } = await sixDelivered()
    await world.bot.crashAt({ at })
    await changeDatabase(world, (db) =>
      db
        .prepare('UPDATE Notice SET quietUntil = ? WHERE chatId = ? AND quietUntil IS NOT NULL')
        .run('2020-01-01T00:00:00.000+00:00', reseller.id),
    )
    await diesByTheCrash()
    await world.bot.start()
    await reseller.chat.waitForText('During your quiet hours')
    await nothingIsOwed()
    const digests = textsLike(reseller, /During your quiet hours/)
    expect(digests).toHaveLength(told)
    for (const phone of phones) expect(digests[0]).toContain(phone)
  })
})

test('an agent removed just before the bot is killed is told, and both sides get the open order’s news', async () => {
  const owner = await world.newReseller()
  const { id, chat } = world.newPerson()
  const agent: Reseller = { id, chat, account: owner.account }
  const ownerOf = (column: string) => `SELECT ${column} FROM Member WHERE userId = ${owner.id}`
  await changeDatabase(world, (db) =>
    db
      .prepare(
        `INSERT INTO Member (userId, chatId, accountId, role, invitedBy, createdAt) VALUES (?, ?, (${ownerOf('accountId')}), 'agent', ?, (${ownerOf('createdAt')}))`,
      )
      .run(id, id, owner.id),
  )
  const phone = newPhone()
  const { reference } = await place(world, agent, phone)
  const { message_id: after } = owner.chat.say('/agents')
  const list = await owner.chat.waitForText('Agents', { after })
  await nothingIsOwed()
  await world.bot.crashAt({ at: 'notice_accepted' })
  const data = `agents:remove_sure:${id}`
  world.telegram.press({ from: owner.id, messageId: list.message_id, data, stale: true })
  await diesByTheCrash()
  await world.bot.start()
  await chat.waitForText('The owner has removed you')
  world.provider.setStatus(reference, 'delivered')
  await chat.waitForText(/✅ .*: delivered/)
  await owner.chat.waitForText(/ordered[\s\S]*delivered/, { after })
  await nothingIsOwed()
  expect(postsFor(world, phone)).toHaveLength(1)
  expect(debitsOf(world, owner)).toHaveLength(1)
})

describe('a person’s data deleted just before the bot is killed', () => {
  const askDelete = async (person: Person): Promise<Message> => {
    const { message_id: after } = person.chat.say('/settings')
    const overview = await person.chat.waitForText('Your settings', { after })
    press(person, overview, dataOf(overview, 'My data'))
    const data = await cardReads(world, person, overview, /My data/)
    press(person, data, dataOf(data, 'Delete my data'))
    return cardReads(world, person, data, /Delete your data\?/)
  }

  test.each([
    { answer: 'When orders are done', isFollowed: true },
    { answer: 'Now', isFollowed: false },
  ])('is erased after the start and reported as erased (“$answer”)', async ({ answer, isFollowed }) => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const { reference } = await place(world, reseller, phone)
    const question = await askDelete(reseller)
    await world.bot.crashAt({ at: 'person_forgotten' })
    press(reseller, question, dataOf(question, answer))
    await diesByTheCrash()
    await world.bot.start()
    await cardReads(world, reseller, question, /^🗑 (Deleted|.*I’m erasing your)/)
    expect(JSON.stringify(world.telegram.calls())).not.toContain('Nothing was deleted')
    if (isFollowed) {
      world.provider.setStatus(reference, 'delivered')
      await reseller.chat.waitForText(/✅ .*: delivered/, { after: question.message_id })
    }
    await nothingIsOwed()
    await world.until(
      () => count(`SELECT id FROM Recipient WHERE phone = '${phone}'`) === 0,
      'the order to be erased',
    )
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })
})
