import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  placementOf,
  postsFor,
  toastOf,
} from '../shop.ts'
import { putCopyBack, restoredBefore, takeCopy } from './restore.ts'

const posts = (world: World): number =>
  world.provider.requests().filter(({ method }) => method === 'POST').length

const rows = (world: World, query: string, ...values: string[]): Record<string, unknown>[] =>
  inDatabase(world, (database) => database.prepare(query).all(...values))

const write = (world: World, query: string, ...values: string[]): Promise<unknown> =>
  changeDatabase(world, (database) => database.prepare(query).run(...values))

const isToldOf = (reseller: Reseller): string[] =>
  reseller.chat.texts().filter((text) => text.includes('not in this bot’s books'))

const auditOf = (world: World, { id }: Reseller): unknown =>
  rows(
    world,
    'SELECT auditSince FROM Account WHERE id IN (SELECT accountId FROM Member WHERE userId = ?)',
    String(id),
  )[0]?.auditSince

/** How often the bot has asked for the account's wallet entries so far. */
const readsOf = (world: World, { account }: Reseller): number =>
  world.provider
    .requests()
    .filter(({ path, accountId }) => path.includes('/transactions') && accountId === account.id).length

const settled = /(?:placed(?: after all)?, charged GHS 9\.60 once|one charge of GHS 9\.60 matches this order)/

describe.each([
  ['a minute', 1],
  ['a day', 24 * 60],
])('a bot restored from a backup that is %s old', (_age, minutes) => {
  let world: World
  /** Resellers who have an order in different states when the copy is made. The last one orders after that. */
  let drafts: Reseller
  let queues: Reseller
  let sends: Reseller
  let loses: Reseller
  let places: Reseller
  let later: Reseller
  const phones = {
    draft: newPhone(),
    queued: newPhone(),
    sending: newPhone(),
    lost: newPhone(),
    placed: newPhone(),
    later: newPhone(),
    second: newPhone(),
  }
  let postsBefore: number
  /**
   * For each reseller, the first message that says that an order is in doubt. The tests begin to wait for it before the
   * bot starts, because the message is soon edited.
   */
  const doubts = new Map<Reseller, Promise<{ message_id: number }>>()

  beforeAll(async () => {
    world = await createWorld()
    ;[drafts, queues, sends, loses, places, later] = (await Promise.all(
      Array.from({ length: 6 }, () => world.newReseller()),
    )) as [Reseller, Reseller, Reseller, Reseller, Reseller, Reseller]
    const fault = (
      kind: 'rate_limited' | 'slow' | 'answer_lost' | 'callback_never',
      by: Reseller,
      more = {},
    ) => world.provider.addFault({ kind, account: by.account.id, ...more })
    await askFor(drafts, phones.draft)
    await place(world, places, phones.placed)
    fault('callback_never', loses)
    fault('answer_lost', loses)
    await order(loses, phones.lost)
    await loses.chat.waitForText(/unconfirmed/)
    fault('rate_limited', queues, { retryAfter: '2' })
    fault('callback_never', queues, { times: null })
    await order(queues, phones.queued)
    fault('callback_never', sends, { times: null })
    fault('slow', sends, { delayMs: 3_000 })
    await order(sends, phones.sending)
    await queues.chat.waitForText(/reached the provider’s request limit/)
    await world.until(() => ordersFor(world, phones.sending).length === 1, 'the order to arrive')
    await takeCopy(world)
    // The bot on the newer database sends the orders that waited, and takes new ones.
    for (const [reseller, phone] of [
      [queues, phones.queued],
      [sends, phones.sending],
    ] as const) {
      await world.until(() => placementOf(world, phone)?.toString() === 'placed', `${phone} to be placed`)
      expect(debitsOf(world, reseller)).toHaveLength(1)
    }
    await place(world, later, phones.later)
    await place(world, later, phones.second, '10GB')
    postsBefore = posts(world)
    await putCopyBack(world, minutes)
    expect(placementOf(world, phones.queued)).toEqual(['queued'])
    expect(placementOf(world, phones.sending)).toEqual(['sending'])
    for (const each of [queues, sends])
      doubts.set(
        each,
        each.chat.waitForText(/unconfirmed[\s\S]*restored from a backup[\s\S]*on’t order again/),
      )
    await world.bot.start()
    await Promise.all(doubts.values())
  })
  afterAll(() => world?.close())

  test('expires an open draft, whose card says why', async () => {
    const expired = await drafts.chat.waitForText(
      /expired[\s\S]*restored from a backup[\s\S]*nothing was ordered/,
    )
    expect(expired.reply_markup?.inline_keyboard ?? []).toEqual([])
  })

  test.each([
    ['was waiting to be sent', () => queues, () => phones.queued],
    ['was being sent', () => sends, () => phones.sending],
  ])('reports an order that %s as unconfirmed, and finds its debit', async (_state, who, phone) => {
    const doubt = await doubts.get(who())
    await who().chat.waitForText(settled, { after: (doubt?.message_id ?? 0) - 2 })
    expect(placementOf(world, phone())).toEqual(['placed'])
    expect(postsFor(world, phone()).filter(({ status }) => status === 201 || status === null)).toHaveLength(1)
    expect(debitsOf(world, who())).toHaveLength(1)
  })

  test('reconciles an unconfirmed order and follows a placed one', async () => {
    await loses.chat.waitForText(settled)
    const [placed] = ordersFor(world, phones.placed)
    world.provider.setStatus(placed?.reference ?? '', 'delivered')
    await places.chat.waitForText(/: delivered/)
  })

  test('reports the charges since the backup in one message', async () => {
    const { text = '' } = await later.chat.waitForText('not in this bot’s books')
    expect(text).toContain('your wallet has been charged 2 times')
    for (const phone of [phones.later, phones.second]) {
      expect(text).toContain(ordersFor(world, phone)[0]?.reference)
      expect(text).toContain(phone)
    }
    expect(text).toMatch(/GHS 9\.60[\s\S]*GHS /)
    later.chat.say(`/status ${ordersFor(world, phones.later)[0]?.reference}`)
    await later.chat.waitForText(/made outside this bot/)
  })

  test('accepts a callback about an unknown order, and shows it to nobody', async () => {
    const reference = ordersFor(world, phones.later)[0]?.reference ?? ''
    const before = later.chat.texts().length
    world.provider.setStatus(reference, 'delivered')
    const kept = () =>
      rows(
        world,
        `SELECT disposition FROM StatusReport WHERE reference = ? AND status = 'delivered' AND appliedAt IS NOT NULL`,
        reference,
      )
    await world.until(() => kept().length === 1, 'the callback to be kept')
    expect(kept()).toEqual([{ disposition: 'foreign' }])
    const answers = world.provider
      .callbacks()
      .filter((each) => each.reference === reference && each.status === 'delivered')
    expect(answers.map(({ answer }) => answer)).toEqual([200])
    expect(later.chat.texts()).toHaveLength(before)
  })

  test('reads each wallet again later, and reports only new debits', async () => {
    expect(auditOf(world, later)).not.toBeNull()
    await world.bot.stop()
    await restoredBefore(world, 11)
    world.provider.settings({ clockSkewMs: 11 * 60_000 })
    // Removes one debit from those already reported, as if it had appeared in the wallet only now.
    const reported = rows(
      world,
      `SELECT name, value FROM Fact WHERE name LIKE 'reported:%' AND value LIKE '%BUD-%'`,
    )
    expect(reported).toHaveLength(1)
    const reference = ordersFor(world, phones.second)[0]?.reference ?? ''
    const others = (JSON.parse(String(reported[0]?.value)) as string[]).filter((each) => each !== reference)
    await write(
      world,
      `UPDATE Fact SET value = ? WHERE name = ?`,
      JSON.stringify(others),
      String(reported[0]?.name),
    )
    await world.bot.start()
    await world.until(() => auditOf(world, later) === null, 'the audit to end')
    await world.until(() => isToldOf(later).length === 2, 'the late debit to be told')
    expect(isToldOf(later)[1]).toContain('charged once')
    expect(isToldOf(later)[1]).toContain(reference)
    await world.until(
      () => [drafts, queues, sends, loses, places].every((each) => auditOf(world, each) === null),
      'all audits to end',
    )
    expect(rows(world, `SELECT name FROM Fact WHERE name LIKE 'reported:%'`)).toEqual([])
  })

  test('resends nothing, reports no debit that it knows, and accepts new orders', async () => {
    expect(posts(world)).toBe(postsBefore)
    for (const reseller of [drafts, queues, sends, loses, places]) expect(isToldOf(reseller)).toEqual([])
    const phone = newPhone()
    await place(world, drafts, phone)
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(debitsOf(world, drafts)).toHaveLength(1)
    expect(posts(world)).toBe(postsBefore + 1)
  })
})

describe('a bot restored from a backup', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ publicUrl: false })
  })
  afterAll(() => world?.close())

  test('waits ten minutes from the restart before it calls an unsent order not placed', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    world.provider.addFault({ kind: 'rate_limited', account: reseller.account.id, retryAfter: '600' })
    const card = await order(reseller, phone)
    await reseller.chat.waitForText(/reached the provider’s request limit/)
    await takeCopy(world)
    // The order is cancelled only after the copy, so it still waits in the copy.
    reseller.chat.press('Cancel')
    await cardReads(world, reseller, card, /Cancelled before it was sent/)
    await putCopyBack(world, 60)
    await changeDatabase(world, (database) => database.exec('UPDATE Account SET frozenUntil = NULL'))
    const before = readsOf(world, reseller)
    await world.bot.start()
    await reseller.chat.waitForText(/unconfirmed[\s\S]*restored from a backup/)
    await world.until(() => readsOf(world, reseller) >= before + 2, 'the wallet to be read')
    expect(placementOf(world, phone)).toEqual(['unconfirmed'])
    await world.bot.stop()
    await restoredBefore(world, 11)
    await world.bot.start()
    await reseller.chat.waitForText(/not placed[\s\S]*nothing was charged/)
    expect(debitsOf(world, reseller)).toEqual([])
    expect(postsFor(world, phone).map(({ status }) => status)).toEqual([429])
    expect(isToldOf(reseller)).toEqual([])
    const [watched] = rows(
      world,
      'SELECT reconcileAt FROM "Order" WHERE id IN (SELECT orderId FROM Recipient WHERE phone = ?)',
      phone,
    )
    expect(Date.parse(String(watched?.reconcileAt))).toBeGreaterThan(Date.now())
  })

  test('does not confirm a draft that was confirmed after the backup, and reports its debit', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    const confirm = dataOf(card, 'Confirm')
    await takeCopy(world)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    await putCopyBack(world)
    await world.bot.start()
    await reseller.chat.waitForText(
      new RegExp(`books[\\s\\S]*charged once[\\s\\S]*${ordersFor(world, phone)[0]?.reference}`),
    )
    const press = world.telegram.press({
      from: reseller.id,
      messageId: card.message_id,
      data: confirm,
      stale: true,
    })
    expect(await toastOf(world, press)).toMatch(/^This card is closed\. Nothing changed/)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('reads a wallet again if the first read fails, and then reports its charges', async () => {
    const reseller = await world.newReseller()
    await takeCopy(world)
    const { reference } = await place(world, reseller, newPhone())
    await putCopyBack(world)
    world.provider.addFault({ kind: 'error_before', path: '/transactions', account: reseller.account.id })
    await world.bot.start()
    const failed = () =>
      world.provider.requests().some(({ path, status }) => path.includes('/transactions') && status === 500)
    await world.until(failed, 'the read that fails')
    await world.bot.restart()
    const { text } = await reseller.chat.waitForText('not in this bot’s books')
    expect(text).toContain(reference)
  })

  test('reports how many more charges there are if they do not all fit one message', async () => {
    const reseller = await world.newReseller()
    const { apiKey, apiSecret } = reseller.account
    await takeCopy(world)
    for (let orders = 0; orders < 15; orders += 1) {
      await fetch(`${world.provider.url}/order`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
        body: JSON.stringify({ bundle_id: 4, phone: newPhone() }),
      })
    }
    expect(debitsOf(world, reseller)).toHaveLength(15)
    await putCopyBack(world)
    await world.bot.start()
    const { text } = await reseller.chat.waitForText('not in this bot’s books')
    expect(text).toMatch(/charged 15 times[\s\S]*… and 3 more: \/transactions/)
  })

  test('does not start on a database whose data was moved to another database', async () => {
    await world.bot.stop()
    const value = JSON.stringify({ to: 'postgresql', at: new Date().toISOString() })
    await write(world, `INSERT INTO Fact (name, value) VALUES ('moved_to', ?)`, value)
    await expect(world.bot.start()).rejects.toThrow(/DATABASE_URL: this database was moved to another one/)
    await write(world, `DELETE FROM Fact WHERE name = 'moved_to'`)
    await world.bot.start()
  })

  test('does not start on a copy of unknown age, and names the command that sets its age', async () => {
    await world.bot.stop()
    await write(world, `INSERT INTO Fact (name, value) VALUES ('backup_of', 'last week')`)
    await expect(world.bot.start()).rejects.toThrow(/(npm run|bundlegram) restored (-- )?--at/)
    await write(world, `DELETE FROM Fact WHERE name = 'backup_of'`)
    await world.bot.start()
  })
})
