import { describe, expect } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { noNumbers } from '../../../src/telegram/cards/words/list-preview.ts'
import {
  numberStillAsked,
  numbersStillAsked,
  sendNumber,
} from '../../../src/telegram/features/buying/words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { left } from '../../../src/telegram/features/home/words.ts'
import { test } from '../../support/test.ts'
import type { Reseller } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { cardReads, dataOf, newPhone, ordersFor, place } from '../shop.ts'

/** Sends the words. @returns the bot's next message that matches. */
const says = ({ chat }: Pick<Reseller, 'chat'>, text: string, answer: string | RegExp) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

const labelsOf = (message: { reply_markup?: { inline_keyboard: { text: string }[][] } }): string[] =>
  (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text)

describe('one order in a message', () => {
  test('gets a card, however it is written', async ({ reseller }) => {
    for (const written of [
      '0241234567 10gb pls',
      'please send 10gb to 0241234567',
      'Buy 0241234567 10GB',
      '/buy please send 10gb to 0241234567',
      'Phone: 0241234567, GB: 10',
      '[12/05/25, 14:03:11] Kofi: 0241234567 10',
      'Good morning boss\n0241234567\n10gb\nthanks',
    ]) {
      const card = await says(reseller, written, asksToConfirm)
      expect(card.text, written).toMatch(/MTN 10GB\n.*0241234567/)
      expect(card.text, written).not.toContain('You wrote')
    }
  })

  test('gets a warning if the price written in it is not the bundle’s price', async ({ reseller }) => {
    for (const written of ['0241234567 10GB 42.75', '0241234567 10gb GHS 42.75']) {
      const card = await says(reseller, written, asksToConfirm)
      expect(card.text).toContain('You wrote GHS 42.75. The price is GHS 43.90.')
    }
    const right = await says(reseller, '0241234567 10GB 43.90', asksToConfirm)
    expect(right.text).not.toContain('You wrote')
  })

  test('leads to a question if a word in it may be a network', async ({ reseller }) => {
    const phone = newPhone()
    const asked = await says(
      reseller,
      `${phone} at 5gb`,
      `${phone} looks like MTN, but you wrote AirtelTigo 5GB`,
    )
    expect(labelsOf(asked).slice(0, 2)).toEqual(['Keep AirtelTigo', 'Switch to MTN'])
  })

  test('is shown as a line to fix if it can be read in two ways', async ({ world, reseller }) => {
    const phone = newPhone()
    for (const [written, why] of [
      [`${phone} 2x10gb`, '2x10gb: two orders? Put each on its own line: 0241234567 10GB'],
      [`${phone} 5gb 10gb`, 'two sizes'],
      [`${phone} 10gb tomorrow`, 'tomorrow: order it or not?'],
    ] as const) {
      const preview = await says(reseller, written, why)
      expect(preview.text).toContain('Nothing can be ordered yet.')
    }
    const preview = reseller.chat.last()
    const { message_id: after } = world.telegram.say({
      from: reseller.id,
      text: `1. ${phone} 10gb`,
      replyTo: preview?.message_id ?? 0,
    })
    await reseller.chat.waitForText('1 to order', { after })
    expect(ordersFor(world, phone)).toEqual([])
    reseller.chat.press('Confirm')
    await world.until(() => ordersFor(world, phone).length === 1, 'it is ordered')
  })

  test('without a size leads to a question for the bundle', async ({ world, reseller }) => {
    const phone = newPhone()
    const asked = await says(reseller, `${phone} please`, new RegExp(`MTN.*: which bundle for ${phone}`))
    reseller.chat.press('2GB · GHS 9.60')
    await cardReads(world, reseller, asked, asksToConfirm)
  })

  test('with an amount of money instead of a size is offered the bundles that the amount buys, the best first', async ({
    world,
    reseller,
  }) => {
    const phone = newPhone()
    const asked = await says(reseller, `${phone} GHS 10`, `What GHS 10.00 buys for ${phone}`)
    expect(labelsOf(asked)[0]).toBe('2GB · GHS 9.60')
    reseller.chat.press('2GB · GHS 9.60')
    await cardReads(world, reseller, asked, asksToConfirm)
    await says(reseller, `${phone} GHS 0.10`, 'isn’t enough for a bundle')
  })

  test('with a digit too many is answered with the likely numbers as buttons', async ({
    world,
    reseller,
  }) => {
    const phone = newPhone()
    const asked = await says(reseller, `${phone}9 2gb`, 'has 11 digits, but a number has 10')
    reseller.chat.press(phone)
    const card = await cardReads(world, reseller, asked, asksToConfirm)
    expect(card.text).toContain(`Number: ${phone}`)
  })

  test('for a misspelt name is answered with the saved name that it resembles', async ({
    world,
    reseller,
  }) => {
    const phone = newPhone()
    await says(reseller, `Kofi ${phone}`, 'Saved:')
    const asked = await says(reseller, 'kofii 2gb', 'Did you mean Kofi?')
    reseller.chat.press('Kofi')
    await cardReads(world, reseller, asked, asksToConfirm)
  })

  test('without a size leads to a question for the network if the prefix fits several', async ({
    reseller,
  }) => {
    const [two, named] = [newPhone('026'), newPhone('026')]
    const asked = await says(reseller, two, `Which network for ${two}?`)
    expect(labelsOf(asked)).toEqual(expect.arrayContaining(['AirtelTigo', 'BigTime']))
    await says(reseller, `${named} bigtime pls`, new RegExp(`BigTime.*: which bundle for ${named}`))
  })

  test('may have polite words around the number, if only the number was asked for', async ({ reseller }) => {
    const phone = newPhone()
    await says(reseller, '/buy', 'Which network?')
    reseller.chat.press('MTN')
    await reseller.chat.waitForButton('2GB · GHS')
    reseller.chat.press('2GB · GHS')
    await reseller.chat.waitForText(sendNumber)
    const card = await says(reseller, `${phone} please`, asksToConfirm)
    expect(card.text).toMatch(new RegExp(`MTN 2GB\\n.*${phone}`))
  })
})

describe('several orders of one size', () => {
  test('without numbers lead to a question, and are made for the numbers in the answer', async ({
    world,
    reseller,
  }) => {
    for (const written of ['2x10gb', '10gb x2', '2 x 10gb mtn'])
      await says(reseller, written, /10GB × 2: send 2 numbers/)
    await says(reseller, 'whatever', noNumbers)
    const [first, second] = [newPhone(), newPhone()]
    const preview = await says(reseller, `${first}\n${second}`, '2 to order')
    expect(preview.text).toContain('MTN 10GB × 2')
    reseller.chat.press('Confirm')
    await world.until(
      () => [first, second].every((phone) => ordersFor(world, phone).length === 1),
      'both are ordered',
    )
  })

  test('may be written in reply to any card', async ({ world, reseller }) => {
    const { message_id: replyTo } = await says(reseller, `${newPhone()} 2gb`, asksToConfirm)
    const { message_id: after } = world.telegram.say({ from: reseller.id, text: '2x10gb', replyTo })
    await reseller.chat.waitForText(/10GB × 2: send 2 numbers/, { after })
  })

  test('for one number lead to a question whether it gets the bundle twice', async ({ world, reseller }) => {
    const phone = newPhone()
    await says(reseller, '2x10gb', /10GB × 2: send/)
    const preview = await says(reseller, phone, 'same')
    expect(preview.text).toContain(phone)
    expect(ordersFor(world, phone)).toEqual([])
  })

  test('may be for saved names, and are dropped if another order is typed instead of names', async ({
    reseller,
  }) => {
    for (const name of ['Kofi', 'Ama']) await says(reseller, `${name} ${newPhone()}`, 'Saved:')
    await says(reseller, '2x10gb mtn', /MTN 10GB × 2: send/)
    await says(reseller, 'Kofi\nAma', /MTN 10GB × 2[\s\S]*2 to order|2 to order[\s\S]*MTN 10GB × 2/)
    await says(reseller, '3x5gb', /5GB × 3: send/)
    const card = await says(reseller, `${newPhone()} 2gb`, asksToConfirm)
    expect(card.text).toContain('MTN 2GB')
    await says(reseller, 'nonsense here', 'I don’t understand')
  })

  test('are refused if the person has no account', async ({ world }) => {
    await says(world.newPerson(), '2x10gb', '/connect')
  })
})

describe('while a number is asked for', () => {
  const questions = [
    ['price of 5gb', /MTN[\s\S]*5GB/],
    ['how much is 5gb mtn', /5GB/],
    ['balance', 'GHS 500.00'],
    ['help', helpTitle],
    ['menu', /Bundlegram/],
    ['my orders', 'No orders'],
    ['thanks', 'You’re welcome.'],
  ] as const

  test('a question to the bot is answered, and the number is still asked for', async ({
    world,
    reseller,
  }) => {
    await says(reseller, '/buy', 'Which network?')
    reseller.chat.press('MTN')
    await reseller.chat.waitForButton('2GB · GHS')
    reseller.chat.press('2GB · GHS')
    await reseller.chat.waitForText(sendNumber)
    for (const [text, answer] of questions) {
      const { message_id: after } = await says(reseller, text, numberStillAsked)
      await reseller.chat.waitForText(answer, { after })
    }
    const phone = newPhone()
    const card = await says(reseller, phone, asksToConfirm)
    expect(card.text).toMatch(new RegExp(`MTN 2GB\\n.*${phone}`))

    reseller.chat.press('✏️ Number')
    await cardReads(world, reseller, card, 'Send the right number')
    const { message_id: after } = await says(reseller, 'how much is 5gb mtn', numberStillAsked)
    await reseller.chat.waitForText(/5GB/, { after })
    const other = newPhone()
    expect((await says(reseller, other, asksToConfirm)).text).toMatch(new RegExp(`MTN 2GB\\n.*${other}`))
  })

  test('a question to the bot is not read as a list, and after /cancel no number is asked for', async ({
    reseller,
  }) => {
    await says(reseller, '/bulk', 'which network?')
    reseller.chat.press('MTN')
    await reseller.chat.waitForButton('2GB · GHS')
    reseller.chat.press('2GB · GHS')
    await reseller.chat.waitForText('numbers')
    const { message_id: after } = await says(reseller, 'price of 5gb', numbersStillAsked)
    await reseller.chat.waitForText(/MTN[\s\S]*5GB/, { after })
    expect((await says(reseller, newPhone(), '1 to order')).text).toContain('MTN 2GB')
    await says(reseller, '2x10gb', /send 2 numbers/)
    await says(reseller, 'cancel', left)
    await says(reseller, newPhone(), 'which bundle')
  })
})

test('two saved names in a message are two orders, and a size without a number is a line to fix', async ({
  reseller,
}) => {
  const [first, second] = [newPhone(), newPhone()]
  const preview = await says(
    reseller,
    `${first}\n2gig please\n\nCustomer 2:\n${second}\nNeed 3gb`,
    '6 lines: 2 to order · 2 ignored',
  )
  expect(preview.text).toContain('MTN 2GB × 1')
  expect(preview.text).toContain('MTN 3GB × 1')
  const lost = await says(reseller, `${first} 2gb\nNeed 4gb`, '2 lines: 1 to order · 1 to fix')
  expect(lost.text).toContain('no number for the 4GB')
})

test('the example that the bot gives for a saved name works as an order', async ({ reseller }) => {
  const saved = await says(reseller, `Kofi ${newPhone()}`, 'Saved:')
  const [, example = ''] = /To order, send (.+)\.$/m.exec(saved.text ?? '') ?? []
  expect((await says(reseller, example, asksToConfirm)).text).toContain('Kofi')
})

test('a saved number alone opens the same screen as its name', async ({ reseller }) => {
  const phone = newPhone()
  await says(reseller, `Kofi ${phone}`, 'Saved:')
  const byName = await says(reseller, 'kofi', '👤 Kofi')
  const byNumber = await says(reseller, `+233 ${phone.slice(1)}`, '👤 Kofi')
  expect(byNumber.text).toBe(byName.text)
  expect(labelsOf(byNumber)).toEqual(labelsOf(byName))
})

describe('a word sent to the bot', () => {
  const home = /Bundlegram/

  test('that means a command is answered like the command, as the role allows', async ({ world }) => {
    const owner = await world.newReseller()
    const agent = await addMember(world, owner, 'agent')
    const stranger = world.newPerson()
    await says(owner, 'balance', 'GHS 500.00')
    await says(agent, 'Balance pls', /limit|owner/)
    await says(stranger, 'balance', '/connect')
    for (const person of [owner, stranger]) {
      await says(person, 'menu', home)
      await says(person, 'Hello 👋', home)
      await says(person, 'maakye', home)
      await says(person, 'help', helpTitle)
    }
    for (const text of ['price', 'MTN']) {
      const prices = await says(owner, text, /MTN[\s\S]*10GB/)
      expect(prices.text).toContain('43.90')
      await says(stranger, text, '/connect')
    }
    const telecel = await says(owner, 'telecel', /Telecel/)
    expect(telecel.text).not.toContain('MTN')
    const thanks = await says(owner, 'Medaase', 'You’re welcome.')
    expect(labelsOf(thanks)).toEqual(['🏠 Home'])
  })

  test('about the price of a size is answered with that bundle and a button to buy it', async ({ world }) => {
    const owner = await world.newReseller()
    const one = await says(owner, 'how much is 10gb mtn', /10GB · GHS 43\.90/)
    expect(one.text).not.toContain('5GB')
    expect(labelsOf(one)).toEqual(['🛒 Buy MTN 10GB', 'All MTN bundles', '🏠 Home'])
    const several = await says(owner, 'price of 5gb', /MTN[\s\S]*Telecel/)
    expect(labelsOf(several).filter((label) => label.startsWith('🛒')).length).toBeGreaterThan(1)
    const none = await says(owner, 'how much is 77gb mtn', 'MTN has no 77GB bundle')
    expect(labelsOf(none).filter((label) => label.startsWith('🛒 Buy MTN')).length).toBeGreaterThan(0)
    expect(several.text).toContain('Express')
    expect((await says(owner, '/bundles telecel 5gb', 'Telecel')).text).not.toContain('MTN')
    await says(world.newPerson(), 'how much is 5gb mtn', '/connect')

    const { message_id: messageId } = one
    world.telegram.press({ from: owner.id, messageId, data: dataOf(one, '🛒 Buy MTN 10GB') })
    await cardReads(world, owner, one, /MTN 10GB · GHS 43\.90[\s\S]*Which number/)
  })

  test('that the bot does not know is answered with a button to the home screen', async ({ world }) => {
    for (const person of [await world.newReseller(), world.newPerson()]) {
      const answer = await says(person, 'what is this', 'I don’t understand that.')
      expect(answer.text?.split('\n')).toHaveLength(1)
      expect(labelsOf(answer)).toContain('🏠 Home')
    }
  })

  test('that is a saved name opens that customer', async ({ reseller }) => {
    await says(reseller, `Menu ${newPhone()}`, 'Saved:')
    await says(reseller, 'menu', '👤 Menu')
  })
})

test('a forwarded receipt opens its order, although it contains a size and digits', async ({
  world,
  reseller,
}) => {
  const { reference } = await place(world, reseller, newPhone())
  const opened = await says(
    reseller,
    `Your receipt\nMTN 2GB\nReference: ${reference}.\nThank you!`,
    reference,
  )
  expect(opened.text).toContain('processing')
})
