import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectLabels, nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { needAccount } from '../../../src/telegram/words/unusable.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, databaseBytes, type Reseller, type World } from '../../support/world.ts'
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

let world: World
const worlds = {
  get: () => world,
  set: (other: World) => {
    world = other
  },
}

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.provider.clearFaults())
afterAll(() => world?.close())

const requestsBy = ({ account }: Pick<Reseller, 'account'>) =>
  world.provider.requests().filter((request) => request.accountId === account.id)

/** Asks to leave. @returns the bot's question. */
const askToLeave = async ({ chat }: Pick<Reseller, 'chat'>): Promise<Message> => {
  const { message_id: after } = chat.say('/disconnect')
  return chat.waitForText(/Remove your account|is being removed/, { after })
}

const leaveWhenDone = async (reseller: Reseller): Promise<Message> => {
  const question = await askToLeave(reseller)
  reseller.chat.press('When orders are done')
  return cardReads(world, reseller, question, /Your account is being removed/)
}

const leaveNow = async (reseller: Reseller): Promise<Message> => {
  const question = await askToLeave(reseller)
  reseller.chat.press('Now')
  return cardReads(world, reseller, question, /Disconnected/)
}

const connectWith = async (
  { chat }: Pick<Reseller, 'chat'>,
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): Promise<number> => chat.say(`/connect ${apiKey} ${apiSecret}`).message_id

/** Makes an order that the provider charges, but whose answer never reaches the bot. @returns the order's card. */
const orderUnanswered = async (reseller: Reseller, phone: string): Promise<Message> => {
  world.provider.addFault({ kind: 'answer_lost' })
  world.provider.addFault({ kind: 'callback_never' })
  const card = await order(reseller, phone)
  return cardReads(world, reseller, card, /unconfirmed/)
}

/** How many accounts have no credentials any more. */
const erasedAccounts = (): number =>
  inDatabase(world, (db) => db.prepare(`SELECT id FROM Account WHERE sealedSecret = ''`).all().length)

/** Ends the day for which an account that is being removed waits for its open orders. */
const dayIsOver = async (): Promise<void> => {
  await world.bot.stop()
  await changeDatabase(world, (db) =>
    db
      .prepare('UPDATE Account SET eraseBy = ? WHERE eraseBy IS NOT NULL')
      .run(new Date().toISOString().replace('Z', '+00:00')),
  )
  await world.bot.start()
}

describe('leaving an account after its open orders have ended', () => {
  test('follows open orders to their end and then erases the account', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone()
    const sent = await place(world, reseller, phone)
    chat.press('⋯')
    const { message: sentCard } = await chat.waitForButton('Repeat')
    const waiting = await order(reseller, phone)
    await cardReads(world, reseller, waiting, /this number has an open order/)
    const draft = await askFor(reseller, newPhone())

    const question = await askToLeave(reseller)
    expect(question.text).toContain('1 order isn’t finished yet. 1 waiting order will be cancelled')
    const before = erasedAccounts()
    chat.press('When orders are done')
    await cardReads(world, reseller, question, /being removed[\s\S]*You can’t order now/)
    await cardReads(world, reseller, waiting, /cancelled[\s\S]*nothing was charged/)

    const late = newPhone()
    for (const text of [`${late} 2GB`, `/buy ${late} 2GB`, '/buy']) {
      const { message_id: after } = chat.say(text)
      const refusal = await chat.waitForText('You’re removing this account', { after })
      expect(refusal.text).toMatch(/Nothing new was ordered[\s\S]*\/connect/)
      expect(dataOf(refusal, 'Keep the account')).toContain('disconnect:never:')
    }
    const press = (card: Message, label: string) =>
      world.telegram.press({ from: reseller.id, messageId: card.message_id, data: dataOf(card, label) })
    expect(await toastOf(world, press(draft, 'Confirm'))).toContain('so you can’t order.')
    const { message_id: after } = chat.last() as Message
    press(sentCard, 'Repeat')
    await chat.waitForText('You’re removing this account', { after: after - 1 })
    await world.bot.restart()
    expect(erasedAccounts()).toBe(before)

    world.provider.setStatus(sent.reference, 'delivered')
    await chat.waitForText(/✅ MTN 2GB for .*delivered$/m)
    await world.until(
      () =>
        inDatabase(world, (db) => db.prepare('SELECT id FROM "Order" WHERE nextPollAt IS NOT NULL').all())
          .length === 0,
      'the end to be confirmed',
    )
    await world.bot.restart()
    await chat.waitForText('Your account has been removed, and its key and secret erased')
    expect(erasedAccounts()).toBe(before + 1)
    expect(chat.texts().join('\n')).not.toContain(', because the account was removed:')
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(postsFor(world, late)).toHaveLength(0)
  })

  test('can be undone by a button, or by connecting again', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    await place(world, reseller, newPhone())
    const closing = await leaveWhenDone(reseller)
    chat.press('Keep the account')
    await cardReads(world, reseller, closing, /To order, send a number and a size/)
    await place(world, reseller, newPhone())

    await leaveWhenDone(reseller)
    const after = await connectWith(reseller, account)
    await chat.waitForText(nowConnected, { after })
    await place(world, reseller, newPhone())
    expect(debitsOf(world, reseller)).toHaveLength(3)
    await world.bot.restart()
    const { message_id: last } = chat.say('/balance')
    await chat.waitForText('Balance: GHS 471.20', { after: last })
  })

  test('happens after a day even if orders are still open, and names each order that is no longer followed', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const placed = await place(world, reseller, newPhone())
    const unknown = newPhone()
    const card = await orderUnanswered(reseller, unknown)
    world.provider.addFault({ kind: 'error_before', path: '/transactions', times: null })
    await leaveWhenDone(reseller)
    await dayIsOver()
    const told = await chat.waitForText(', because the account was removed:')
    expect(told.text).toContain(placed.reference)
    expect(told.text).toMatch(new RegExp(`${unknown}.*: unconfirmed, sent \\d\\d:\\d\\d`))
    expect(told.text).toContain('may have been charged')
    await chat.waitForText('Your account has been removed')
    await cardReads(world, reseller, card, /unconfirmed[\s\S]*account was removed from this bot/)
    expect(debitsOf(world, reseller)).toHaveLength(2)
  })

  test('takes the account from the owner immediately if somebody else connects it meanwhile', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const placed = await place(world, reseller, newPhone())
    await leaveWhenDone(reseller)
    const other = world.newPerson()
    const after = await connectWith(other, account)
    await other.chat.waitForText(nowConnected, { after })
    await chat.waitForText('Somebody else who has its key is still connected')
    const { message_id: last } = chat.say('/balance')
    await chat.waitForText(needAccount, { after: last })
    await place(world, { ...other, account }, newPhone())
    world.provider.setStatus(placed.reference, 'delivered')
    await chat.waitForText(/✅ MTN 2GB for .*delivered/)
  })
})

describe('leaving an account immediately', () => {
  test('names unfinished orders to the owner and to followers, and stops all requests to the provider', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const placed = await place(world, reseller, newPhone())
    const contact = world.newPerson()
    contact.chat.say(placed.reference)
    await contact.chat.waitForButton('Follow')
    contact.chat.press('Follow')
    await contact.chat.waitForButton('Unfollow')
    const unknown = newPhone()
    const card = await orderUnanswered(reseller, unknown)

    const question = await askToLeave(reseller)
    expect(question.text).toContain('2 orders aren’t finished yet')
    const now = dataOf(question, 'Now')
    const pressNow = () =>
      world.telegram.press({ from: reseller.id, messageId: question.message_id, data: now, stale: true })
    const before = erasedAccounts()
    for (let times = 0; times < 3; times += 1) pressNow()
    const told = await chat.waitForText(', because the account was removed:')
    expect(told.message_id).toBeGreaterThan(question.message_id)
    expect(told.text).toContain(placed.reference)
    expect(told.text).toMatch(new RegExp(`${unknown}.*: unconfirmed, sent \\d\\d:\\d\\d`))
    await contact.chat.waitForText(/I’m no longer following .*024•••\d{4} \(processing\)/)
    await cardReads(world, reseller, card, /unconfirmed[\s\S]*account was removed from this bot/)
    expect(erasedAccounts()).toBe(before + 1)
    const asked = requestsBy(reseller).length
    await world.bot.restart()
    const { message_id: after } = chat.say(`${newPhone()} 2GB`)
    await chat.waitForText(needAccount, { after })
    expect(requestsBy(reseller)).toHaveLength(asked)
    expect(chat.texts().filter((text) => text.includes(', because the account was removed:'))).toHaveLength(1)
    expect(debitsOf(world, reseller)).toHaveLength(2)
    expect(placementOf(world, unknown)).toEqual(['unconfirmed'])
  })

  test.each([
    ['placed', { kind: 'slow', delayMs: 1_500 } as const, /processing[\s\S]*Reference: BUD-API-/, 1],
    ['rejected', { kind: 'slow', delayMs: 1_500 } as const, /rejected[\s\S]*Nothing was charged/, 0],
  ])('does not lose an order that is being sent and becomes %s', async (placement, fault, words, debits) => {
    const reseller = await world.newReseller(placement === 'placed' ? 50_000 : 1_000)
    const { chat } = reseller
    const phone = newPhone()
    if (debits === 0) world.provider.setAccount(reseller.account.id, { balancePesewas: 100 })
    world.provider.addFault(fault)
    const card = await order(reseller, phone)
    await world.until(() => postsFor(world, phone).length === 1, 'the order to be on its way')
    const left = await leaveNow(reseller)
    expect(left.text).toContain('1 order is being sent right now')
    const told = await chat.waitForText(words, { after: left.message_id })
    expect(told.text).toContain(phone)
    await cardReads(world, reseller, card, words)
    expect(placementOf(world, phone)).toEqual([placement])
    expect(debitsOf(world, reseller)).toHaveLength(debits)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('leaves no button that can remove the account after it is connected again', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const question = await askToLeave(reseller)
    const data = dataOf(question, 'Confirm')
    chat.press('Confirm')
    await cardReads(world, reseller, question, /Disconnected/)
    const after = await connectWith(reseller, account)
    await chat.waitForText(nowConnected, { after })
    const messageId = question.message_id
    const press = world.telegram.press({ from: reseller.id, messageId, data, stale: true })
    expect(await toastOf(world, press)).toContain('an account you no longer have here')
    await place(world, reseller, newPhone())
  })

  test('asks when to leave, if orders were made since the first question', async () => {
    const reseller = await world.newReseller()
    const question = await askToLeave(reseller)
    const data = dataOf(question, 'Confirm')
    await place(world, reseller, newPhone())
    world.telegram.press({ from: reseller.id, messageId: question.message_id, data })
    const again = await cardReads(world, reseller, question, /1 order isn’t finished yet/)
    expect(dataOf(again, 'When orders are done')).toContain('disconnect:done:')
    reseller.chat.press('Keep the account')
    await place(world, reseller, newPhone())
  })
})

describe('another API key sent by an owner', () => {
  const newAccount = () => world.provider.addAccount({ accountType: 'dealer', balancePesewas: 12_345 })

  const askToSwitch = async (reseller: Reseller, other: { apiKey: string; apiSecret: string }) => {
    const after = await connectWith(reseller, other)
    return reseller.chat.waitForText('Switch to another account?', { after })
  }

  test('of another account is used only after Switch, and orders of the old account are still followed', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const placed = await place(world, reseller, newPhone())
    const other = newAccount()
    const refused = await askToSwitch(reseller, other)
    expect(refused.text).toMatch(/Account type: dealer\nBalance: GHS 123\.45/)
    expect(refused.text).toContain('1 order isn’t finished yet. I’ll tell you what happens to it')
    expect(await databaseBytes(world.databasePath)).not.toContain(other.apiSecret)
    chat.press('Keep')
    await cardReads(world, reseller, refused, /Nothing changed. You’re still connected/)
    await place(world, reseller, newPhone())

    const card = await askToSwitch(reseller, other)
    const data = dataOf(card, 'Switch')
    for (let times = 0; times < 2; times += 1) {
      world.telegram.press({ from: reseller.id, messageId: card.message_id, data })
    }
    const connected = await chat.waitForText(/✅ Connected\.[\s\S]*GHS 123\.45/, { after: card.message_id })
    expect(connected.text).toContain('2 orders aren’t finished yet. I’ll tell you what happens to them')
    const late = world.telegram.press({ from: reseller.id, messageId: card.message_id, data, stale: true })
    expect(await toastOf(world, late)).toContain('already answered')
    await place(world, { ...reseller, account: other }, newPhone())
    expect(debitsOf(world, { ...reseller, account: other })).toHaveLength(1)
    expect(debitsOf(world, reseller)).toHaveLength(2)

    const before = erasedAccounts()
    world.provider.setStatus(placed.reference, 'delivered')
    await chat.waitForText(/✅ MTN 2GB for .*delivered/, { after: connected.message_id })
    await dayIsOver()
    await chat.waitForText('Your old account has been removed')
    await chat.waitForText(', because the account was removed:')
    expect(erasedAccounts()).toBe(before + 1)
  })

  test('is not used after ten minutes, nor by a button of an earlier question', async () => {
    const reseller = await world.newReseller()
    const first = await askToSwitch(reseller, newAccount())
    const second = await askToSwitch(reseller, newAccount())
    const press = (card: Message) =>
      world.telegram.press({
        from: reseller.id,
        messageId: card.message_id,
        data: dataOf(card, 'Switch'),
        stale: true,
      })
    expect(await toastOf(world, press(first))).toContain('Nothing was changed')
    await changeDatabase(world, (db) =>
      db.exec(`UPDATE PendingCredential SET expiresAt = '2026-01-05T00:00:00.000+00:00'`),
    )
    expect(await toastOf(world, press(second))).toContain('Nothing was changed')
    await place(world, reseller, newPhone())
  })

  test('changes nothing while the provider cannot say whose key it is', async () => {
    const reseller = await world.newReseller()
    await place(world, reseller, newPhone())
    world.provider.addFault({ kind: 'error_before', path: '/transactions', times: null })
    const after = await connectWith(reseller, newAccount())
    const answer = await reseller.chat.waitForText('I can’t check this key now', { after })
    expect(answer.text).toContain('Nothing was stored')
    world.provider.clearFaults()
    await place(world, reseller, newPhone())
    expect(debitsOf(world, reseller)).toHaveLength(2)
  })

  test.each([
    ['an earlier order', true],
    ['no earlier order', false],
  ])('of the same wallet, which has %s, reconciles an unconfirmed order', async (_orders, earlier) => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    if (earlier) await place(world, reseller, newPhone())
    const phone = newPhone()
    // The old key must not read the charge first.
    world.provider.addFault({ kind: 'error_before', path: '/transactions', status: 503, times: null })
    const card = await orderUnanswered(reseller, phone)
    const { apiKey, apiSecret } = { apiKey: `${account.apiKey}-2`, apiSecret: `${account.apiSecret}-2` }
    world.provider.setAccount(account.id, { apiKey, apiSecret })
    world.provider.clearFaults()
    if (earlier) {
      chat.say('/balance')
      await chat.waitForText('The provider no longer accepts your API key')
    }
    const after = await connectWith(reseller, { apiKey, apiSecret })
    if (!earlier) {
      // A single charge that may be for this order does not prove that the new key belongs to the same wallet.
      await chat.waitForButton(connectLabels.sameAccount)
      chat.press(connectLabels.sameAccount)
    }
    await chat.waitForText(nowConnected, { after })
    // The warning about the unknown outcome, which may have been sent before the new key, is edited to this.
    await chat.waitForText(
      /(?:placed(?: after all)?, charged GHS 9\.60 once|one charge of GHS 9\.60 matches this order)/,
    )
    const { text } = await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(text).toContain(ordersFor(world, phone)[0]?.reference)
    expect(debitsOf(world, reseller)).toHaveLength(earlier ? 2 : 1)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('of another wallet does not reconcile an order, even with a fitting debit', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    world.provider.addFault({ kind: 'reset_before' })
    await cardReads(world, reseller, await order(reseller, phone), /unconfirmed/)
    const other = newAccount()
    const second = world.newPerson()
    const after = await connectWith(second, other)
    await second.chat.waitForText(nowConnected, { after })
    await place(world, { ...second, account: other }, phone)
    second.chat.say('/disconnect')
    await second.chat.waitForButton('Now')
    second.chat.press('Now')
    await second.chat.waitForText('Disconnected')
    await askToSwitch(reseller, other)
    expect(placementOf(world, phone)).toContain('unconfirmed')
  })
})

describe('credentials that are being checked when the bot is killed', { tags: 'killed' }, () => {
  inWorldOfItsOwn(worlds, { process: true })

  const typedAndKilled = async () => {
    const account = world.provider.addAccount({ balancePesewas: 12_345 })
    const person = world.newPerson()
    world.provider.addFault({ kind: 'slow', path: '/wallet/balance', delayMs: 8_000 })
    await connectWith(person, account)
    await world.until(
      () => requestsBy({ account }).some(({ path }) => path === '/wallet/balance'),
      'the check to be under way',
    )
    await world.bot.kill()
    world.provider.clearFaults()
    expect(await databaseBytes(world.databasePath)).not.toContain(account.apiSecret)
    return { ...person, account }
  }

  const held = (chatId: number) =>
    inDatabase(world, (db) => db.prepare('SELECT * FROM PendingCredential WHERE chatId = ?').all(chatId))

  test('are checked again after the start', async () => {
    const { chat, id } = await typedAndKilled()
    expect(held(id)).toHaveLength(1)
    await world.bot.start()
    await chat.waitForText(/✅ Connected\.[\s\S]*GHS 123\.45/)
    expect(chat.texts().filter((text) => text.includes('Connected'))).toHaveLength(1)
    expect(held(id)).toEqual([])
  })

  test('are forgotten after ten minutes, and the person is told that nothing was stored', async () => {
    const { chat, id } = await typedAndKilled()
    await changeDatabase(world, (db) =>
      db.exec(`UPDATE PendingCredential SET expiresAt = '2026-01-05T00:00:00.000+00:00'`),
    )
    await world.bot.start()
    const told = await chat.waitForText('check your key and secret. Nothing was stored')
    expect(told.text).toContain('/connect again')
    expect(held(id)).toEqual([])
  })
})
