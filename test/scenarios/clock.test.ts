// @module-tag killed
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { helpTitle } from '../../src/telegram/texts/help.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import { operatorId, operatorOf } from './operator.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  debitsOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
} from './shop.ts'

/**
 * A machine whose clock runs ten minutes ahead and is then set right: while the bot runs, or while it is stopped. Waits
 * here are shorter than the ten minutes, after which everything would go on by itself.
 */

const aheadMs = 10 * 60_000

describe.each([
  ['while the bot runs', false],
  ['while the bot is stopped', true],
])('a clock that is set back by ten minutes %s', (_when, isStopped) => {
  const clock = { aheadMs: 0 }
  let world: World

  beforeAll(async () => {
    world = await createWorld({
      wallMs: () => Date.now() + clock.aheadMs,
      pace: 'telegram',
      env: { OWNER_IDS: String(operatorId) },
    })
    world.telegram.addPerson({ id: operatorId })
    operatorOf(world).chat.say('/start')
    await operatorOf(world).chat.waitForText('Bundlegram')
  })
  afterAll(() => world.close())

  const jumps = (): number => world.bot.output().split('the clock went ahead').length
  const goAhead = async (): Promise<void> => {
    const before = jumps()
    clock.aheadMs = aheadMs
    await world.until(() => jumps() > before, 'the bot to notice that its clock went ahead')
  }
  const notices = (): number => world.bot.output().split('the clock was set back').length
  const setRight = async (): Promise<void> => {
    const before = notices()
    if (isStopped) await world.bot.stop()
    clock.aheadMs = 0
    if (isStopped) await world.bot.start()
    await world.until(() => notices() > before, 'the bot to notice that its clock was set back')
  }

  /** The account's times that are further ahead than any rule allows. */
  const inTheFuture = (): unknown[] =>
    inDatabase(world, (db) =>
      db
        .prepare(
          `SELECT 'Request' AS kind, at FROM Request WHERE at > :soon
           UNION ALL SELECT 'Event', receivedAt FROM Event WHERE receivedAt > :soon
           UNION ALL SELECT 'Notice', createdAt FROM Notice WHERE createdAt > :soon
           UNION ALL SELECT 'Order', updatedAt FROM "Order" WHERE updatedAt > :soon`,
        )
        .all({ soon: new Date(Date.now() + 5_000).toISOString() }),
    )

  const chargedOnce = (reseller: Reseller, phone: string): void =>
    expect([postsFor(world, phone).length, debitsOf(world, reseller).length]).toEqual([1, 1])

  test('people are answered, orders go, callbacks are applied and polls are made at once', async () => {
    await goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    const { reference } = await place(world, reseller, phone)
    const { message_id: after } = reseller.chat.say('/help')
    await reseller.chat.waitForText(helpTitle, { after })
    await setRight()
    const again = reseller.chat.say('/help').message_id
    await reseller.chat.waitForText(helpTitle, { after: again })
    world.provider.setStatus(reference, 'delivered')
    await reseller.chat.waitForText(new RegExp(`for ${phone}: delivered`))
    chargedOnce(reseller, phone)
    const second = newPhone()
    await place(world, reseller, second)
    expect([postsFor(world, second).length, debitsOf(world, reseller).length]).toEqual([1, 2])
    expect(inTheFuture()).toEqual([])
  })

  test('an order that is polled is asked about when its schedule says, and no later', async () => {
    await goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    world.provider.addFault({ kind: 'callback_never', times: null, account: reseller.account.id })
    const { reference } = await place(world, reseller, phone)
    await setRight()
    world.provider.setStatus(reference, 'delivered')
    await reseller.chat.waitForText(new RegExp(`for ${phone}: delivered`))
    chargedOnce(reseller, phone)
  })

  test('an order whose answer was lost is settled by its debit, and charged once', async () => {
    await goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    for (const kind of ['callback_never', 'answer_lost'] as const)
      world.provider.addFault({
        kind,
        account: reseller.account.id,
        times: kind === 'answer_lost' ? 1 : null,
      })
    const card = await order(reseller, phone)
    await cardReads(world, reseller, card, /unconfirmed/)
    await setRight()
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    chargedOnce(reseller, phone)
  })

  test('an account that the provider told to wait goes on when it said', async () => {
    await goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    world.provider.addFault({ kind: 'rate_limited', retryAfter: '15', account: reseller.account.id })
    const card = await order(reseller, phone)
    await cardReads(world, reseller, card, /waiting/)
    await setRight()
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect([postsFor(world, phone).length, debitsOf(world, reseller).length]).toEqual([2, 1])
  })

  test('requests of the wrong time count for the budget when they were made', async () => {
    await goAhead()
    const reseller = await world.newReseller()
    const account = inDatabase(world, (db) =>
      String(db.prepare('SELECT accountId FROM Member WHERE userId = ?').get(reseller.id)?.accountId),
    )
    // Fifty-eight in the hour before, none of them in the last minute: by the clock that ran ahead.
    await changeDatabase(world, (db) => {
      const insert = db.prepare('INSERT INTO Request (accountId, at) VALUES (?, ?)')
      for (let made = 0; made < 58; made += 1)
        insert.run(
          account,
          new Date(Date.now() + aheadMs - 90_000 - made).toISOString().replace('Z', '+00:00'),
        )
    })
    await setRight()
    const phone = newPhone()
    await place(world, reseller, phone)
    chargedOnce(reseller, phone)
    const minute = inDatabase(world, (db) =>
      db
        .prepare('SELECT COUNT(*) AS made FROM Request WHERE accountId = ? AND at > ?')
        .get(account, new Date(Date.now() - 60_000).toISOString()),
    )
    expect(Number(minute?.made)).toBeLessThan(58)
  })

  test('the jump is logged, and operators are told once', async () => {
    const told = () =>
      operatorOf(world)
        .chat.texts()
        .filter((text) => text.includes('was set back by 10 min'))
    await operatorOf(world).chat.waitForText('was set back by 10 min')
    const { message_id: after } = operatorOf(world).chat.say('/help')
    await operatorOf(world).chat.waitForText(helpTitle, { after })
    const before = told().length
    await goAhead()
    await world.newReseller()
    await setRight()
    await world.until(() => told().length === before + 1, 'the operator to be told')
    expect(world.bot.output()).toContain('the clock was set back')
  })

  test('an owner who connected by the wrong clock was there before who connects after it, and can remove them', async () => {
    await goAhead()
    const owner = await world.newReseller()
    await setRight()
    const thief = world.newPerson()
    thief.chat.say(`/connect ${owner.account.apiKey} ${owner.account.apiSecret}`)
    await thief.chat.waitForText('✅ Connected.')
    const { message_id: after } = thief.chat.say('/agents')
    await thief.chat.waitForText(/Owners\n/, { after })
    expect(thief.chat.button('Remove')).toBeUndefined()
    owner.chat.say('/agents')
    await owner.chat.waitForButton('Remove')
  })

  test('an invitation that was made by the wrong clock is good for an hour and no longer', async () => {
    await goAhead()
    const owner = await world.newReseller()
    owner.chat.say('/agents')
    await owner.chat.waitForButton('✉️ Invite')
    owner.chat.press('✉️ Invite')
    await owner.chat.waitForText('An invitation for one person')
    await setRight()
    const open = inDatabase(world, (db) =>
      db
        .prepare('SELECT tokenHash FROM Invitation WHERE createdBy = :owner AND expiresAt > :hour')
        .all({ owner: owner.id, hour: new Date(Date.now() + 3_605_000).toISOString() }),
    )
    expect(open).toEqual([])
  })

  test('a draft from the wrong clock can still be confirmed when the clock is right, and is ordered once', async () => {
    await goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await setRight()
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(ordersFor(world, phone)).toHaveLength(1)
    chargedOnce(reseller, phone)
  })
})
