// @module-tag screens
import type { Message } from 'grammy/types'
import { readSheet } from 'read-excel-file/node'
import { beforeEach, describe, expect } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { earlyEnoughToday } from '../../support/day.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { deliverAll, ordersOf, paste, pressOn } from '../lists/list-shop.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  inDatabase,
  newPhone,
  place,
  pressOnCard,
  showButton,
  toastOf,
} from '../shop.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})
beforeEach(earlyEnoughToday)

/** Sends the words. @returns the bot's next message that matches. */
const says = ({ chat }: Pick<Reseller, 'chat'>, text: string, answer: string | RegExp): Promise<Message> => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

const labelsOf = (message: Message): string[] =>
  (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text)

/** A reseller whose shop has this price rule, as typed. */
const newShop = async (rule = '+2'): Promise<Reseller> => {
  const reseller = await world.newReseller()
  await setRule(reseller, rule)
  return reseller
}

const setRule = async (reseller: Reseller, rule: string): Promise<Message> => {
  const { message_id } = await says(reseller, '/prices', /Set prices|Rule:/)
  reseller.chat.press('Set prices')
  await cardReads(world, reseller, { message_id }, /How much do you want to add/)
  return says(reseller, rule, '✅ Saved')
}

/** Skips the question for the shop's name, which the bot asks before the first price list or receipt. */
const skipName = async (reseller: Reseller, after: number): Promise<void> => {
  await reseller.chat.waitForText('What is your shop called?', { after })
  reseller.chat.press('Skip')
}

const deliver = async (reseller: Reseller, reference: string): Promise<void> => {
  const after = reseller.chat.last()?.message_id ?? 0
  world.provider.setStatus(reference, 'delivered')
  await reseller.chat.waitForText(': delivered', { after })
}

/** The selling prices of that reseller's orders, by size. */
const sellingOf = ({ id }: Reseller): Record<string, unknown> =>
  inDatabase(world, (database) =>
    Object.fromEntries(
      database
        .prepare('SELECT volume, sellUnitPesewas FROM "Order" WHERE userId = ? ORDER BY createdAt')
        .all(id)
        .map(({ volume, sellUnitPesewas }) => [String(volume), sellUnitPesewas]),
    ),
  )

describe('a price rule', () => {
  test('is shown with an example, can be rounded, changed by buttons or typing, and undone', async () => {
    const reseller = await world.newReseller()
    const menu = await says(reseller, '/prices', 'You haven’t set your prices yet')
    expect(labelsOf(menu).join()).toMatch(/Set prices.*Your shop.*Home/)
    reseller.chat.press('Set prices')
    await cardReads(world, reseller, menu, /Rule: none yet/)
    reseller.chat.press('+1.00')
    await cardReads(world, reseller, menu, /Rule: cost \+ GHS 1\.00\n/)
    await cardReads(world, reseller, menu, /MTN 5GB costs you GHS 23\.50, and you sell it for GHS 24\.50/)
    reseller.chat.press('Round: off')
    await cardReads(world, reseller, menu, /^Rounding/)
    reseller.chat.press('Round to 1.00')
    await cardReads(world, reseller, menu, /rounded up to the next GHS 1\.00\n.*you sell it for GHS 25\.00/)
    reseller.chat.press('Undo')
    await cardReads(world, reseller, menu, /^Set prices\nRule: cost \+ GHS 1\.00\n/)
    const typed = await says(reseller, '10% round 0.50', 'you sell it for GHS 26.00')
    expect(typed.text).toContain('Rule: cost + 10%, rounded up to the next GHS 0.50')
  })

  test('that makes no sense is refused with the reason, and the question stays open', async () => {
    const reseller = await newShop('+1')
    for (const [wrong, why] of [
      ['-2', 'give it its own price'],
      ['2,50', 'Use a point'],
      ['5000', 'too high'],
      ['2000%', 'too high'],
      ['<b>two</b>', 'don’t see an amount'],
      ['+2 round 500', 'Rounding must be'],
    ] as const) {
      const answer = await says(reseller, wrong, 'Nothing was changed')
      expect(answer.text).toContain(why)
    }
    await says(reseller, '+3', 'GHS 26.50')
    await says(reseller, '/cancel', 'Cancelled')
    await says(reseller, '+4', 'I don’t understand that')
  })

  test('can be undone only while no newer rule is set', async () => {
    const reseller = await newShop('+1')
    const second = await says(reseller, '+2', '✅ Saved')
    const undo = dataOf(second, 'Undo')
    await says(reseller, '+3', '✅ Saved')
    const press = world.telegram.press({ from: reseller.id, messageId: second.message_id, data: undo })
    expect(await toastOf(world, press)).toContain('Nothing was undone')
    await says(reseller, '/prices', 'Rule: cost + GHS 3.00')
  })

  test('does not swallow an order that is typed while the rule is asked for', async () => {
    const reseller = await newShop()
    await says(reseller, `${newPhone()} 2GB`, asksToConfirm)
  })
})

describe('the price of one bundle', () => {
  test('overrides the rule, may be a loss, and can be undone', async () => {
    const reseller = await newShop()
    const { message_id } = await says(reseller, '/prices', 'Rule:')
    const screen = { message_id }
    reseller.chat.press('Set prices')
    await cardReads(world, reseller, screen, /How much do you want to add/)
    reseller.chat.press('Price of one bundle')
    await cardReads(world, reseller, screen, /Which network/)
    reseller.chat.press('MTN')
    await showButton(reseller, '5GB Express · 25.45 → 27.45')
    reseller.chat.press('5GB Express')
    await cardReads(world, reseller, screen, /Selling price: GHS 27\.45 \(by your rule\)/)
    for (const wrong of ['-1', '0', '1e9', '999999999', 'cheap'])
      await says(reseller, wrong, 'Nothing was changed')
    const saved = await says(reseller, '20', 'Selling price: GHS 20.00 (set for this bundle)')
    expect(saved.text).toContain('loss GHS 5.45\n⚠️ That’s below cost.')
    reseller.chat.press('Undo')
    await cardReads(world, reseller, saved, /GHS 27\.45 \(by your rule\)/)

    reseller.chat.press('Back')
    await showButton(reseller, '10GB · 43.90 → 45.90')
    reseller.chat.press('10GB')
    await cardReads(world, reseller, saved, /by your rule/)
    await says(reseller, '50', 'Selling price: GHS 50.00 (set for this bundle)')
    const card = await askFor(reseller, newPhone(), '10GB')
    expect(card.text).toContain('Price: GHS 43.90 · you sell for GHS 50.00')
    const list = await says(reseller, '/bundles MTN', 'Cost → your selling price')
    expect(list.text).toContain('10GB · GHS 43.90 → GHS 50.00')
    expect(list.text).toContain('2GB · GHS 9.60 → GHS 11.60')
  })
})

describe('the selling price of an order', () => {
  test('stays as it was at Confirm, and its profit counts after the delivery', async () => {
    const reseller = await newShop()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    expect(card.text).toContain('Price: GHS 9.60 · you sell for GHS 11.60')
    const confirm = dataOf(card, 'Confirm')
    world.telegram.press({ from: reseller.id, messageId: card.message_id, data: confirm })
    await cardReads(world, reseller, card, /You sell for GHS 11\.60 · profit GHS 2\.00 when delivered/)
    await setRule(reseller, '+5')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    const reference = ordersOf(world, reseller)[0]?.reference ?? ''
    await deliver(reseller, reference)
    const done = await cardReads(world, reseller, card, /delivered\nSold for/)
    expect(done.text).toContain('Sold for GHS 11.60 · profit GHS 2.00')
    expect(sellingOf(reseller)).toEqual({ '2GB': 1160 })
  })

  test('brings no profit if the order failed, and is not mentioned if no price is set', async () => {
    const reseller = await newShop()
    const card = await askFor(reseller, newPhone())
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /profit GHS 2\.00 when delivered[\s\S]*BUD-API-/)
    world.provider.setStatus(ordersOf(world, reseller)[0]?.reference ?? '', 'failed')
    const failed = await cardReads(world, reseller, card, /failed/)
    expect(failed.text).not.toMatch(/profit|[Ss]old|sell/)

    const other = await world.newReseller()
    expect((await askFor(other, newPhone())).text).not.toContain('sell')
    await place(world, other, newPhone(), '1GB')
    expect(other.chat.texts().join()).not.toMatch(/profit|[Ss]old for|You sell/)
  })

  test('stays as confirmed for a number that waits outside its list', async () => {
    const reseller = await newShop()
    const busy = newPhone()
    const first = await place(world, reseller, busy, '1GB')
    await setRule(reseller, '+3')
    const [one, two] = [newPhone(), newPhone()]
    const preview = await paste(reseller, [`${busy} 2GB`, `${one} 2GB`, `${two} 2GB`])
    expect(preview.text).toContain('You sell for GHS 37.80 · profit GHS 9.00 when delivered')
    pressOn(reseller, preview, 'Confirm')
    await world.until(() => ordersOf(world, reseller).length === 2, 'the numbers that need not wait')
    await setRule(reseller, '+4')
    await deliver(reseller, first.reference)
    await world.until(() => ordersOf(world, reseller).length === 3, 'the number that had to wait')
    deliverAll(world, reseller)
    const done = await reseller.chat.waitForText(/List of 3 numbers: done/)
    expect(done.text).toContain('Sold for GHS 37.80 · profit GHS 9.00')
    expect(sellingOf(reseller)).toEqual({ '1GB': 680, '2GB': 1260 })
    const card = await cardReads(world, reseller, preview, /3 delivered/)
    world.telegram.press({ from: reseller.id, messageId: card.message_id, data: dataOf(card, '⋯') })
    await reseller.chat.waitForButton('Excel')
    reseller.chat.press('Excel')
    const { bytes } = await reseller.chat.waitForFile({ after: done.message_id })
    const [headings = [], row = []] = await readSheet(bytes)
    const cell = (heading: string) => row[headings.indexOf(heading)]
    expect(['Charged GHS', 'Sold for GHS', 'Profit GHS'].map(cell)).toEqual([9.6, 12.6, 3])
  })

  test('can be changed to what the customer really paid, and the change can be undone', async () => {
    const reseller = await newShop()
    const { reference } = await place(world, reseller, newPhone())
    const card = await reseller.chat.waitForText(reference)
    await pressOnCard(reseller.chat, 'Receipt')
    await skipName(reseller, card.message_id)
    await reseller.chat.waitForButton('Change price')
    reseller.chat.press('Change price')
    await reseller.chat.waitForText('What did you sell it for?')
    await says(reseller, 'ten', 'Nothing was changed')
    const changed = await says(reseller, '10.50', '✅ MTN 2GB')
    expect(changed.text).toContain('GHS 10.50')
    await cardReads(world, reseller, card, /You sell for GHS 10\.50 · profit GHS 0\.90 when delivered/)
    reseller.chat.press('Undo')
    await cardReads(world, reseller, card, /You sell for GHS 11\.60/)
  })
})

describe('a receipt', () => {
  test('is a picture with a caption to forward, without the cost and without buttons', async () => {
    const reseller = await newShop()
    const phone = newPhone()
    const { reference } = await place(world, reseller, phone)
    await deliver(reseller, reference)
    const { message_id: after } = await reseller.chat.waitForText(': delivered')
    await says(reseller, `Kofi ${phone}`, 'Kofi')
    await pressOnCard(reseller.chat, 'Receipt')
    await reseller.chat.waitForText('What is your shop called?', { after })
    await says(reseller, 'x'.repeat(60), 'I can’t use that name')
    await says(reseller, 'Ama & Sons', 'Your shop is called Ama & Sons')
    const { message, bytes } = await reseller.chat.waitForPhoto({ after })
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(message.caption).toMatch(/^🧾 Ama & Sons\nReceipt · \d+ \w+ \d{4}, \d\d:\d\d\n/)
    for (const word of ['MTN 2GB', 'Customer: Kofi', phone, 'delivered', 'GHS 11.60', reference])
      expect(message.caption).toContain(word)
    const [link = ''] = /https:\/\/t\.me\/\S+/.exec(message.caption ?? '') ?? []
    const contact = world.newPerson()
    contact.chat.say(`/start ${new URL(link).searchParams.get('start')}`)
    await contact.chat.waitForText(/MTN 2GB[\s\S]*delivered/)
    expect(message.caption).not.toMatch(/9\.60|cost|profit|wallet|balance/i)
    expect(message.reply_markup?.inline_keyboard ?? []).toEqual([])
    await reseller.chat.waitForText('Forward this to your customer', { after: message.message_id })
    await pressOnCard(reseller.chat, 'Receipt')
    await reseller.chat.waitForPhoto({ after: message.message_id })
    expect(reseller.chat.texts().filter((text) => text.includes('What is your shop called?'))).toHaveLength(1)
  })

  test('can be made without a shop name, and after that the next message is not read as the name', async () => {
    const reseller = await world.newReseller()
    const { reference } = await place(world, reseller, newPhone())
    await deliver(reseller, reference)
    await pressOnCard(reseller.chat, 'Receipt')
    const { message_id: asked } = await reseller.chat.waitForText('What is your shop called?')
    reseller.chat.press('Skip')
    await reseller.chat.waitForText('Forward this to your customer')
    const prompt = () => world.telegram.messages(reseller.id).filter(({ message_id: id }) => id === asked)
    await world.until(() => prompt().flatMap(labelsOf).length === 0, 'the question to lose its button')
    await says(reseller, 'hello', /^(?!.*shop is called)/s)
  })

  test('without a selling price shows no price, and the reseller is told how to set one', async () => {
    const reseller = await world.newReseller()
    const { reference } = await place(world, reseller, newPhone())
    const card = await reseller.chat.waitForText(reference)
    await pressOnCard(reseller.chat, 'Receipt')
    await skipName(reseller, card.message_id)
    const { message } = await reseller.chat.waitForPhoto({ after: card.message_id })
    expect(message.caption).toContain('MTN 2GB')
    expect(message.caption).not.toMatch(/GHS \d/)
    const hint = await reseller.chat.waitForText(
      'It shows no price, because the order has no selling price.',
      {
        after: message.message_id,
      },
    )
    expect(labelsOf(hint).join()).toMatch(/Price this order.*Set prices/)
    reseller.chat.press('Price this order')
    await reseller.chat.waitForText('No selling price yet')
    await says(reseller, '12', 'You sell for GHS 12.00')
  })

  test('of a list is made for one number, or for all together', async () => {
    const reseller = await newShop()
    const [one, two, three] = [newPhone(), newPhone(), newPhone()]
    const preview = await paste(reseller, [`${one} 2GB`, `${two} 2GB`, `${three} 2GB`])
    pressOn(reseller, preview, 'Confirm')
    await world.until(() => ordersOf(world, reseller).length === 1, 'the order')
    deliverAll(world, reseller)
    await reseller.chat.waitForText(/List of 3 numbers: done/)
    const reference = ordersOf(world, reseller)[0]?.reference ?? ''
    const { message_id: after } = await says(reseller, reference, /MTN 2GB.*for/)
    await pressOnCard(reseller.chat, 'Receipt')
    await skipName(reseller, after)
    const question = await reseller.chat.waitForText('Who is the receipt for?', { after })
    reseller.chat.press(two)
    const single = await reseller.chat.waitForPhoto({ after: question.message_id })
    expect(single.message.caption).toContain(`Number: ${two}`)
    expect(single.message.caption).toContain('Price: GHS 11.60')
    expect(single.message.caption).not.toMatch(new RegExp(`${one}|${three}`))
    reseller.chat.press('All 3 together')
    const all = await reseller.chat.waitForPhoto({ after: single.message.message_id })
    expect(all.message.caption).toMatch(/For 3 numbers[\s\S]*3 of 3 delivered[\s\S]*Price: GHS 34\.80/)
  })

  test('can be made only by the shop that ordered, and no stranger reads a cost or a selling price', async () => {
    const reseller = await newShop()
    const { reference } = await place(world, reseller, newPhone())
    const card = await reseller.chat.waitForText(reference)
    const orderId = dataOf(card, 'Refresh').split(':').at(-1) ?? ''
    const receipt = `selling:receipt:${orderId}`
    const acts = [receipt, ...['sold_for', 'receipt_for'].map((act) => `selling:${act}:${orderId}`)]
    const [stranger, other] = [world.newPerson(), await world.newReseller()]
    await says(stranger, reference, 'Status: processing')
    for (const { id, chat } of [stranger, other]) {
      const said = chat.texts().length
      for (const data of [...acts, `selling:receipt_for:${orderId}:all`]) {
        const messageId = chat.last()?.message_id ?? 1
        const press = world.telegram.press({ from: id, messageId, data, stale: true })
        expect(await toastOf(world, press)).toMatch(/isn’t yours|out of date/)
      }
      expect(chat.texts()).toHaveLength(said)
    }
    expect(stranger.chat.texts().join()).not.toMatch(/GHS|profit|9\.60|11\.60/)
  })
})

describe('a price list', () => {
  test('as text has the shop, the sizes and the selling prices of all or one network, without costs', async () => {
    // Costs are multiples of five pesewas, so no price made here is a cost.
    const reseller = await newShop('+3.33')
    const { message_id: menu } = await says(reseller, '/prices', 'Rule:')
    reseller.chat.press('Text')
    await reseller.chat.waitForText('What is your shop called?', { after: menu })
    await says(reseller, 'Ama Data', 'Your shop is called Ama Data')
    const all = await reseller.chat.waitForText(/^Ama Data\nData prices · /)
    expect(all.text).toMatch(/MTN\n100MB – GHS 3\.88\n1GB – GHS 8\.13\n/)
    expect(all.text).toMatch(/\n5GB – GHS 26\.83\n5GB Express – GHS 28\.78\n/)
    expect(all.text).toMatch(/Telecel\n[\s\S]*AirtelTigo\n[\s\S]*BigTime\n/)
    expect(all.text).not.toMatch(/GHS \d+\.\d[05]\b|cost|profit|mtn_/)
    expect(labelsOf(all)).toEqual([labels.whatsApp])
    await says(
      reseller,
      '/prices telecel',
      'Post your Telecel price list as Pictures (for groups and Status) or as Text',
    )
    reseller.chat.press('Text')
    const one = await reseller.chat.waitForText(/^Ama Data\nData prices/, { after: all.message_id })
    expect(one.text).toMatch(/Telecel\n500MB – GHS 6\.13/)
    expect(one.text).not.toMatch(/MTN|BigTime/)
  })

  test('is drawn for groups and for WhatsApp Status, and a separate message says what it leaves out', async () => {
    const reseller = await world.newReseller()
    await changeDatabase(world, (database) =>
      database
        .prepare(
          'INSERT INTO SellingPrice (accountId, bundleId, pricePesewas) SELECT accountId, 2, 1200 FROM Member WHERE userId = ?',
        )
        .run(reseller.id),
    )
    const { message_id: menu } = await says(reseller, '/prices', 'Own price: 1 bundle')
    reseller.chat.press('Picture')
    await skipName(reseller, menu)
    const { message, bytes, width } = await reseller.chat.waitForPhoto({ after: menu })
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(width).toBeGreaterThanOrEqual(1_000)
    expect(message.caption).toMatch(/data prices, \d+ \w+ \d{4} · for groups$/)
    expect(message.caption).not.toMatch(/GHS \d/)
    const aside = await reseller.chat.waitForText('aren’t on the list', { after: message.message_id })
    expect(aside.text).toMatch(/^\d\d bundles aren’t on the list: they have no selling price/)
    const pictures = world.telegram.messages(reseller.id).filter(({ photo }) => photo)
    expect(pictures.map(({ caption }) => caption)).toEqual([
      message.caption,
      expect.stringMatching(/for Status$/),
    ])
    const largest = pictures.at(-1)?.photo?.at(-1)
    expect([largest?.width, largest?.height]).toEqual([1080, 1920])
  })

  test('is refused with the reason if no prices are set', async () => {
    const reseller = await world.newReseller()
    const { message_id: messageId } = await says(reseller, '/prices', 'You haven’t set your prices yet')
    world.telegram.press({ from: reseller.id, messageId, data: 'selling:text', stale: true })
    await skipName(reseller, messageId)
    await reseller.chat.waitForText('There’s nothing to list yet', { after: messageId })
    await says(reseller, '/prices nokia', 'I don’t know the network nokia')
    await says(world.newPerson(), '/prices', 'That needs an account')
  })
})

describe('an agent', () => {
  test('sees selling prices but no profit, and cannot set prices', async () => {
    const owner = await newShop()
    const agent = await addMember(world, owner)
    const menu = await says(agent, '/prices', 'Costs aren’t shown')
    expect(menu.text).not.toMatch(/GHS \d/)
    expect(labelsOf(menu).join()).toMatch(/Picture.*Text/)
    expect(labelsOf(menu).join()).not.toMatch(/Set prices|Your shop/)
    for (const data of [
      'selling:rule',
      'selling:add:plus:900',
      'selling:no_rule',
      'selling:bundle:2',
      'selling:by_rule:2',
      'selling:undo_rule:none:p200-1',
      'selling:undo_price:2:1:none',
    ]) {
      const press = world.telegram.press({ from: agent.id, messageId: menu.message_id, data, stale: true })
      expect(await toastOf(world, press)).toContain('Only the owner')
    }
    agent.chat.press('Text')
    await agent.chat.waitForText(/5GB Express – GHS 27\.45/)
    const phone = newPhone()
    const card = await askFor(agent, phone)
    expect(card.text).toContain('Price: GHS 11.60\n')
    agent.chat.press('Confirm')
    await cardReads(world, agent, card, /GHS 11\.60 · processing\n[\s\S]*BUD-API-/)
    const { reference = '' } = ordersOf(world, owner).at(-1) ?? {}
    await deliver(agent, reference)
    await cardReads(world, agent, card, /GHS 11\.60 · delivered\n/)
    await pressOnCard(agent.chat, 'Receipt')
    const { message } = await agent.chat.waitForPhoto()
    expect(message.caption).toContain('Price: GHS 11.60')
    expect(agent.chat.texts().join()).not.toMatch(/profit|What is your shop called/i)
    const owned = await says(owner, reference, 'Sold for GHS 11.60')
    expect(owned.text).toContain('profit GHS 2.00')
    await says(owner, '/prices', 'Rule: cost + GHS 2.00')
  })
})
