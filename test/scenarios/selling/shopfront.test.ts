// @module-tag screens
import type { Message } from 'grammy/types'
import { describe, expect } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { cardReads, inDatabase, newPhone, place, pressOnCard, showButton, toastOf } from '../shop.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

const says = ({ chat }: Pick<Reseller, 'chat'>, text: string, answer: string | RegExp): Promise<Message> => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

/** Opens the screen of the shop. */
const openShop = async (reseller: Reseller): Promise<Message> => {
  const { message_id } = await says(reseller, '/prices', /Set prices|Rule:/)
  reseller.chat.press('Your shop')
  return cardReads(world, reseller, { message_id }, /^🏪 Your shop\n/)
}

const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

/** Opens one of the questions on that screen. */
const ask = async (
  reseller: Reseller,
  screen: Message,
  label: string,
  text: string | RegExp,
): Promise<void> => {
  reseller.chat.press(label)
  await cardReads(world, reseller, screen, text)
}

const shopOf = ({ id }: Pick<Reseller, 'id'>): Record<string, unknown> | undefined =>
  inDatabase(world, (database) =>
    database
      .prepare('SELECT * FROM Shop WHERE accountId = (SELECT accountId FROM Member WHERE userId = ?)')
      .get(id),
  )

test('a shop’s name can be set from the shop’s screen, and the answer is that screen', async () => {
  const reseller = await world.newReseller()
  const screen = await openShop(reseller)
  await ask(reseller, screen, 'Name', /🏪 Shop name: none/)
  const saved = await says(reseller, 'Ama Data', /✅ Saved\. 🏪 Shop name: Ama Data\n\n🏪 Your shop/)
  expect(labelsOf(saved)).toContain('🏷 Name: Ama Data')
  await ask(reseller, saved, 'Undo', /✅ Saved\. 🏪 Shop name: none/)
})

test('a name typed on the screen of a shop without a name becomes its name, and a word for a command does not', async () => {
  const reseller = await world.newReseller()
  await openShop(reseller)
  await says(reseller, 'balance', 'Balance')
  await openShop(reseller)
  await says(reseller, 'Ama Data', 'Your shop is called Ama Data')
  await openShop(reseller)
  await says(reseller, 'Esi Data', 'I don’t understand that')
})

describe('the number of a shop', () => {
  test('can be typed in any form that lists accept, is shown to customers, and can be removed', async () => {
    const reseller = await world.newReseller()
    const screen = await openShop(reseller)
    expect(labelsOf(screen)).toContain('📞 Number: none')
    await ask(reseller, screen, 'Number', /Send the number customers can call/)
    for (const wrong of ['hello', '024123456', '+44 20 7946 0958', '0302123456'])
      await says(reseller, wrong, 'Nothing was changed')
    const saved = await says(reseller, '+233 (0)20-987-6543', 'Price lists and receipts now show 0209876543')
    expect(labelsOf(saved).join()).toMatch(/Number: 020\s?987\s?6543/)

    await says(reseller, '/prices', 'You haven’t set your prices yet')
    reseller.chat.press('Set prices')
    await reseller.chat.waitForText('How much do you want to add')
    await says(reseller, '+2', '✅ Saved')
    const { message_id: menu } = await says(reseller, '/prices', 'Rule:')
    reseller.chat.press('Text')
    await reseller.chat.waitForText('What is your shop called?', { after: menu })
    const list = await says(reseller, 'Ama Data', /^Ama Data\nData prices/)
    expect(list.text).toMatch(/^Ama Data\nData prices · .*\nCall or message 0209876543\n/)

    const { phones } = await place(world, reseller, newPhone())
    const { message_id: card } = reseller.chat.last() as Message
    await pressOnCard(reseller.chat, 'Receipt')
    const { message } = await reseller.chat.waitForPhoto({ after: card })
    expect(message.caption).toContain('Shop: 0209876543')
    expect(message.caption).toContain(`Number: ${phones[0]?.phone}`)

    const again = await openShop(reseller)
    await ask(reseller, again, 'Number', /^Shop number\nNow: 0209876543/)
    reseller.chat.press('Remove number')
    const removed = await cardReads(world, reseller, again, /Number removed/)
    expect(labelsOf(removed)).toContain('📞 Number: none')
    expect(shopOf(reseller)?.phone).toBeNull()
    const { message_id: after } = await says(reseller, '/prices', 'Rule:')
    reseller.chat.press('Text')
    const bare = await reseller.chat.waitForText(/^Ama Data\nData prices/, { after })
    expect(bare.text).not.toContain('Call or message')
  })

  test('can be sent as a contact, and a typed order is still read as one while the number is asked for', async () => {
    const reseller = await world.newReseller()
    const screen = await openShop(reseller)
    await ask(reseller, screen, 'Number', /can call or message/)
    const { message_id: after } = reseller.chat.sendContact('Ama', '+233241112223')
    await reseller.chat.waitForText('now show 0241112223', { after })
    await ask(reseller, await openShop(reseller), 'Number', /^Shop number\n/)
    await says(reseller, `${newPhone()} 2GB`, asksToConfirm)
    expect(shopOf(reseller)?.phone).toBe('0241112223')
  })
})

describe('the look of a shop', () => {
  test('is a chosen colour and a typed letter, and a letter that pictures cannot show is refused', async () => {
    const reseller = await world.newReseller()
    const screen = await openShop(reseller)
    await ask(reseller, screen, 'Colour: ⚫ Dark', /the colour behind/)
    reseller.chat.press('Green')
    await reseller.chat.waitForButton('✓ 🟢 Green')
    await ask(reseller, screen, 'Letter', /Send one letter or digit/)
    await says(reseller, '🔥', 'only letters and digits. Nothing was changed')
    await says(reseller, 'AD', 'That isn’t a single letter')
    const saved = await says(reseller, 'k', '✅ Saved. Price lists and receipts show K.')
    expect(labelsOf(saved)).toContain('🎨 Colour: 🟢 Green')
    expect(shopOf(reseller)).toMatchObject({ accent: 'green', letter: 'K' })
    await ask(reseller, saved, 'Colour', /the colour behind/)
    await ask(reseller, saved, 'Letter', /Now: K/)
    await ask(reseller, saved, 'First letter of name', /first letter of your shop’s name/)
    expect(shopOf(reseller)?.letter).toBeNull()
  })

  test('cannot be changed by an agent', async () => {
    const owner = await world.newReseller()
    const agent = await addMember(world, owner)
    const menu = await says(agent, '/prices', 'The owner hasn’t set')
    for (const act of [
      'hiding',
      'hide:2:1:0',
      'shop',
      'shop_phone',
      'no_shop_phone',
      'colours',
      'colour:red',
      'letter',
      'first_letter',
    ]) {
      const press = world.telegram.press({
        from: agent.id,
        messageId: menu.message_id,
        stale: true,
        data: `selling:${act}`,
      })
      expect(await toastOf(world, press)).toContain('Only the owner')
    }
    expect(shopOf(owner)?.accent ?? null).toBeNull()
  })
})

describe('a size that the shop does not sell', () => {
  test('can be hidden from price lists, and can be ordered even then', async () => {
    const reseller = await world.newReseller()
    await says(reseller, '/prices', 'You haven’t set your prices yet')
    reseller.chat.press('Set prices')
    await reseller.chat.waitForText('How much do you want to add')
    await says(reseller, '+2', '✅ Saved')
    const screen = await openShop(reseller)
    await ask(reseller, screen, 'Sizes on the list', /Which network/)
    await ask(reseller, screen, 'MTN', /MTN: all sizes are on the list/)
    reseller.chat.press('✓ 2GB')
    await cardReads(world, reseller, screen, /MTN: 1 hidden/)
    await showButton(reseller, '✓ 5GB Express')
    reseller.chat.press('✓ 5GB Express')
    await cardReads(world, reseller, screen, /MTN: 2 hidden/)
    await reseller.chat.waitForButton('🚫 5GB Express · hidden')

    const { message_id: menu } = await says(reseller, '/prices MTN', 'Rule:')
    reseller.chat.press('Text')
    await reseller.chat.waitForText('What is your shop called?', { after: menu })
    reseller.chat.press('Skip')
    const list = await reseller.chat.waitForText(/^Mobile data\nData prices/, { after: menu })
    expect(list.text).toContain('\n5GB – GHS 25.50')
    expect(list.text).not.toMatch(/Express|\n2GB/)
    await says(reseller, `${newPhone()} 2GB`, asksToConfirm)

    await ask(reseller, await openShop(reseller), 'Sizes on the list', /Which network/)
    reseller.chat.press('MTN')
    await reseller.chat.waitForButton('🚫 2GB · hidden')
    reseller.chat.press('🚫 2GB · hidden')
    await reseller.chat.waitForButton('✓ 2GB')
    const { message_id: after } = await says(reseller, '/prices MTN', 'Rule:')
    reseller.chat.press('Text')
    await reseller.chat.waitForText(/\n2GB – GHS 11\.60/, { after })
  })

  test('makes the price list say why it is empty, if every size is hidden', async () => {
    const reseller = await world.newReseller()
    await says(reseller, '/prices', 'You haven’t set your prices yet')
    reseller.chat.press('Set prices')
    await reseller.chat.waitForText('How much do you want to add')
    await says(reseller, '+2', '✅ Saved')
    const screen = await openShop(reseller)
    await ask(reseller, screen, 'Sizes on the list', /Which network/)
    await ask(reseller, screen, 'BigTime', /BigTime: all sizes/)
    const sold = world.provider.bundles(reseller.account.id).filter(({ network }) => network === 'BigTime')
    for (const { id } of sold) {
      const data = `selling:hide:${id}:1:0`
      world.telegram.press({ from: reseller.id, messageId: screen.message_id, data, stale: true })
    }
    await cardReads(world, reseller, screen, new RegExp(`BigTime: ${sold.length} hidden`))
    const { message_id: menu } = await says(reseller, '/prices BigTime', 'Rule:')
    reseller.chat.press('Picture')
    await reseller.chat.waitForText('What is your shop called?', { after: menu })
    reseller.chat.press('Skip')
    await reseller.chat.waitForText('you’ve hidden every size', { after: menu })
    await reseller.chat.waitForButton('Sizes on the list')
  })
})
