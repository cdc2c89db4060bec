import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { sendNumber } from '../../../src/telegram/features/buying/words.ts'
import { keepsTrying } from '../../../src/telegram/features/wallet/unanswered-words.ts'
import { exampleOrder } from '../../../src/telegram/words/hints.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
  toastOf,
  useRequests,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

describe('the steps of /buy', () => {
  test('can be taken back one by one with Back, and after a wrong number the question for a number stays open', async () => {
    const { chat, account } = await world.newReseller()
    const phone = newPhone()
    chat.say('/buy')
    const { message } = await chat.waitForButton('MTN')
    const reads = (text: RegExp) => cardReads(world, { id: chat.id }, message, text)
    chat.press('Telecel')
    await reads(/Telecel.*: which bundle\?/)
    chat.press('Back')
    await reads(/Which network\?/)
    chat.press('MTN')
    await reads(/MTN.*: which bundle\?/)
    chat.press('▶')
    await chat.waitForButton('10GB · GHS 43.90')
    chat.press('10GB · GHS 43.90')
    await reads(/MTN 10GB · GHS 43\.90\s+Which number/)
    chat.press('Back')
    await reads(/MTN.*: which bundle\?/)
    chat.press('2GB · GHS 9.60')
    await reads(/MTN 2GB · GHS 9\.60\s+Which number/)

    for (const [wrong, why] of [
      ['024123456', 'has 9 digits, but a number has 10'],
      ['02412345678', 'has 11 digits, but a number has 10'],
      ['0302123456', 'isn’t a Ghanaian mobile number'],
      ['my mother', 'isn’t a Ghanaian mobile number'],
    ] as const) {
      const { message_id: after } = chat.say(wrong)
      const answer = await chat.waitForText(why, { after })
      expect(answer.text).toContain('Nothing was ordered')
      expect(answer.text).toContain('/cancel')
    }

    chat.say(phone)
    const card = await chat.waitForText(asksToConfirm)
    expect(card.text).toContain(`Number: ${phone}`)
    expect(card.text).toContain('MTN 2GB')
    expect(card.text).toContain('Price: GHS 9.60')
    expect(card.text).toContain('Balance: GHS 500.00 → GHS 490.40')
    expect(card.text).toContain('Nothing is charged before you confirm')
    chat.press('Confirm')
    await chat.waitForText(/processing[\s\S]*BUD-API-/)
    expect(world.provider.debits(account.id).map(({ amountPesewas }) => amountPesewas)).toEqual([960])
  })

  test('can be left with Cancel or /cancel at any time, and Cancel on the card orders nothing', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const steps = [[], ['MTN'], ['MTN', '2GB · GHS']]
    for (const presses of steps) {
      const { message_id: after } = chat.say('/buy')
      const opened = await chat.waitForText('Which network?', { after })
      for (const label of presses) {
        await chat.waitForButton(label)
        chat.press(label)
        if (label === 'MTN') await cardReads(world, reseller, opened, /which bundle/)
        else await cardReads(world, reseller, opened, sendNumber)
      }
      if (presses.length === 0) {
        chat.press('Cancel')
        await cardReads(world, reseller, opened, /^Cancelled\. Nothing new was ordered\.$/)
        continue
      }
      const { message_id: left } = chat.say('/cancel')
      await chat.waitForText(presses.length === 1 ? 'nothing to cancel' : 'Cancelled.', { after: left })
    }
    const phone = newPhone()
    const { message_id: after } = chat.say(phone)
    await chat.waitForText(`which bundle for ${phone}`, { after })

    const card = await askFor(reseller, phone)
    const toast = await toastOf(world, chat.press('❌ Cancel'))
    expect(toast).toContain('Nothing was charged')
    await cardReads(world, reseller, card, /cancelled\s+Nothing was ordered or charged/)
    expect(debitsOf(world, reseller)).toEqual([])
    expect(postsFor(world, phone)).toEqual([])
  })

  test.each(['/cancel', '/balance', '/orders', '/start', '/bundles'])(
    'end when %s is sent, and a number sent afterwards is no answer',
    async (command) => {
      const { chat } = await world.newReseller()
      chat.say('/buy')
      await chat.waitForText('Which network?')
      chat.press('MTN')
      await chat.waitForText(/MTN.*: which bundle/)
      chat.press('2GB · GHS')
      await chat.waitForText(sendNumber)
      chat.say(command)
      const phone = newPhone()
      const { message_id: after } = chat.say(phone)
      await chat.waitForText(`which bundle for ${phone}`, { after })
    },
  )

  test('end when a whole order comes in one message', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    chat.say('/buy')
    await chat.waitForText('Which network?')
    chat.press('Telecel')
    await chat.waitForText(/Telecel.*: which bundle/)
    chat.press('10GB · GHS')
    await chat.waitForText(sendNumber)
    const other = await askFor(reseller, newPhone(), '3GB')
    expect(other.text).toContain('MTN 3GB')
    const phone = newPhone('020')
    const { message_id: after } = chat.say(phone)
    await chat.waitForText(`which bundle for ${phone}`, { after })
  })
})

describe('an order', () => {
  test('gets the same card whether it is typed alone or after /buy', async () => {
    const { chat } = await world.newReseller()
    for (const text of ['/buy 0241234567 2GB', '0241234567 2GB', '2gb 0241234567', 'mtn 0241234567 2']) {
      const { message_id: after } = chat.say(text)
      const card = await chat.waitForText(asksToConfirm, { after })
      expect(card.text).toContain('MTN 2GB')
      expect(card.text).toContain('Number: 0241234567')
    }
  })

  test('may have its number written in any usual form', async () => {
    const { chat } = await world.newReseller()
    for (const written of [
      '+233 24 123 4567',
      '233241234567',
      '00233241234567',
      '+233 (0) 24 123-4567',
      '024.123.4567',
      '(024) 123 4567',
      '241234567',
    ]) {
      const { message_id: after } = chat.say(`${written} 2GB`)
      const card = await chat.waitForText(asksToConfirm, { after })
      expect(card.text, written).toContain('Number: 0241234567')
    }
  })

  test('that cannot be read is answered with an example', async () => {
    const { chat, account } = await world.newReseller()
    for (const text of ['/buy mother 5GB', '/buy something nice']) {
      const { message_id: after } = chat.say(text)
      const answer = await chat.waitForText(exampleOrder, { after })
      expect(answer.text).toContain('Nothing was ordered')
    }
    expect(world.provider.debits(account.id)).toEqual([])
  })

  test('with an impossible number cannot be confirmed, and the answer names the fault', async () => {
    const { chat, account } = await world.newReseller()
    for (const [text, fault] of [
      ['024123456 5GB', 'has 9 digits, but a number has 10'],
      ['5gb 02412345678', 'has 11 digits, but a number has 10'],
      ['/buy 0302123456 5GB', 'landline'],
    ] as const) {
      const { message_id: after } = chat.say(text)
      await chat.waitForText(new RegExp(fault), { after })
    }
    expect(world.provider.debits(account.id)).toEqual([])
  })

  test('of a size with two offers leads to a question, and the chosen offer is sent', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone()
    chat.say(`${phone} 5GB`)
    const question = await chat.waitForText('more than one 5GB offer')
    expect(question.text).toContain(phone)
    await chat.waitForButton('5GB · GHS 23.50')
    chat.press('5GB Express · GHS 25.45')
    const card = await cardReads(world, reseller, question, asksToConfirm)
    expect(card.text).toContain('MTN 5GB Express')
    expect(card.text).toContain('GHS 25.45')
    chat.press('Confirm')
    await cardReads(world, reseller, card, /BUD-API-/)
    expect(debitsOf(world, reseller).map(({ amountPesewas }) => amountPesewas)).toEqual([2545])
    expect(postsFor(world, phone).map(({ body }) => body)).toMatchObject([{ bundle_id: 8 }])
  })

  test('leads to a question only if both networks of its number’s prefix sell the size', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone('027')
    chat.say(`${phone} 5GB`)
    const question = await chat.waitForText('could be on either network')
    await chat.waitForButton('AirtelTigo 5GB · GHS 20.45')
    chat.press('BigTime 5GB · GHS 18.45')
    const card = await cardReads(world, reseller, question, asksToConfirm)
    expect(card.text).toContain('BigTime 5GB')

    const only = await askFor(reseller, newPhone('026'), '30GB')
    expect(only.text).toContain('BigTime 30GB')
    const named = await askFor(reseller, `${newPhone('026')} at`, '5GB')
    expect(named.text).toContain('AirtelTigo 5GB')
  })

  test('for a number whose prefix is another network’s leads to a question with three answers', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const ask = async () => {
      // The number is new each time, because the bot does not ask twice about a number that was kept on a network.
      const phone = newPhone('020')
      const { message_id: after } = chat.say('/buy')
      await chat.waitForText('Which network?', { after })
      chat.press('MTN')
      await chat.waitForText(/MTN.*: which bundle/, { after })
      chat.press('▶')
      await chat.waitForButton('10GB · GHS 43.90')
      chat.press('10GB · GHS 43.90')
      await chat.waitForText(sendNumber, { after })
      const { message_id: said } = chat.say(phone)
      return chat.waitForText(`${phone} looks like Telecel, but you chose MTN 10GB`, { after: said })
    }
    const kept = await ask()
    chat.press('Keep MTN')
    expect((await cardReads(world, reseller, kept, /Confirm/)).text).toMatch(/MTN 10GB\s+Number: 020/)
    const switched = await ask()
    chat.press('Switch to Telecel 10GB · GHS 40.95')
    expect((await cardReads(world, reseller, switched, /Confirm/)).text).toMatch(/Telecel 10GB\s+Number: 020/)
    const left = await ask()
    chat.press('Cancel')
    await cardReads(world, reseller, left, /^Cancelled\. Nothing new was ordered/)
    expect(debitsOf(world, reseller)).toEqual([])
  })

  test('for another network than the prefix’s leads to a question, unless that network has served the number before', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone('020')
    const { message_id: after } = chat.say(`${phone} 10GB mtn`)
    const asked = await chat.waitForText(`${phone} looks like Telecel, but you wrote MTN 10GB`, { after })
    expect(asked.text).not.toContain('Confirm')
    await chat.waitForButton('Switch to Telecel 10GB · GHS 40.95')
    chat.press('Keep MTN')
    const card = await cardReads(world, reseller, asked, /Confirm this order\?\s+MTN 10GB/)
    chat.press('Confirm')
    await cardReads(world, reseller, card, /BUD-API-/)
    expect((await askFor(reseller, `${phone} mtn`, '3GB')).text).toContain('MTN 3GB')
  })

  test('of a size that is not sold is answered with the nearest sizes and their prices', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone('020')
    chat.say(`${phone} 4GB`)
    const answer = await chat.waitForText('There’s no Telecel 4GB bundle')
    expect(answer.text).toContain('Nothing was ordered')
    const labels = answer.reply_markup?.inline_keyboard.flat().map(({ text }) => text)
    expect(labels?.slice(0, -1)).toEqual([
      '2GB · GHS 9.15',
      '5GB · GHS 22.40',
      '10GB · GHS 40.95',
      '15GB · GHS 60.10',
    ])
    chat.press('5GB · GHS 22.40')
    await cardReads(world, reseller, answer, /Confirm this order\?\s+Telecel 5GB\s+Number: 020/)
  })
})

describe('a second order of a bundle for the same number', () => {
  test('has a warning on its card, however the order was written, and a button “Confirm again” instead of Confirm', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone()
    await place(world, reseller, phone)
    for (const text of [`${phone} 2GB`, `/buy ${phone} 2GB`]) {
      const { message_id: after } = chat.say(text)
      const card = await chat.waitForText(asksToConfirm, { after })
      expect(card.text).toContain(
        'MTN 2GB went to this number less than a minute ago: processing. Send again?',
      )
      dataOf(card, '⚠️ Confirm again')
    }
    chat.press('Confirm again')
    await chat.waitForText(/MTN 2GB for \d+\s+GHS 9\.60 · waiting/)
  })

  test('is not sent by Confirm on a card without the warning', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    chat.press('Confirm')
    await cardReads(world, reseller, card, /BUD-API-/)
    const { message_id: after } = chat.say('/orders')
    await chat.waitForText('MTN 2GB', { after })
    const again = await askFor(reseller, phone)
    const stale = {
      from: reseller.id,
      messageId: again.message_id,
      data: dataOf(card, 'Confirm'),
      stale: true,
    }
    expect(await toastOf(world, world.telegram.press(stale))).toContain('Already confirmed')
    const bare = { ...stale, data: dataOf(again, 'Confirm').replace(/:[^:]{8}$/, '') }
    expect(await toastOf(world, world.telegram.press(bare))).toBe(
      'MTN 2GB went to this number less than a minute ago: processing. Nothing new was ordered. See the card.',
    )
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('closes the older order’s card if that is still open, and the older order is not sent', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const older = await askFor(reseller, phone)
    await askFor(reseller, phone)
    await cardReads(world, reseller, older, /Replaced by the card below/)
    expect(postsFor(world, phone)).toEqual([])
  })
})

describe('the balance on a card', () => {
  /** Makes the stored balance an hour old and low. */
  const knownFromBefore = (reseller: Reseller) =>
    changeDatabase(world, (database) =>
      database
        .prepare(
          'UPDATE Account SET balancePesewas = 100, balanceAt = ? WHERE id = (SELECT accountId FROM Member WHERE userId = ?)',
        )
        .run(new Date(Date.now() - 3_600_000).toISOString().replace('Z', '+00:00'), reseller.id),
    )

  test('is read again when the card is made, before the card mentions a shortfall', async () => {
    const reseller = await world.newReseller()
    await knownFromBefore(reseller)
    const card = await askFor(reseller, newPhone())
    expect(card.text).toContain('Balance: GHS 500.00 → GHS 490.40')
    expect(card.text).not.toContain('short')
  })

  test('is shown with its time if it cannot be read again, and so is a shortfall', async () => {
    const reseller = await world.newReseller()
    await knownFromBefore(reseller)
    world.provider.addFault({ kind: 'error_before', path: '/wallet/balance', account: reseller.account.id })
    const card = await askFor(reseller, newPhone())
    expect(card.text).toMatch(/Balance \(as of [^)]*\d\d:\d\d\): GHS 1\.00/)
    expect(card.text).toMatch(
      /At .*\d\d:\d\d, the balance was GHS 8\.60 short\. I haven’t been able to read the balance since/,
    )
    expect(card.text).not.toContain('the provider will refuse')
  })
})

describe('a purchase', () => {
  test('is cancelled by /cancel if its card was shown last and no question is open', async () => {
    const reseller = await world.newReseller()
    const first = await askFor(reseller, newPhone())
    const second = await askFor(reseller, newPhone())
    const { message_id: after } = reseller.chat.say('/cancel')
    await reseller.chat.waitForText('Cancelled. Nothing new was ordered.', { after })
    await cardReads(world, reseller, second, /cancelled\s+Nothing was ordered or charged/)
    await cardReads(world, reseller, first, asksToConfirm)
    const press = { from: reseller.id, messageId: second.message_id, stale: true }
    for (const label of ['Confirm', 'Cancel']) {
      const late = world.telegram.press({ ...press, data: dataOf(second, label) })
      expect(await toastOf(world, late)).toBe('This card is closed. Nothing changed.')
    }
    expect(debitsOf(world, reseller)).toEqual([])
  })

  test('expires after an hour, and its Confirm button then orders nothing', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await changeDatabase(world, (database) =>
      database
        .prepare('UPDATE Purchase SET expiresAt = ? WHERE chatId = ?')
        .run(new Date(Date.now() - 1_000).toISOString(), reseller.id),
    )
    const toast = await toastOf(world, reseller.chat.press('Confirm'))
    // The bot may have closed the expired card by itself before the press.
    expect(toast).toMatch(/^This card (has expired\. Nothing was ordered|is closed\. Nothing changed)/)
    await cardReads(world, reseller, card, /expired\s+Not confirmed within an hour\. Nothing was ordered/)
    expect(postsFor(world, phone)).toEqual([])
  })

  test('becomes one order even after twenty presses at the same time, some forged or outdated', async () => {
    const reseller = await world.newReseller()
    const stranger = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    const data = dataOf(card, 'Confirm')
    const own = (messageId: number) => ({ from: reseller.id, messageId, data, stale: true })
    const presses = Array.from({ length: 20 }, (_, index) => {
      if (index % 5 === 2) return world.telegram.press({ ...own(card.message_id), from: stranger.id })
      if (index % 5 === 4) return world.telegram.press(own(card.message_id - 1))
      return world.telegram.press(own(card.message_id))
    })
    const toasts = await Promise.all(presses.map((press) => toastOf(world, press)))
    expect(toasts.filter((toast) => toast === 'Confirmed')).toHaveLength(1)
    expect(toasts.filter((_, index) => index % 5 === 2)).not.toContain('Confirmed')
    await reseller.chat.waitForText(/processing[\s\S]*BUD-API-/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(debitsOf(world, stranger)).toEqual([])
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(stranger.chat.texts().join()).not.toContain(phone)
  })

  test('is made and charged once, even if Telegram delivers its updates again under old or new ids', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    world.telegram.redeliver({ asNew: true })
    world.telegram.redeliver()
    const { message_id: after } = chat.say('/balance')
    await chat.waitForText('Balance:', { after })
    expect(chat.texts().filter((text) => text.includes(asksToConfirm))).toHaveLength(1)

    const press = { from: reseller.id, messageId: card.message_id, data: dataOf(card, 'Confirm') }
    world.telegram.press(press)
    world.telegram.redeliver()
    world.telegram.redeliver({ asNew: true })
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    const late = world.telegram.press({ ...press, stale: true })
    expect(await toastOf(world, late)).toContain('Already confirmed')
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('whose price has changed is sent only if it is confirmed again on a new card', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await world.bot.stop()
    world.provider.setAccount(reseller.account.id, { prices: { 2: 1010 } })
    await world.bot.start()
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /Replaced by the card below/)
    const newer = await reseller.chat.waitForText('The price has gone', { after: card.message_id })
    expect(newer.text).toContain('Nothing was charged')
    expect(newer.text).toContain('The price has gone up: GHS 10.10 (was GHS 9.60)')
    expect(newer.text).toContain('Price: GHS 10.10')
    expect(postsFor(world, phone)).toEqual([])
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, newer, /GHS 10\.10 · processing/)
    expect(debitsOf(world, reseller).map(({ amountPesewas }) => amountPesewas)).toEqual([1010])
  })

  test('whose price cannot be checked is not sent, and its new card can be confirmed later', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await world.bot.stop()
    world.provider.addFault({ kind: 'error_before', path: '/bundles' })
    await world.bot.start()
    reseller.chat.press('Confirm')
    const newer = await reseller.chat.waitForText('couldn’t check the price', { after: card.message_id })
    expect(newer.text).toContain('nothing was sent or charged')
    expect(postsFor(world, phone)).toEqual([])
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, newer, /processing[\s\S]*BUD-API-/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('for which prices cannot be read says so at each step, and keeps the typed number', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    chat.say('/buy')
    await chat.waitForButton('MTN')
    world.provider.addFault({ kind: 'error_before', path: '/bundles' })
    chat.press('MTN')
    await chat.waitForText(keepsTrying)
    chat.press('Try again')
    await chat.waitForButton('2GB · GHS')
    chat.press('2GB · GHS')
    await chat.waitForText(sendNumber)
    await world.bot.restart()
    world.provider.addFault({ kind: 'error_before', path: '/bundles' })
    const phone = newPhone()
    const { message_id: after } = chat.say(phone)
    const trouble = await chat.waitForText(keepsTrying, { after })
    expect(trouble.text).toContain('Nothing new was ordered')
    chat.press('Try again')
    const card = await cardReads(world, reseller, trouble, asksToConfirm)
    expect(card.text).toContain(phone)
  })

  test('whose bundle is no longer sold is not sent, and its card says why', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await world.bot.restart()
    const body = '{"success":true,"account_type":"agent","bundles":[]}'
    world.provider.addFault({ kind: 'bad_json', path: '/bundles', body })
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /no longer sold\. Nothing was sent or charged/)
    expect(postsFor(world, phone)).toEqual([])
  })

  test('that is charged at a price other than the confirmed one is reported with both prices', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await useRequests(world, reseller, 29)
    const card = await askFor(reseller, phone)
    expect(card.text).toMatch(/Price: GHS 9\.60 \(as of \d\d:\d\d\)/)
    world.provider.setAccount(reseller.account.id, { prices: { 2: 975 } })
    const { message } = await reseller.chat.waitForButton('Confirm')
    reseller.chat.press('Confirm')
    const said = await reseller.chat.waitForText('the provider charged GHS 9.75. You confirmed GHS 9.60')
    expect(said.text).toContain(ordersFor(world, phone)[0]?.reference)
    await cardReads(world, reseller, message, /GHS 9\.75 · processing/)
  })
})

describe('a second order for a number with an open order', () => {
  test('waits, names the first order, and is sent when that has ended', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const first = await place(world, reseller, phone)
    const card = await order(reseller, phone, '3GB')
    const waiting = await cardReads(world, reseller, card, /waiting[\s\S]*this number has an open order/)
    expect(waiting.text).toContain(first.reference)
    expect(waiting.text).toContain('Not charged yet')
    expect(postsFor(world, phone)).toHaveLength(1)
    world.provider.setStatus(first.reference, 'delivered')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(debitsOf(world, reseller)).toHaveLength(2)
  })

  test('needs another Confirm if it has waited for more than 15 minutes', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const first = await place(world, reseller, phone)
    const card = await order(reseller, phone, '3GB')
    await cardReads(
      world,
      reseller,
      card,
      /this number has an open order[\s\S]*more than 15 minutes, I’ll ask you first/,
    )
    await changeDatabase(world, (database) =>
      database
        .prepare(`UPDATE "Order" SET createdAt = ? WHERE chatId = ? AND placement = 'queued'`)
        .run(new Date(Date.now() - 16 * 60_000).toISOString(), reseller.id),
    )
    world.provider.setStatus(first.reference, 'delivered')
    const asked = await reseller.chat.waitForText('waited for more than 15 minutes', {
      after: card.message_id,
    })
    expect(asked.text).toContain('so it wasn’t sent or charged.')
    expect(debitsOf(world, reseller)).toHaveLength(1)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, asked, /3GB[\s\S]*processing[\s\S]*BUD-API-/)
    expect(debitsOf(world, reseller)).toHaveLength(2)
  })

  test('can be cancelled while it waits', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const first = await place(world, reseller, phone)
    const card = await order(reseller, phone, '3GB')
    await cardReads(world, reseller, card, /this number has an open order/)
    reseller.chat.press('❌ Cancel')
    await cardReads(world, reseller, card, /Cancelled before it was sent: nothing was charged/)
    world.provider.setStatus(first.reference, 'delivered')
    await reseller.chat.waitForText(/2GB for .*: delivered/)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('can be sent by the button “Send anyway”, and if the provider refuses it, the card names the first order', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const first = await place(world, reseller, phone)
    const card = await order(reseller, phone, '3GB')
    await cardReads(world, reseller, card, /this number has an open order/)
    reseller.chat.press('Send anyway')
    const refused = await cardReads(world, reseller, card, /rejected/)
    expect(refused.text).toContain(`Your order ${first.reference} for this number is still open`)
    expect(refused.text).toContain('Nothing was charged for this one')
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })
})

describe('a button to order again', () => {
  test('makes one purchase if pressed twice, and can make another one after that purchase is confirmed', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const phone = newPhone()
    const placed = await place(world, reseller, phone)
    world.provider.setStatus(placed.reference, 'delivered')
    await chat.waitForText(/: delivered/)
    const first = await cardReads(world, reseller, (await chat.waitForButton('Repeat')).message, /delivered/)
    const press = () =>
      world.telegram.press({
        from: chat.id,
        messageId: first.message_id,
        data: dataOf(first, 'Repeat'),
        stale: true,
      })
    await Promise.all([press(), press()].map((each) => toastOf(world, each)))
    const second = await chat.waitForText(asksToConfirm)
    expect(chat.texts().filter((text) => text.includes(asksToConfirm))).toHaveLength(1)
    chat.press('Confirm')
    await chat.waitForText(/processing[\s\S]*BUD-API-/, { after: first.message_id })
    expect(debitsOf(world, reseller)).toHaveLength(2)

    const third = await world.telegram.waitFor(() => {
      const card = world.telegram.messages(chat.id).find(({ message_id }) => message_id === first.message_id)
      return card && dataOf(card, 'Repeat') !== dataOf(first, 'Repeat') && card
    })
    world.telegram.press({ from: chat.id, messageId: third.message_id, data: dataOf(third, 'Repeat') })
    const again = await chat.waitForText(asksToConfirm, { after: second.message_id })
    expect(dataOf(again, 'Confirm')).not.toBe(dataOf(second, 'Confirm'))
  })

  test('makes a new purchase after a refusal, and the wallet is charged once', async () => {
    const reseller = await world.newReseller(100)
    const phone = newPhone()
    const card = await order(reseller, phone)
    await cardReads(world, reseller, card, /rejected/)
    world.provider.setAccount(reseller.account.id, { balancePesewas: 5_000 })
    reseller.chat.press('Order again')
    const next = await reseller.chat.waitForText(asksToConfirm, { after: card.message_id })
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, next, /processing[\s\S]*BUD-API-/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(postsFor(world, phone)).toHaveLength(2)
  })
})
