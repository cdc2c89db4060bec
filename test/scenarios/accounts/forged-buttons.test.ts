// @module-tag exhaustive
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { type ButtonPress, decodePress, encodePress } from '../../../src/telegram/buttons/table.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { outdatedButton } from '../../../src/telegram/words/unusable.ts'
import { createWorld, type World } from '../../support/world.ts'
import { one, openStockedShop, type StockedShop, say } from '../selling/stocked-shop.ts'
import { changeDatabase, inDatabase } from '../shop.ts'
import { allNaming, everyButton, idsOfNothing } from './every-button.ts'

/**
 * People press buttons that they have forged, copied from somebody else's chat, or kept from an earlier role. Every
 * kind of button is pressed for everything in a shop, by each kind of person who must not use it.
 */

let world: World
let shop: StockedShop

beforeAll(async () => {
  world = await createWorld({
    settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 }, deliverAfterMs: null },
  })
  shop = await openStockedShop(world)
}, 240_000)
afterAll(() => world?.close())

/** The people who press. Each presses only one button, because Telegram allows one message a second to a chat. */
const visitors = new Set<number>()

/** Creates a person who has long been a member of that account, or who has no account. */
const newVisitor = async (member: { of: string; role: 'owner' | 'agent' } | null): Promise<number> => {
  const { id } = world.telegram.addPerson({ first_name: 'Visitor' })
  visitors.add(id)
  if (member) {
    await changeDatabase(world, (db) =>
      db
        .prepare(
          `INSERT INTO Member (userId, accountId, chatId, role, createdAt, name, dailyLimitPesewas, notifyLevel)
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

const pressAs = (from: number, button: ButtonPress | string, chatId = from): Pressed => {
  const data = typeof button === 'string' ? button : encodePress(button)
  // The press is on an old message that the simulator does not have.
  const { id: queryId } = world.telegram.press({ from, chat: chatId, messageId: 900_000, data, stale: true })
  return { data, chatId, queryId }
}

/** The answer to a press: a toast, or a message, file or picture in the presser's chat. */
const answerTo = ({ chatId, queryId }: Pressed): string => {
  const answer = world.telegram.answers(queryId)
  const said = world.telegram
    .messages(chatId)
    .filter(({ from }) => from?.is_bot)
    .map(({ text, caption, document }) => text ?? caption ?? document?.file_name)
  return answer ? String(answer.text ?? '') || said.join('\n') : ''
}

const answersTo = async (presses: Pressed[]): Promise<void> => {
  const isSilent = (pressed: Pressed) => answerTo(pressed) === ''
  let left = presses
  /** Does not look again at the answered presses at the beginning, because this runs at every message. */
  const haveAnswers = () => {
    const first = left.findIndex(isSilent)
    left = first === -1 ? [] : left.slice(first)
    return left.length === 0
  }
  await world.telegram
    .waitFor(haveAnswers, { timeoutMs: 120_000 })
    .catch(() => expect(left.filter(isSilent).map(({ data }) => data)).toEqual([]))
}

/** How many buttons are pressed at once. Telegram accepts an answer to a press only for some seconds. */
const maxAtOnce = 60

/** Presses all buttons, at most `maxAtOnce` at a time, and waits for the answers. */
const pressAll = async <T>(
  things: T[],
  press: (thing: T) => Pressed | Promise<Pressed>,
): Promise<Pressed[]> => {
  const pressed: Pressed[] = []
  for (let from = 0; from < things.length; from += maxAtOnce) {
    const some = await Promise.all(things.slice(from, from + maxAtOnce).map(press))
    await answersTo(some)
    pressed.push(...some)
  }
  return pressed
}

/** Every text, label and file name that those chats got. */
const everSent = (chatIds: ReadonlySet<number>): string =>
  JSON.stringify(
    world.telegram.calls().filter(({ payload }) => chatIds.has(Number(payload.chat_id))),
    (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
  )

/** The shop's settings, saved numbers and orders, which these presses must not change. */
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
      contacts: all('SELECT * FROM Contact WHERE accountId = ?'),
      changes: all('SELECT * FROM BookChange WHERE accountId = ?'),
      reminders: all('SELECT * FROM Reminder WHERE accountId = ?'),
      enquiries: all('SELECT * FROM Enquiry WHERE accountId = ?'),
      complaints: all('SELECT * FROM Complaint WHERE accountId = ?'),
      invitations: all('SELECT * FROM Invitation WHERE accountId = ?'),
      purchases: all(
        `SELECT id, userId, state, remark, successorId, heldById, retryOfId,
                CASE state WHEN 'draft' THEN cardMessageId END AS card
           FROM Purchase WHERE accountId = ? ORDER BY id`,
      ),
      lists: all('SELECT purchaseId, text, answers FROM List ORDER BY purchaseId'),
      orders: all(
        'SELECT id, placement, reason, sellUnitPesewas, sendAnyway, ownerChatId FROM "Order" WHERE accountId = ? ORDER BY id',
      ),
      follows: all('SELECT orderId, chatId FROM Follow ORDER BY orderId, chatId'),
    }
  })

/** Lines of the log about unexpected errors. */
const mishaps = (): string[] =>
  world.bot
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))

const ordersPosted = (): number => world.provider.requests().filter(({ method }) => method === 'POST').length

/** Presses each button as a new person, and compares the stored data, the messages and the log before and after. */
const attack = async (buttons: ButtonPress[], newPresser: () => Promise<number>): Promise<Set<number>> => {
  const before = bookkeeping()
  const [posted, earlier] = [ordersPosted(), mishaps().length]
  const presses = await pressAll(buttons, async (button) => pressAs(await newPresser(), button))
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

describe('no forged or copied button shows or changes anything of a shop', () => {
  test('if a stranger presses it', async () => {
    const chats = await attack(everyButton(shop.ids), () => newVisitor(null))
    expect(foundIn(chats, [...shop.secrets, ...prices])).toEqual([])
  })

  test('if a customer with a link to one order presses it', async () => {
    const chats = await attack(everyButton(shop.ids), async () => {
      const id = await newVisitor(null)
      await changeDatabase(world, (db) =>
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

  test('if the owner of another shop presses it', async () => {
    const chats = await attack(everyButton(shop.ids), () => newVisitor({ of: shop.otherId, role: 'owner' }))
    expect(foundIn(chats, [...shop.secrets, ...prices])).toEqual([])
    expect(
      inDatabase(world, (db) => one(db, 'SELECT eraseBy FROM Account WHERE id = ?', shop.otherId)),
    ).toEqual({
      eraseBy: null,
    })
  })

  test('if an agent who has ordered nothing presses it', async () => {
    const chats = await attack(everyButton(shop.ids), () =>
      newVisitor({ of: shop.ids.accountId, role: 'agent' }),
    )
    expect(foundIn(chats, shop.secrets)).toEqual([])
  })

  test('if a removed agent presses it on their own order', async () => {
    const { id, ids } = shop.removed
    const chat = chatOf(world.telegram, id)
    const before = bookkeeping()
    const told = chat.texts().length
    const named = Object.values(ids).map(String)
    const presses = everyButton(ids)
      .filter((button) => named.some((each) => encodePress(button).includes(each)))
      .filter(({ do: what }) => what !== 'follow' && what !== 'unfollow')
      // People may always delete their own data.
      .filter((button) => button.do !== 'settings' || button.act.act !== 'forget_sure')
      .map((button) => pressAs(id, button))
    await answersTo(presses)
    // Updates of a chat are handled in order, so all presses have been handled when this is answered.
    await say({ chat }, '/help', helpTitle)
    expect(bookkeeping()).toEqual(before)
    expect(chat.texts().slice(told).join('\n')).not.toMatch(/GHS \d|(?<!\d)0\d{9}(?!\d|.{0,4}5GB)/)
    expect(mishaps()).toEqual([])
  })

  test('if the shop’s own owner presses it in a group', async () => {
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

test('an owner’s press about something missing, or of the wrong kind, gets an answer and changes nothing', async () => {
  const { ids } = shop
  const things = [ids.orderId, ids.draftId, ids.listDraftId, ids.contactId, ids.enquiryId, ids.accountId]
  const strange = [idsOfNothing(), ...things.map((id) => allNaming(id, idsOfNothing()))].flatMap(everyButton)
  // The buttons that the owner really gets. A list's button that names a draft of one number is not among them.
  const own = everyButton({ ...ids, listId: ids.listDraftId }).filter(
    (button) => button.do !== 'list' || button.purchaseId !== ids.draftId,
  )
  const real = new Set(own.map(encodePress))
  const others = everyButton(ids).filter((button) => button.do === 'list' && button.purchaseId !== ids.listId)
  const forged = [...new Set([...strange, ...others].map(encodePress))].filter(
    (data) => things.some((id) => data.includes(id)) && (!real.has(data) || data.startsWith('list:')),
  )
  const before = bookkeeping()
  const posted = ordersPosted()
  await pressAll(forged, async (data) =>
    pressAs(await newVisitor({ of: ids.accountId, role: 'owner' }), data),
  )
  expect(mishaps()).toEqual([])
  expect(ordersPosted()).toBe(posted)
  expect(bookkeeping()).toEqual(before)
})

test('a stranger who presses any button is not told that the button is outdated', async () => {
  const data = everyButton(idsOfNothing()).map(encodePress)
  const presses = await pressAll(data, async (each) => pressAs(await newVisitor(null), each))
  const refused = presses.filter((pressed) => answerTo(pressed) === outdatedButton)
  expect(refused.map(({ data }) => data)).toEqual([])
  expect(mishaps()).toEqual([])
}, 120_000)

test('all presses with data that no button has get one and the same answer, without an error in the log', async () => {
  const real = everyButton(shop.ids).map(encodePress)
  const mutated = real.flatMap((data) => [
    `${data}:`,
    ` ${data}`,
    data.slice(0, -1),
    `${data}\u202e`,
    data.toUpperCase(),
  ])
  const forged = [...mutated, '', '\0', '😀', '__proto__', 'confirm', 'x'.repeat(64)]
    .filter((data) => Buffer.byteLength(data) <= 64 && decodePress(data) === null)
    .slice(0, 300)
  const { id } = shop.contact
  const presses = forged.filter(Boolean).map((data) => pressAs(id, data))
  await answersTo(presses)
  expect(new Set(presses.map(({ queryId }) => world.telegram.answers(queryId)?.text)).size).toBe(1)
  expect(mishaps()).toEqual([])
})
