// @module-tag screens
import type { Message } from 'grammy/types'
import { describe, expect } from 'vitest'
import { maxTiers } from '../../../src/shop/written-tier.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { paste } from '../lists/list-shop.ts'
import { askFor, cardReads, dataOf, inDatabase, newPhone, place, toastOf } from '../shop.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

const says = ({ chat }: Pick<Reseller, 'chat'>, text: string, answer: string | RegExp): Promise<Message> => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

/** Opens the screen of price rules by network or size. */
const openTiers = async (reseller: Reseller): Promise<Message> => {
  const { message_id } = await says(reseller, '/prices', /Set prices|Rule:|Selling prices/)
  reseller.chat.press('Set prices')
  await cardReads(world, reseller, { message_id }, /How much do you want to add/)
  reseller.chat.press('By network or size')
  return cardReads(world, reseller, { message_id }, /^Prices by network or size/)
}

/** A shop that adds 2.00 to all, 1.00 to MTN, 3.00 from 10GB, and 5% to MTN from 10GB. */
const newShop = async (): Promise<Reseller> => {
  const reseller = await world.newReseller()
  await openTiers(reseller)
  await says(reseller, 'MTN +1', '✅ Saved')
  await says(reseller, 'from 10GB +3', '✅ Saved')
  await says(reseller, 'MTN from 10GB 5%', '✅ Saved')
  await says(reseller, '/prices', 'Selling prices')
  reseller.chat.press('Set prices')
  await reseller.chat.waitForText('How much do you want to add')
  await says(reseller, '+2', '✅ Saved')
  return reseller
}

describe('price rules by network or size', () => {
  test('can be typed, are shown with examples, and can be changed, undone and removed', async () => {
    const reseller = await world.newReseller()
    const screen = await openTiers(reseller)
    expect(screen.text).toContain('Rule for all: none yet')
    const one = await says(reseller, 'mtn +1', '✅ Saved')
    expect(one.text).toContain(
      '• MTN: cost + GHS 1.00\nFor example, MTN 5GB costs you GHS 23.50, and you sell it for GHS 24.50.',
    )
    const two = await says(reseller, 'from 10GB +3', '✅ Saved')
    expect(two.text).toContain('• All from 10GB: cost + GHS 3.00\nFor example, ')
    expect(two.text).toContain('the most specific wins')
    reseller.chat.press('Undo')
    const back = await cardReads(world, reseller, two, /^Prices by network or size/)
    expect(back.text).not.toContain('from 10GB:')

    reseller.chat.press('MTN · +1.00')
    await cardReads(world, reseller, two, /^MTN\nRule: cost \+ GHS 1\.00\n/)
    const typed = await says(reseller, '10% round 0.50', '✅ Saved')
    expect(typed.text).toContain('• MTN: cost + 10%, rounded up to the next GHS 0.50')
    expect(typed.text).toContain('you sell it for GHS 26.00')
    reseller.chat.press('MTN · +10%')
    await cardReads(world, reseller, typed, /^MTN\nRule/)
    reseller.chat.press('Remove this rule')
    await cardReads(world, reseller, typed, /Rule removed[\s\S]*Rule for all: none yet/)

    reseller.chat.press('＋ BigTime')
    await cardReads(world, reseller, typed, /^BigTime\nRule: none of its own\n/)
    reseller.chat.press('+0.50')
    await cardReads(
      world,
      reseller,
      typed,
      /BigTime: cost \+ GHS 0\.50\n.*costs you GHS 18\.45, and you sell it for GHS 18\.95/,
    )
  })

  test('that make no sense are refused with the reason, and nothing changes', async () => {
    const reseller = await world.newReseller()
    await openTiers(reseller)
    for (const [wrong, why] of [
      ['+2', 'a network or a size'],
      ['hello', 'a network or a size'],
      ['MTN -2', 'give it its own price'],
      ['MTN 2,50', 'Use a point'],
      ['from 10GB', 'don’t see an amount'],
      ['MTN +1 round 500', 'Rounding must be'],
    ] as const) {
      const answer = await says(reseller, wrong, 'Nothing was changed')
      expect(answer.text).toContain(why)
    }
    for (let size = 1; size <= maxTiers; size += 1) await says(reseller, `from ${size}GB +1`, '✅ Saved')
    await says(reseller, 'MTN +1', `at most ${maxTiers} rules`)
    const full = await says(reseller, 'from 1GB +2', '✅ Saved')
    reseller.chat.press('▶')
    await cardReads(world, reseller, full, /^Prices by network or size/)
    await reseller.chat.waitForButton('All from 8GB')
  })

  test('can be undone only while no newer rule is set', async () => {
    const reseller = await world.newReseller()
    await openTiers(reseller)
    await says(reseller, 'MTN +1', '✅ Saved')
    const second = await says(reseller, 'MTN +2', '✅ Saved')
    const undo = dataOf(second, 'Undo')
    await says(reseller, 'MTN +3', '✅ Saved')
    const press = world.telegram.press({ from: reseller.id, messageId: second.message_id, data: undo })
    expect(await toastOf(world, press)).toContain('Nothing was undone')
    await reseller.chat.waitForButton('MTN · +3.00')
  })

  test('set the selling prices everywhere, and the most exact rule counts', async () => {
    const reseller = await newShop()
    const [mtn, mtnLarge] = [await askFor(reseller, newPhone()), await askFor(reseller, newPhone(), '10GB')]
    expect(mtn.text).toContain('Price: GHS 9.60 · you sell for GHS 10.60')
    expect(mtnLarge.text).toContain('Price: GHS 43.90 · you sell for GHS 46.10')
    const preview = await paste(reseller, [`${newPhone()} 2GB`, `${newPhone()} 10GB`])
    expect(preview.text).toContain('You sell for GHS 56.70 · profit GHS 3.20 when delivered')

    const { message_id: menu } = await says(reseller, '/prices', 'By network or size: 3 rules')
    reseller.chat.press('Text')
    await reseller.chat.waitForText('What is your shop called?', { after: menu })
    reseller.chat.press('Skip')
    const list = await reseller.chat.waitForText(/^Mobile data\nData prices/, { after: menu })
    expect(list.text).toMatch(/MTN\n[\s\S]*2GB – GHS 10\.60[\s\S]*10GB – GHS 46\.10[\s\S]*BigTime\n/)
    expect(list.text?.split('BigTime\n')[1]).toContain('5GB – GHS 20.45')

    const agent = await addMember(world, reseller)
    const phone = newPhone()
    const card = await askFor(agent, phone)
    expect(card.text).toContain('Price: GHS 10.60\n')
    const own = await place(world, reseller, newPhone())
    const sold = inDatabase(world, (database) =>
      database.prepare('SELECT sellUnitPesewas FROM "Order" WHERE reference = ?').get(own.reference),
    )
    expect(sold?.sellUnitPesewas).toBe(1060)
  })

  test('cannot be changed by an agent', async () => {
    const owner = await newShop()
    const agent = await addMember(world, owner)
    const menu = await says(agent, '/prices', 'Costs aren’t shown')
    expect(menu.text).not.toContain('rules by network')
    for (const data of [
      'selling:tiers',
      'selling:tier:MTN:-',
      'selling:set_tier:MTN:-:none',
      'selling:undo_tier:MTN:-:none:p100-1',
    ]) {
      const press = world.telegram.press({ from: agent.id, messageId: menu.message_id, data, stale: true })
      expect(await toastOf(world, press)).toContain('Only the owner')
    }
    await openTiers(owner)
    await owner.chat.waitForButton('MTN · +1.00')
  })
})
