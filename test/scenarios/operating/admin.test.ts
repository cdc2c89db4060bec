// @module-tag screens
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { chatOf } from '../../../src/sandbox/index.ts'
import { encodePress } from '../../../src/telegram/buttons/table.ts'
import { notYours } from '../../../src/telegram/words/unusable.ts'
import { earlyEnoughToday } from '../../support/day.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { everyButton, idsOfNothing } from '../accounts/every-button.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  placementOf,
  postsFor,
  toastOf,
} from '../shop.ts'
import { eventsKept, type Operator, operatorId, operatorOf } from './operator.ts'

/** The operators' screens, and what they can do about stuck orders. */

const secondOperatorId = 700_000_002

let world: World
let operator: Operator

beforeAll(async () => {
  world = await createWorld({
    env: { OWNER_IDS: `${operatorId},${secondOperatorId}`, ACCESS: 'invite' },
  })
  operator = operatorOf(world)
})
afterAll(() => world?.close())

/** A reseller whom an operator has invited. */
const newReseller = async (): Promise<Reseller> => {
  const account = world.provider.addAccount({ accountType: 'agent', balancePesewas: 50_000 })
  const person = world.newPerson()
  await changeDatabase(world, (db) =>
    db
      .prepare('INSERT INTO Chat (id, invitedAt, createdAt) VALUES (?, ?, ?)')
      .run(person.id, new Date().toISOString(), new Date().toISOString()),
  )
  person.chat.say(`/connect ${account.apiKey} ${account.apiSecret}`)
  await person.chat.waitForText('Connected')
  return { ...person, account }
}

test('the first start logs one line for each operator who has not written to the bot yet', async () => {
  const lines = () => world.bot.output().split('\n')
  const unmet = await world.until(() => {
    const found = lines().filter((line) => line.includes('has not written to the bot yet'))
    return found.length === 2 && found
  }, 'Waiting for a line about each operator')
  expect(unmet.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', operator: operatorId },
    { level: 'info', operator: secondOperatorId },
  ])
  expect(lines().filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toEqual([])
})

test('/start mentions /admin to operators only', async () => {
  const { chat } = world.newPerson()
  for (const each of [operator.chat, chat]) each.say('/start')
  await operator.chat.waitForText('Operator’s menu: /admin')
  const greeting = await chat.waitForText('mobile data bundles')
  expect(greeting.text).not.toContain('/admin')
})

const orderIdOf = (phone: string): string =>
  inDatabase(world, (db) =>
    String(db.prepare('SELECT orderId AS id FROM Recipient WHERE phone = ?').get(phone)?.id),
  )

/** Makes an order whose outcome has been unknown for that many minutes. The provider has not placed it. */
const unconfirmed = async (reseller: Reseller, minutes: number): Promise<string> => {
  const phone = newPhone()
  world.provider.addFault({ kind: 'error_before', account: reseller.account.id })
  const card = await order(reseller, phone)
  await cardReads(world, reseller, card, /unconfirmed/)
  await changeDatabase(world, (db) =>
    db
      .prepare(`UPDATE "Order" SET sentAt = ?, reconcileAt = ? WHERE id = ?`)
      .run(
        new Date(Date.now() - minutes * 60_000).toISOString(),
        new Date(Date.now() + 600_000).toISOString(),
        orderIdOf(phone),
      ),
  )
  return phone
}

/** Stores a message that Telegram has never accepted and that the bot has given up sending. @returns its id. */
const setAside = (chatId: number, orderId: string): Promise<number> =>
  changeDatabase(world, (db) => {
    const at = new Date(Date.now() - 3_600_000).toISOString()
    const { lastInsertRowid } = db
      .prepare(
        `INSERT INTO Notice (chatId, subject, kind, data, createdAt, attempts, setAsideAt)
         VALUES (?, ?, 'announce', ?, ?, 7, ?)`,
      )
      .run(chatId, `order:${orderId}`, JSON.stringify({ orderId, what: { about: 'placement' } }), at, at)
    return Number(lastInsertRowid)
  })

describe('an operator’s panel', () => {
  test('counts orders, accounts and members, and shows that nothing is stuck', async () => {
    await earlyEnoughToday()
    const reseller = await newReseller()
    await place(world, reseller, newPhone())
    await askFor(reseller, newPhone())
    const waiting = () =>
      inDatabase(world, (db) => db.prepare('SELECT id FROM StatusReport WHERE appliedAt IS NULL').all())
    await world.provider.idle()
    await world.until(() => waiting().length === 0, 'the callback of the placed order to be applied')
    const { text = '' } = await operator.open()
    expect(text).toContain('Orders are open.')
    expect(text).toMatch(/Today: 1 order · processing 1/)
    expect(text).toContain('on their way 1')
    expect(text).toContain('1 account · 1 owner · 0 agents')
    expect(text).toMatch(/Provider’s reports: none/)
    expect(text).toMatch(/Bundlegram \d+\.\d+\.\d+ · SQLite 3\.\d/)
    expect(operator.chat.button('Nothing stuck')).toBeDefined()
    await operator.press('Nothing stuck', 'Nothing is stuck')
  })

  test('shows an unconfirmed order without its phone, and “Look now” checks the order without sending it', async () => {
    const reseller = await newReseller()
    const phone = await unconfirmed(reseller, 60)
    const id = orderIdOf(phone)
    await operator.go(['Stuck: 1', 'Orders: 1'], /1\. unconfirmed · 1 h · [0-9a-f]{8}/)
    const shown = await operator.press('1', /^Order\n/)
    expect(shown.text).toContain(id)
    expect(shown.text).toMatch(/unconfirmed since .*\(1 h\)/)
    expect(shown.text).toContain('Next check:')
    expect(JSON.stringify(shown)).not.toContain(phone)
    expect(JSON.stringify(shown)).not.toContain(phone.slice(-4))
    await operator.press('Look now', 'That order’s outcome is known now.')
    expect(placementOf(world, phone)).toEqual(['not_placed'])
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(ordersFor(world, phone)).toHaveLength(0)
  })

  test('lets the operator retry or drop a message that the bot gave up sending', async () => {
    const reseller = await newReseller()
    const phone = newPhone()
    await place(world, reseller, phone)
    const [again, dropped] = [
      await setAside(reseller.id, orderIdOf(phone)),
      await setAside(reseller.id, orderIdOf(phone)),
    ]
    const before = reseller.chat.texts().length
    await operator.go(['Stuck: 2', 'Messages: 2'], '2. news of an order')
    await operator.press('1', `Message ${dropped}`)
    await operator.press('Drop', /^Unsent messages[\s\S]*1\. news of an order(?![\s\S]*2\.)/)
    const open = await operator.press('1', `Message ${again}`)
    expect(open.text).toContain('after 8 tries')
    await operator.press('Try again', /^Unsent messages[\s\S]*Nothing here/)
    await world.telegram.waitFor(() => reseller.chat.texts().length > before)
    expect(
      inDatabase(world, (db) => db.prepare('SELECT id FROM Notice WHERE setAsideAt IS NOT NULL').all()),
    ).toEqual([])
  })

  test('shows a callback with the wrong order’s reference until the operator dismisses it', async () => {
    const reseller = await newReseller()
    const phone = newPhone()
    const placed = await place(world, reseller, phone)
    const { reference } = await place(world, reseller, newPhone())
    const answer = await fetch(placed.webhookUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference, status: 'delivered' }),
    })
    expect(answer.status).toBe(200)
    await world.until(
      () =>
        inDatabase(world, (db) =>
          db.prepare("SELECT id FROM StatusReport WHERE disposition = 'foreign'").get(),
        ),
      'the callback to be judged',
    )
    await operator.go(['Stuck: 1', 'Reports: 1'], `1. ${reference}`)
    const open = await operator.press('1', `Reference: ${reference}`)
    expect(open.text).toContain(orderIdOf(phone))
    await operator.press('Dismiss', /^Unmatched reports[\s\S]*Nothing here/)
    await operator.press('Back', 'Nothing is stuck')
  })

  test('lists an account whose credentials are refused, under a short hash', async () => {
    const reseller = await newReseller()
    await changeDatabase(world, (db) =>
      db
        .prepare(
          `UPDATE Account SET unauthorizedSince = :now, refusalToldAt = :now, verifyAt = :later
           WHERE id = (SELECT accountId FROM Member WHERE userId = :user)`,
        )
        .run({
          now: new Date().toISOString(),
          later: new Date(Date.now() + 60_000).toISOString(),
          user: reseller.id,
        }),
    )
    const stuck = await operator.go(['Nothing stuck'], '1 account with a refused key')
    expect(stuck.text).toContain('Nothing is stuck')
    await operator.press('Accounts: 1', /1\. [0-9a-f]{8} · refused since/)
    await changeDatabase(world, (db) =>
      db.prepare('UPDATE Account SET unauthorizedSince = NULL, refusalToldAt = NULL, verifyAt = NULL').run(),
    )
  })

  test('splits a long list into pages', async () => {
    const reseller = await newReseller()
    const phone = newPhone()
    await place(world, reseller, phone)
    const ids: number[] = []
    while (ids.length < 7) ids.push(await setAside(reseller.id, newId()))
    await operator.go(['Stuck: 7', 'Messages: 7'], /5\. news/)
    await operator.press('▶', /page 2[\s\S]*7\. news/)
    await operator.press('7', `Message ${ids[0]}`)
    await operator.press('Back', /^Unsent messages\n/)
    await operator.press('▶', /page 2/)
    await operator.press('◀', /5\. news/)
    await changeDatabase(world, (db) => db.prepare('DELETE FROM Notice WHERE setAsideAt IS NOT NULL').run())
  })
})

describe('an operator’s invitation', () => {
  test('is listed while it is open, and lets nobody in after it is revoked', async () => {
    await operator.open()
    const before = operator.chat.last()?.message_id ?? 0
    operator.chat.press('Invite')
    const { text = '' } = await operator.chat.waitForText('A one-time link', { after: before })
    await operator.go(['Invitations'], /1\. .*good until/)
    const revoke = operator.chat.press('Revoke 1')
    expect(await toastOf(world, revoke)).toContain('Revoked')
    await operator.chat.waitForText('No invitations are open')
    expect(eventsKept(world)).toEqual(expect.arrayContaining(['operator_invited', 'invitation_revoked']))
    const guest = world.newPerson()
    world.telegram.openLink(guest.id, /https:\/\/t\.me\/\S+/.exec(text)?.[0] ?? '')
    await guest.chat.waitForText('This invitation has already been used')
  })
})

describe('the operators’ screens and settings', () => {
  const bookkeeping = (): string =>
    inDatabase(world, (db) =>
      JSON.stringify([
        db.prepare("SELECT * FROM Fact WHERE name = 'maintenance'").all(),
        db.prepare('SELECT id, blockedAt, invitedAt FROM Chat ORDER BY id').all(),
        db.prepare('SELECT * FROM Invitation ORDER BY tokenHash').all(),
        db
          .prepare('SELECT id, setAsideAt, attempts FROM Notice WHERE setAsideAt IS NOT NULL ORDER BY id')
          .all(),
        db.prepare('SELECT id, disposition FROM StatusReport ORDER BY id').all(),
        db.prepare("SELECT key, value FROM Session WHERE value LIKE '%operator%'").all(),
      ]),
    )

  /** Every button of the operators, about things that exist. */
  const operatorsButtons = (orderId: string, invitation: string, agentId: number): string[] =>
    everyButton({ ...idsOfNothing(), orderId, invitation, agentId })
      .filter(({ do: what }) => what === 'operator' || what === 'admin' || what === 'invite')
      .map(encodePress)

  test('are neither shown nor changed by the presses of anybody else', async () => {
    const reseller = await newReseller()
    const phone = await unconfirmed(reseller, 60)
    await setAside(reseller.id, orderIdOf(phone))
    await operator.open()
    const before = operator.chat.last()?.message_id ?? 0
    operator.chat.press('Invite')
    await operator.chat.waitForText('A one-time link', { after: before })
    const invitation = inDatabase(world, (db) =>
      String(
        db
          .prepare('SELECT tokenHash AS hash FROM Invitation WHERE usedAt IS NULL AND revokedAt IS NULL')
          .get()?.hash,
      ).slice(0, 16),
    )
    const stranger = world.newPerson()
    stranger.chat.say('/start')
    await stranger.chat.waitForText('Bundlegram')
    const kept = bookkeeping()
    const [said, requests] = [operator.chat.texts().length, world.provider.requests().length]
    for (const { id } of [stranger, reseller]) {
      const answers = await Promise.all(
        operatorsButtons(orderIdOf(phone), invitation, id).map((data) =>
          toastOf(world, world.telegram.press({ from: id, chat: id, messageId: 900_000, data, stale: true })),
        ),
      )
      // One button opens `/admin`, which these people do not have, so its toast is empty. All others are refused.
      expect(new Set(answers)).toEqual(new Set(['', notYours]))
      expect(answers.filter((answer) => answer === '')).toHaveLength(1)
    }
    expect(bookkeeping()).toBe(kept)
    expect(operator.chat.texts()).toHaveLength(said)
    expect(world.provider.requests()).toHaveLength(requests)
    for (const { chat } of [stranger, reseller]) {
      expect(chat.texts().join('\n')).not.toMatch(/Operators|Stuck|Maintenance|Blocked|t\.me\//)
    }
    await changeDatabase(world, (db) => db.prepare('DELETE FROM Notice WHERE setAsideAt IS NOT NULL').run())
    world.provider.clearFaults()
  })

  test('are neither shown nor changed by an operator’s presses in a group', async () => {
    const { id: groupId } = world.telegram.addGroup({ title: 'Market', members: [operatorId] })
    const kept = bookkeeping()
    const presses = operatorsButtons(newId(), 'A'.repeat(16), 999_999_999).map((data) =>
      world.telegram.press({ from: operatorId, chat: groupId, messageId: 900_000, data, stale: true }),
    )
    for (const press of presses) expect(await toastOf(world, press)).toContain('private')
    expect(bookkeeping()).toBe(kept)
  })

  test('let an operator block a person by @username or by a choice from those who wrote lately', async () => {
    const operator = operatorOf(world)
    const { id } = world.telegram.addPerson({ first_name: 'Kwesi', username: 'kwesi_spams' })
    const chat = chatOf(world.telegram, id)
    const { message_id: after } = chat.say('/help')
    await chat.waitForText(/./, { after })
    await operator.go(['Blocked', 'Block somebody', 'Kwesi'], 'Block this chat?')
    await operator.go(['Blocked', 'Block somebody'], 'Who do you want to block?')
    operator.chat.say('@nobody_here')
    await operator.chat.waitForText('hasn’t written since')
    operator.chat.say('@Kwesi_Spams')
    await operator.chat.waitForText(/Block this chat\?.*\nKwesi/)
    await operator.press('Confirm: block', new RegExp(`1\\. ${id} `))
    await operator.press('Unblock 1', 'Nobody is blocked')
  })

  test('are not changed by a former operator’s answer to a question', async () => {
    const second = operatorOf(world, secondOperatorId)
    await second.go(['Blocked', 'Block somebody'], 'Who do you want to block?')
    await world.bot.stop()
    await world.bot.start({ OWNER_IDS: String(operatorId) })
    const { message_id: after } = second.chat.say('123456789')
    await second.chat.waitForText(notYours, { after })
    const { message_id: later } = second.chat.say('/admin')
    await second.chat.waitForText('I don’t know that command', { after: later })
    const blocked = () =>
      inDatabase(world, (db) => db.prepare('SELECT id FROM Chat WHERE blockedAt IS NOT NULL').all())
    expect(blocked()).toEqual([])
  })
})
