// @module-tag killed
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { showOwners } from '../accounts/members.ts'
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
  postsFor,
} from '../shop.ts'

/**
 * A machine whose clock is two days ahead and is then set right, while the bot runs or while it is stopped. All planned
 * times are then further ahead than any rule allows, so all work is due at once.
 */

const aheadMs = 2 * 24 * 60 * 60_000

describe.each([
  ['while the bot runs', false],
  ['while the bot is stopped', true],
])('after the clock is set back by two days %s', (_when, isStopped) => {
  const clock = { aheadMs: 0 }
  let world: World

  beforeAll(async () => {
    world = await createWorld({ wallMs: () => Date.now() + clock.aheadMs, pace: 'telegram' })
  })
  afterAll(() => world.close())

  const goAhead = (): void => {
    clock.aheadMs = aheadMs
  }
  const setRight = async (): Promise<void> => {
    if (isStopped) await world.bot.stop()
    clock.aheadMs = 0
    if (isStopped) await world.bot.start()
  }

  const chargedOnce = (reseller: Reseller, phone: string): void =>
    expect([postsFor(world, phone).length, debitsOf(world, reseller).length]).toEqual([1, 1])

  test('people are answered, and orders are followed and sent without delay', async () => {
    goAhead()
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
  })

  test('an order is polled immediately, and at most twice', async () => {
    goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    world.provider.addFault({ kind: 'callback_never', times: null, account: reseller.account.id })
    const { reference } = await place(world, reseller, phone)
    world.provider.setStatus(reference, 'delivered')
    await setRight()
    await reseller.chat.waitForText(new RegExp(`for ${phone}: delivered`))
    chargedOnce(reseller, phone)
    const asked = world.provider.requests().filter(({ path }) => path.includes(reference))
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  test('an order whose answer was lost is paired with its debit, and charged once', async () => {
    goAhead()
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

  test('the request limit no longer delays an order, which is sent after another Confirm', async () => {
    goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    world.provider.addFault({ kind: 'rate_limited', retryAfter: '600', account: reseller.account.id })
    const card = await order(reseller, phone)
    await cardReads(world, reseller, card, /waiting/)
    await setRight()
    await reseller.chat.waitForText(/it wasn’t sent or charged/)
    reseller.chat.press('Confirm')
    await world.until(() => debitsOf(world, reseller).length === 1, 'the order to be charged')
    expect(postsFor(world, phone)).toHaveLength(2)
  })

  test('requests dated in the future do not use up the budget', async () => {
    goAhead()
    const reseller = await world.newReseller()
    const account = inDatabase(world, (db) =>
      String(db.prepare('SELECT accountId FROM Member WHERE userId = ?').get(reseller.id)?.accountId),
    )
    await changeDatabase(world, (db) => {
      const insert = db.prepare('INSERT INTO Request (accountId, at) VALUES (?, ?)')
      for (let made = 0; made < 58; made += 1)
        insert.run(account, new Date(Date.now() + aheadMs - made).toISOString().replace('Z', '+00:00'))
    })
    await setRight()
    const left = () =>
      inDatabase(world, (db) =>
        db
          .prepare('SELECT COUNT(*) AS made FROM Request WHERE accountId = ? AND at > ?')
          .get(account, new Date(Date.now() + aheadMs / 2).toISOString()),
      )
    await world.until(() => Number(left()?.made) === 0, 'the requests to be forgotten')
    const phone = newPhone()
    await place(world, reseller, phone)
    chargedOnce(reseller, phone)
  })

  test('an owner who connected before can remove an owner who connects afterwards', async () => {
    goAhead()
    const owner = await world.newReseller()
    await setRight()
    const thief = world.newPerson()
    thief.chat.say(`/connect ${owner.account.apiKey} ${owner.account.apiSecret}`)
    await thief.chat.waitForText('✅ Connected.')
    await showOwners(thief)
    expect(thief.chat.button('Remove')).toBeUndefined()
    await showOwners(owner)
    await owner.chat.waitForButton('Remove')
  })

  test('an earlier invitation counts as ended', async () => {
    goAhead()
    const owner = await world.newReseller()
    owner.chat.say('/agents')
    await owner.chat.waitForButton('✉️ Invite')
    owner.chat.press('✉️ Invite')
    const { text } = await owner.chat.waitForText('An invitation for one person')
    await setRight()
    const agent = world.newPerson()
    agent.chat.say(`/start ${/start=([\w-]+)/.exec(text ?? '')?.[1]}`)
    await agent.chat.waitForText('This invitation has expired')
  })

  test('an earlier draft counts as expired, and a new one is ordered once', async () => {
    goAhead()
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await setRight()
    // The bot may have redrawn the card without this button by now, but the person's screen still shows it.
    const confirm = { messageId: card.message_id, data: dataOf(card, 'Confirm'), stale: true }
    world.telegram.press({ from: reseller.id, chat: reseller.id, ...confirm })
    await reseller.chat.waitForText(/expired/)
    expect(ordersFor(world, phone)).toHaveLength(0)
    const next = await order(reseller, phone)
    await cardReads(world, reseller, next, /processing[\s\S]*BUD-API-/)
    chargedOnce(reseller, phone)
  })
})

test('a draft made while the clock was ten minutes ahead can be confirmed, and is ordered once', async () => {
  const clock = { aheadMs: 10 * 60_000 }
  const world = await createWorld({ wallMs: () => Date.now() + clock.aheadMs })
  try {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    clock.aheadMs = 0
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(ordersFor(world, phone)).toHaveLength(1)
    expect([postsFor(world, phone).length, debitsOf(world, reseller).length]).toEqual([1, 1])
  } finally {
    await world.close()
  }
})
