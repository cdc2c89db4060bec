// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { type Operator, operatorId, operatorOf } from '../operating/operator.ts'
import {
  askFor,
  cardReads,
  dataOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
  toastOf,
} from '../shop.ts'

/** Ported numbers, the map of prefixes, and networks that are down. */

let world: World
let operator: Operator

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
  operator = operatorOf(world)
})
afterAll(() => world?.close())

const says = ({ chat }: Reseller, text: string, awaited: string | RegExp) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(awaited, { after })
}

const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

const cancel = async ({ chat }: Reseller): Promise<void> => {
  chat.press('Cancel')
  await chat.waitForText('cancelled')
}

describe('a number that a person keeps on another network than its prefix’s', () => {
  test('is on that network for the whole account until an owner resets it', async () => {
    const owner = await world.newReseller()
    const phone = newPhone('020')
    await says(owner, `${phone} 2GB MTN`, 'looks like Telecel')
    owner.chat.press('Keep MTN')
    await owner.chat.waitForText(asksToConfirm)
    await cancel(owner)
    // Although nothing was ordered, the number's network is remembered for all members of the account.
    await says(owner, `${phone} 2GB MTN`, asksToConfirm)
    const agent = await addMember(world, owner)
    const bare = await says(agent, `${phone} 2GB`, asksToConfirm)
    expect(bare.text).toContain('MTN 2GB')
    const stranger = await world.newReseller()
    await says(stranger, `${phone} 2GB MTN`, 'looks like Telecel')

    const book = await says(agent, '/customers', /./)
    expect(JSON.stringify(book.reply_markup)).not.toContain('Kept numbers')
    const data = `customers:forget_kept:${phone}`
    const press = world.telegram.press({ from: agent.id, messageId: book.message_id, data, stale: true })
    expect(await toastOf(world, press)).not.toContain('Forgotten')
    await says(owner, '/customers', /./)
    owner.chat.press('Kept numbers (1)')
    await owner.chat.waitForText('I don’t ask about their network')
    owner.chat.press(`🗑 ${phone} · MTN`)
    await owner.chat.waitForText(/Kept numbers\nNone yet\./)
    await says(owner, `${phone} 2GB MTN`, 'looks like Telecel')
  })

  test('leads to no more questions in a list', async () => {
    const owner = await world.newReseller()
    const list = `${newPhone('020')} 2GB MTN\n${newPhone()} 2GB`
    await says(owner, list, 'looks like Telecel')
    owner.chat.press('Keep MTN')
    const kept = await owner.chat.waitForText('2 to order')
    const { id } = world.telegram.press({
      from: owner.id,
      messageId: kept.message_id,
      data: dataOf(kept, 'Cancel'),
    })
    await toastOf(world, { id })
    const again = await says(owner, list, '2 to order')
    expect(again.text).not.toContain('looks like Telecel')
  })
})

describe('the operators’ map of prefixes', () => {
  test('can be changed by a typed line, undone and reset, with security events', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone('025').replace(/^0251/, '0256')
    const map = await operator.go(['Networks', 'First digits'], 'First digits of numbers')
    expect(map.text).toContain('MTN: 024, 025, 053, 054, 055, 059')
    await operator.press('Change one', 'Move first digits to another network')
    for (const [line, why] of [
      ['12 MTN', '12 isn’t how a mobile number begins'],
      ['0256 Foo', 'don’t know a network called Foo'],
      ['MTN', 'I need the first digits and a network'],
    ] as const) {
      const { message_id: after } = operator.chat.say(line)
      const answer = await operator.chat.waitForText(why, { after })
      expect(answer.text).toContain('Nothing was changed')
    }
    operator.chat.say('0256 Telecel')
    const changed = await operator.chat.waitForText('✅ 0256: Telecel.')
    expect(changed.text).toContain('Telecel: 020, 0256 ✏️, 050')
    await says(reseller, `${phone} 2GB MTN`, 'looks like Telecel')
    await operator.press('Undo', '✅ 0256: default.')
    await says(reseller, `${phone} 2GB MTN`, asksToConfirm)

    await operator.press('Change one', 'Move first digits to another network')
    operator.chat.say('0256 none')
    await operator.chat.waitForText('✅ 0256: none.')
    const asked = await says(reseller, `${phone} 2GB`, 'belongs to a network I don’t sell')
    expect(asked.text).toContain(phone)
    await operator.press('Reset to default', /First digits of numbers(?![\s\S]*✏️)/)
    const kinds = inDatabase(world, (db) =>
      db.prepare('SELECT kind, detail FROM SecurityEvent ORDER BY id').all(),
    )
    expect(kinds.filter(({ kind }) => kind === 'prefix_changed').map(({ detail }) => detail)).toEqual([
      '0256 Telecel',
      '0256 default',
      '0256 none',
      'default',
    ])
  })
})

describe('when an operator marks a network as down', () => {
  test('it takes no new orders, which cards and lists show, until an operator marks it as back', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const before = await askFor(reseller, newPhone())
    const first = await place(world, reseller, phone)
    const waiting = await order(reseller, phone)
    await cardReads(world, reseller, waiting, /this number has an open order/)

    await operator.go(['Networks', '📴 Mark MTN as down', 'Confirm: MTN is down'], /📴 MTN: down since/)
    await operator.chat.say('/admin')
    await operator.chat.waitForText('Down: MTN')
    const card = await says(reseller, `${newPhone()} 2GB`, 'Your order, not confirmed yet')
    const isDown =
      /📴 MTN has been down since \d\d:\d\d\. Nothing has been charged\. I’ll tell you when it’s back/
    expect(card.text).toMatch(isDown)
    expect(labelsOf(card).slice(0, 2)).toEqual(['🔄 Refresh', '❌ Cancel'])
    const press = (on: Message, label: string) =>
      toastOf(
        world,
        world.telegram.press({
          from: reseller.id,
          messageId: on.message_id,
          data: dataOf(on, label),
          stale: true,
        }),
      )
    // A card from before the network was down keeps its Confirm button until somebody presses it.
    expect(await press(before, 'Confirm')).toContain('📴 MTN is down, so nothing new was ordered.')
    expect(labelsOf(await cardReads(world, reseller, before, isDown))).not.toContain('✅ Confirm')

    // This order waited for an earlier order for the number. When that has ended, it waits for the network.
    world.provider.setStatus(first.reference, 'delivered')
    await cardReads(world, reseller, waiting, /Waiting: MTN is down\. Not sent, not charged/)
    expect(postsFor(world, phone)).toHaveLength(1)

    const [down, up] = [newPhone(), newPhone('020')]
    const lister = await world.newReseller()
    const list = await says(lister, `${down} 2GB\n${up} 2GB`, /MTN is down: 1 number left out for now/)
    expect(JSON.stringify(list.reply_markup)).toContain('Confirm 1 ')
    lister.chat.press('Confirm 1')
    const left = await lister.chat.waitForText('📌 From your list', { after: list.message_id })
    await world.until(() => ordersFor(world, up).length === 1, 'the order of the other network')
    expect(ordersFor(world, down)).toEqual([])

    await operator.go(['Networks', '✅ MTN is back'], /✅ MTN: open/)
    await world.until(() => ordersFor(world, phone).length === 2, 'the order that waited')
    await cardReads(world, lister, left, /MTN 2GB × 1 = /)
    const news = await lister.chat.waitForText('✅ MTN is back.', { after: left.message_id })
    lister.chat.press('Open order')
    await lister.chat.waitForText('📌 From your list', { after: news.message_id })
    for (const each of [before, card]) {
      const back = await cardReads(world, reseller, each, /Confirm this order\?/)
      expect(labelsOf(back)).toContain('✅ Confirm')
      expect(await press(back, 'Confirm')).toBe('Confirmed')
      await cardReads(world, reseller, each, /processing/)
    }
  }, 240_000)

  test('no order of a list that was previewed before is sent', async () => {
    const reseller = await world.newReseller()
    const phones = [newPhone(), newPhone('020')]
    const list = await says(reseller, `${phones[0]} 2GB\n${phones[1]} 2GB`, '2 to order')
    await operator.go(['Networks', '📴 Mark MTN as down', 'Confirm: MTN is down'], /📴 MTN: down since/)
    const press = world.telegram.press({
      from: reseller.id,
      messageId: list.message_id,
      data: dataOf(list, 'Confirm 2'),
    })
    expect(await toastOf(world, press)).toContain('MTN is down')
    await cardReads(world, reseller, list, /MTN is down: 1 number left out for now/)
    expect(phones.flatMap((phone) => postsFor(world, phone))).toEqual([])
    await operator.go(['Networks', '✅ MTN is back'], /✅ MTN: open/)
    const kinds = inDatabase(world, (db) => db.prepare('SELECT kind FROM SecurityEvent').all())
    expect(kinds.filter(({ kind }) => kind === 'network_down')).toHaveLength(2)
  })
})
