import type { DatabaseSync } from 'node:sqlite'
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Phone } from '../../src/provider/phone.ts'
import { chatOf } from '../../src/sandbox/telegram/chat.ts'
import { type Button, decodeButton, encodeButton } from '../../src/telegram/buttons/button.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import { allNaming, everyButton, type Ids, idsOfNothing } from './every-button.ts'
import { askFor, cardReads, inDatabase, newPhone, ordersFor, place, shareLink } from './shop.ts'

/**
 * Buttons that were forged, copied from somebody else's chat, or kept from when they were somebody's: each kind there
 * is, with everything of a shop that it can name, pressed by everybody who may not.
 */

const cost = 17_37
const bundleId = 2
const savedName = 'Thusnelda'
const question = 'Is it with me yet'

let world: World
let shop: Shop

interface Shop {
  owner: Reseller
  /** Was an agent, with what they ordered. */
  removed: { id: number; ids: Ids }
  customer: { id: number }
  /** The account of another. */
  otherId: string
  ids: Ids
  /** What nobody else may see. */
  secrets: string[]
}

const newest = ({ chat }: Pick<Reseller, 'chat'>): number => chat.last()?.message_id ?? 0

const say = ({ chat }: Pick<Reseller, 'chat'>, text: string, awaited: string | RegExp): Promise<Message> => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(awaited, { after })
}

const press = (
  { chat }: Pick<Reseller, 'chat'>,
  label: string,
  awaited: string | RegExp,
): Promise<Message> => {
  chat.press(label)
  return chat.waitForText(awaited)
}

const one = (db: DatabaseSync, query: string, ...values: (string | number)[]): Record<string, unknown> => {
  const row = db.prepare(query).get(...values)
  if (!row) throw new Error(`Nothing answers ${query}`)
  return row
}

const purchaseOf = (phone: string): string =>
  inDatabase(world, (db) =>
    String(one(db, 'SELECT id FROM Purchase WHERE lines LIKE ? ORDER BY createdAt DESC', `%${phone}%`).id),
  )
const listPurchaseOf = (phone: string): string =>
  inDatabase(world, (db) =>
    String(one(db, 'SELECT purchaseId AS id FROM List WHERE text LIKE ?', `%${phone}%`).id),
  )
const orderOf = (phone: string): string =>
  inDatabase(world, (db) => String(one(db, 'SELECT orderId AS id FROM Recipient WHERE phone = ?', phone).id))

/** Orders one, a list, and leaves a draft of each; then the ids of all that. */
const orderAll = async (person: Reseller, phones: string[]) => {
  const [single = '', first = '', second = '', draft = '', third = '', fourth = ''] = phones
  await place(world, person, single)
  const list = await say(person, `${first} 2GB\n${second} 2GB`, '2 ready')
  person.chat.press('Confirm')
  await cardReads(world, person, list, /BUD-BULK-|processing/)
  await askFor(person, draft)
  await say(person, `${third} 2GB\n${fourth} 2GB`, '2 ready')
  return {
    orderId: orderOf(single),
    listId: listPurchaseOf(first),
    draftId: purchaseOf(draft),
    listDraftId: listPurchaseOf(third),
  }
}

const invite = async (owner: Reseller): Promise<string> => {
  await say(owner, '/agents', 'Agents')
  const after = newest(owner)
  owner.chat.press('✉️ Invite')
  const { text = '' } = await owner.chat.waitForText('An invitation for one person', { after })
  return /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(text)?.[0] ?? ''
}

const newAgent = async (owner: Reseller, name: string): Promise<Reseller> => {
  const { id } = world.telegram.addPerson({ first_name: name })
  const chat = chatOf(world.telegram, id)
  world.telegram.openLink(id, await invite(owner))
  await chat.waitForText('You can order now')
  return { id, chat, account: owner.account }
}

const openShop = async (): Promise<Shop> => {
  const owner = await world.newReseller(913_71)
  world.provider.setAccount(owner.account.id, { prices: { [bundleId]: cost } })
  const other = await world.newReseller()
  await say(owner, '/prices', 'Set prices')
  await press(owner, 'Set prices', 'What do you add')
  await say(owner, '+2', 'Saved')
  await say(owner, '/cancel', 'Cancelled')
  const phones = Array.from({ length: 6 }, () => newPhone())
  await say(owner, `${savedName} ${phones[0]}`, 'Saved')
  const ordered = await orderAll(owner, phones)
  await say(owner, '/customers', savedName)

  const { id: customerId, chat } = world.newPerson()
  const customer = { id: customerId, chat }
  await say(owner, ordersFor(world, phones[0] ?? '')[0]?.reference ?? '', 'Reference: ')
  world.telegram.openLink(customerId, await shareLink(owner))
  await chat.waitForText('You are told here')
  await press(customer, 'Ask the shop', /^Ask the shop about/)
  await say(customer, question, 'Your question is with the shop')
  await owner.chat.waitForText(question)

  const agent = await newAgent(owner, 'Ama')
  const leaver = await newAgent(owner, 'Yaw')
  const leaversPhones = Array.from({ length: 6 }, () => newPhone())
  const leaversIds = await orderAll(leaver, leaversPhones)
  await say(owner, '/agents', 'Yaw')
  await press(owner, 'Yaw', 'Agent since')
  await owner.chat.waitForButton('🗑 Remove')
  owner.chat.press('🗑 Remove')
  await owner.chat.waitForButton('Remove now')
  owner.chat.press('Remove now')
  await owner.chat.waitForText('is removed and can order nothing more')
  await invite(owner)

  const rows = inDatabase(world, (db) => ({
    accountId: String(one(db, 'SELECT accountId AS id FROM Member WHERE userId = ?', owner.id).id),
    otherId: String(one(db, 'SELECT accountId AS id FROM Member WHERE userId = ?', other.id).id),
    customerId: String(one(db, 'SELECT id FROM Customer').id),
    changeId: String(one(db, 'SELECT id FROM BookChange').id),
    enquiryId: String(one(db, 'SELECT id FROM Enquiry').id),
    invitation: String(one(db, 'SELECT tokenHash AS id FROM Invitation WHERE usedAt IS NULL').id).slice(
      0,
      16,
    ),
  }))
  const { otherId, ...kept } = rows
  const ids: Ids = { ...kept, ...ordered, agentId: agent.id, bundleId, phone: newPhone() as Phone }
  return {
    owner,
    removed: { id: leaver.id, ids: { ...ids, ...leaversIds } },
    customer,
    otherId,
    ids,
    secrets: [
      ...phones,
      savedName,
      question,
      owner.account.apiKey,
      owner.account.apiSecret,
      ...world.provider
        .transactions(owner.account.id)
        .map(({ balanceAfterPesewas }) => (balanceAfterPesewas / 100).toFixed(2)),
    ],
  }
}

beforeAll(async () => {
  world = await createWorld({
    settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 }, deliverAfterMs: null },
  })
  shop = await openShop()
}, 240_000)
afterAll(() => world?.close())

/** Those who press, each one button: Telegram lets a chat have but a message a second. */
const visitors = new Set<number>()

/** Somebody new, who belongs to that account as if they had been there for long. */
const newVisitor = (member: { of: string; role: 'owner' | 'agent' } | null): number => {
  const { id } = world.telegram.addPerson({ first_name: 'Visitor' })
  visitors.add(id)
  if (member) {
    inDatabase(world, (db) =>
      db
        .prepare(
          `INSERT INTO Member (userId, accountId, chatId, role, createdAt, name, dailyLimitPesewas, told)
           SELECT ?, accountId, ?, ?, createdAt, 'Visitor', 10000, 'problems' FROM Member WHERE accountId = ? LIMIT 1`,
        )
        .run(id, id, member.role, member.of),
    )
  }
  return id
}

interface Pressed {
  data: string
  chatId: number
  queryId: string
}

const pressAs = (from: number, button: Button | string, chatId = from): Pressed => {
  const data = typeof button === 'string' ? button : encodeButton(button)
  // An old message: what stood there is not known any more.
  const { id: queryId } = world.telegram.press({ from, chat: chatId, messageId: 900_000, data, stale: true })
  return { data, chatId, queryId }
}

/** What a press was answered with: a word on the screen, or a message, a file or a picture in a chat of its own. */
const answerTo = ({ chatId, queryId }: Pressed): string => {
  const answer = world.telegram.answers(queryId)
  const said = world.telegram
    .messages(chatId)
    .filter(({ from }) => from?.is_bot)
    .map(({ text, caption, document }) => text ?? caption ?? document?.file_name)
  return answer ? String(answer.text ?? '') || said.join('\n') : ''
}

const answersTo = async (presses: Pressed[]): Promise<void> => {
  const silent = () => presses.filter((each) => answerTo(each) === '').map(({ data }) => data)
  await world.telegram
    .waitFor(() => silent().length === 0, { timeoutMs: 120_000 })
    .catch(() => expect(silent()).toEqual([]))
}

/** Every word, label and file name that those chats ever got. */
const everSent = (chatIds: ReadonlySet<number>): string =>
  JSON.stringify(
    world.telegram.calls().filter(({ payload }) => chatIds.has(Number(payload.chat_id))),
    (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
  )

/** What the shop has settled, saved and ordered: what a look at it does not change. */
const bookkeeping = () =>
  inDatabase(world, (db) => {
    const { accountId } = shop.ids
    const all = (query: string) =>
      db
        .prepare(query)
        .all(...(query.includes('?') ? [accountId] : []))
        .filter(({ userId, chatId }) => !visitors.has(Number(userId ?? chatId)))
        .map((row) => JSON.stringify(row))
    return {
      account: all('SELECT id, sealedSecret, eraseBy, forgetAt FROM Account WHERE id = ?'),
      members: all('SELECT * FROM Member WHERE accountId = ? ORDER BY userId'),
      shop: all('SELECT * FROM Shop WHERE accountId = ?'),
      prices: all('SELECT * FROM SellingPrice WHERE accountId = ?'),
      preferences: all(
        'SELECT * FROM Preference WHERE userId IN (SELECT userId FROM Member WHERE accountId = ?) ORDER BY userId',
      ),
      customers: all('SELECT * FROM Customer WHERE accountId = ?'),
      changes: all('SELECT * FROM BookChange WHERE accountId = ?'),
      enquiries: all('SELECT * FROM Enquiry WHERE accountId = ?'),
      invitations: all('SELECT * FROM Invitation WHERE accountId = ?'),
      purchases: all(
        `SELECT id, userId, state, remark, successorId, heldById, retryOfId,
                CASE state WHEN 'draft' THEN cardMessageId END AS card
           FROM Purchase WHERE accountId = ? ORDER BY id`,
      ),
      lists: all('SELECT purchaseId, text, answers FROM List ORDER BY purchaseId'),
      orders: all(
        'SELECT id, placement, reason, sellUnitPesewas, sendAnyway, reportTo FROM "Order" WHERE accountId = ? ORDER BY id',
      ),
      follows: all('SELECT orderId, chatId FROM Follow ORDER BY orderId, chatId'),
    }
  })

/** Lines of the log that say that something went wrong which nobody planned. */
const mishaps = (): string[] =>
  world.bot
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))

const ordersPosted = (): number => world.provider.requests().filter(({ method }) => method === 'POST').length

/** Presses each of them as somebody new, and compares what is kept, said and logged before and after. */
const attack = async (buttons: Button[], newPresser: () => number): Promise<Set<number>> => {
  const before = bookkeeping()
  const [posted, earlier] = [ordersPosted(), mishaps().length]
  const presses = buttons.map((button) => pressAs(newPresser(), button))
  await answersTo(presses)
  expect(bookkeeping()).toEqual(before)
  expect(ordersPosted()).toBe(posted)
  expect(mishaps().slice(earlier)).toEqual([])
  return new Set(presses.map(({ chatId }) => chatId))
}

const foundIn = (chatIds: ReadonlySet<number>, secrets: string[]): string[] => {
  const sent = everSent(chatIds)
  return secrets.filter((secret) => sent.includes(secret))
}

/** What a bundle costs the shop, and what it sells it for. */
const prices = ['17.37', '19.37']

describe('nothing of a shop is shown or changed by any button, forged or copied, that is pressed by', () => {
  test('a stranger', async () => {
    const chats = await attack(everyButton(shop.ids), () => newVisitor(null))
    expect(foundIn(chats, [...shop.secrets, ...prices])).toEqual([])
  })

  test('a customer with a link to one order', async () => {
    const chats = await attack(everyButton(shop.ids), () => {
      const id = newVisitor(null)
      inDatabase(world, (db) =>
        db
          .prepare(
            'INSERT INTO Follow (orderId, chatId, createdAt) SELECT id, ?, createdAt FROM "Order" WHERE id = ?',
          )
          .run(id, shop.ids.orderId),
      )
      return id
    })
    expect(foundIn(chats, [...shop.secrets, ...prices])).toEqual([])
  })

  test('the owner of another shop', async () => {
    const chats = await attack(everyButton(shop.ids), () => newVisitor({ of: shop.otherId, role: 'owner' }))
    expect(foundIn(chats, [...shop.secrets, ...prices])).toEqual([])
    expect(
      inDatabase(world, (db) => one(db, 'SELECT eraseBy FROM Account WHERE id = ?', shop.otherId)),
    ).toEqual({
      eraseBy: null,
    })
  })

  test('an agent of the shop who has ordered none of it', async () => {
    const chats = await attack(everyButton(shop.ids), () =>
      newVisitor({ of: shop.ids.accountId, role: 'agent' }),
    )
    expect(foundIn(chats, shop.secrets)).toEqual([])
  })

  test('an agent who was removed, about what they ordered themselves', async () => {
    const { id, ids } = shop.removed
    const chat = chatOf(world.telegram, id)
    const before = bookkeeping()
    const told = chat.texts().length
    const named = Object.values(ids).map(String)
    const presses = everyButton(ids)
      .filter((button) => named.some((each) => encodeButton(button).includes(each)))
      .filter(({ do: what }) => what !== 'follow' && what !== 'unfollow')
      // Their own data is theirs to delete, whatever account they had.
      .filter((button) => button.do !== 'settings' || button.act.act !== 'forget_sure')
      .map((button) => pressAs(id, button))
    await answersTo(presses)
    // Answers come in order.
    await say({ chat }, '/help', 'How it works')
    expect(bookkeeping()).toEqual(before)
    expect(chat.texts().slice(told).join('\n')).not.toMatch(/GHS \d|(?<!\d)0\d{9}(?!\d|.{0,4}5GB)/)
    expect(mishaps()).toEqual([])
  })

  test('its own owner in a group', async () => {
    const { owner, ids } = shop
    const { id: groupId } = world.telegram.addGroup({ title: 'Market', members: [owner.id] })
    const before = bookkeeping()
    const presses = everyButton(ids)
      .filter(({ do: what }) => what !== 'follow')
      .map((button) => pressAs(owner.id, button, groupId))
    await answersTo(presses)
    const others = presses.filter(({ data }) => !/^(unfollow|look):/.test(data))
    expect(others.map(({ queryId }) => String(world.telegram.answers(queryId)?.text))).toEqual(
      others.map(() => expect.stringContaining('private')),
    )
    expect(foundIn(new Set([groupId]), [...shop.secrets, ...prices])).toEqual([])
    expect(bookkeeping()).toEqual(before)
  })
})

test('an owner’s button that names a thing of another kind, or nothing, does nothing and is answered', async () => {
  const { ids } = shop
  const things = [ids.orderId, ids.draftId, ids.listDraftId, ids.customerId, ids.enquiryId, ids.accountId]
  const strange = [idsOfNothing(), ...things.map((id) => allNaming(id, idsOfNothing()))].flatMap(everyButton)
  // What really is of that kind is an owner's to look at; a draft of one number is no list.
  const own = everyButton({ ...ids, listId: ids.listDraftId }).filter(
    (button) => button.do !== 'list' || button.purchaseId !== ids.draftId,
  )
  const real = new Set(own.map(encodeButton))
  const others = everyButton(ids).filter((button) => button.do === 'list' && button.purchaseId !== ids.listId)
  const forged = [...new Set([...strange, ...others].map(encodeButton))].filter(
    (data) => things.some((id) => data.includes(id)) && (!real.has(data) || data.startsWith('list:')),
  )
  const before = bookkeeping()
  const posted = ordersPosted()
  const presses = forged.map((data) => pressAs(newVisitor({ of: ids.accountId, role: 'owner' }), data))
  await answersTo(presses)
  expect(mishaps()).toEqual([])
  expect(ordersPosted()).toBe(posted)
  expect(bookkeeping()).toEqual(before)
})

test('data that no keyboard of ours carries is called outdated', async () => {
  const real = everyButton(shop.ids).map(encodeButton)
  const mutated = real.flatMap((data) => [
    `${data}:`,
    ` ${data}`,
    data.slice(0, -1),
    `${data}\u202e`,
    data.toUpperCase(),
  ])
  const forged = [...mutated, '', '\0', '😀', '__proto__', 'confirm', 'x'.repeat(64)]
    .filter((data) => Buffer.byteLength(data) <= 64 && decodeButton(data) === null)
    .slice(0, 300)
  const { id } = shop.customer
  const presses = forged.filter(Boolean).map((data) => pressAs(id, data))
  await answersTo(presses)
  expect(new Set(presses.map(({ queryId }) => world.telegram.answers(queryId)?.text)).size).toBe(1)
  expect(mishaps()).toEqual([])
})
