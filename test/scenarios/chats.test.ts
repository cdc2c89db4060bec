import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatOf } from '../../src/sandbox/index.ts'
import { copyKey } from '../../src/telegram/features/connecting/words.ts'
import { helpTitle } from '../../src/telegram/features/home/help-words.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import { askFor, cardReads, newPhone, order, ordersFor, place, postsFor, toastOf } from './shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { limits: { perMinute: 1_000, perHour: 1_000, perDay: 5_000 } } })
})
afterAll(() => world?.close())

const placeElsewhere = async ({ account }: Reseller, phone: string): Promise<void> => {
  const answer = await fetch(`${world.provider.url}/order`, {
    method: 'POST',
    headers: {
      'x-api-key': account.apiKey,
      'x-api-secret': account.apiSecret,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ bundle_id: 1, phone }),
  })
  expect(answer.status).toBe(201)
}

describe.concurrent('a group', () => {
  test('can look up and follow orders, but accepts neither secrets nor orders', async () => {
    const reseller = await world.newReseller()
    const placed = await place(world, reseller, newPhone())
    const group = world.telegram.addGroup({ title: 'Customers', members: [reseller.id] }).id
    const chat = chatOf(world.telegram, reseller.id, group)
    const asked = () =>
      world.provider.requests().filter(({ accountId }) => accountId === reseller.account.id).length
    const before = asked()
    const key = reseller.account.apiKey
    chat.say(`/connect ${key} ${reseller.account.apiSecret}`)
    await chat.waitForText('Everybody in this group can read that. I stored nothing. Delete your message')
    chat.say(`/buy ${newPhone()} 2GB`)
    await chat.waitForText('In groups, I only respond to /status')
    const { message_id: after } = chat.say(`/status ${placed.reference}`)
    const card = await chat.waitForText('Status: processing', { after })
    expect(card.text).not.toContain(placed.phones[0]?.phone)
    expect(card.text).not.toMatch(/GHS \d/)
    const data = 'orders:0'
    const press = world.telegram.press({
      from: reseller.id,
      chat: group,
      messageId: card.message_id,
      data,
      stale: true,
    })
    expect(await toastOf(world, press)).toContain('In groups, I only respond to /status')
    expect(asked()).toBe(before)
    chat.press('Follow')
    await cardReads(world, { id: group }, card, /I’ll tell you here when it arrives/)
    world.provider.setStatus(placed.reference, 'delivered')
    await world.telegram.waitFor(
      () => world.telegram.messages(group).some(({ text }) => /✅ .*: delivered/.test(text ?? '')),
      { message: 'Waiting for the group to be told' },
    )
  }, 240_000)
})

describe.concurrent('a reseller', () => {
  test('gets the current balance from /balance and from its Refresh button', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    for (let count = 0; count < 9; count += 1) await placeElsewhere(reseller, newPhone())
    chat.say('/balance')
    const balance = await chat.waitForText('Balance: GHS 456.80')
    expect(balance.text).toContain('Account type: agent')
    world.provider.setAccount(account.id, { balancePesewas: -105 })
    chat.press('Refresh')
    await cardReads(world, reseller, balance, /Balance: -GHS 1\.05/)
  })

  test('opens each topic of /help and goes back, while a stranger reads only how to connect', async () => {
    const { chat } = await world.newReseller()
    chat.say('/help')
    const menu = await chat.waitForText(helpTitle)
    for (const [topic, told] of [
      ['🏷 Selling', '/prices'],
      ['Problems', 'don’t order again'],
    ] as const) {
      chat.press(topic)
      expect((await chat.waitForText(told)).message_id).toBe(menu.message_id)
      chat.press('Back')
      await chat.waitForText(helpTitle)
    }
    const stranger = world.newPerson()
    stranger.chat.say('/help')
    const words = await stranger.chat.waitForText(helpTitle)
    expect(words.text).toContain('/connect')
    expect(words.text).not.toContain('/buy')
  })

  test('sees bundles by network in /bundles, and is asked again about an unknown network', async () => {
    const { chat } = await world.newReseller()
    chat.say('/bundles')
    const all = await chat.waitForText('BigTime')
    for (const network of ['MTN', 'Telecel', 'AirtelTigo']) expect(all.text).toContain(network)
    expect(all.text).toContain('5GB Express · GHS 25.45')
    expect(all.text).toMatch(/^📋 What you pay for bundles\nSet selling prices.*\/prices/)
    for (const word of ['telecel', ' TELECEL ', 'Vodafone']) {
      const { message_id: after } = chat.say(`/bundles ${word}`)
      const filtered = await chat.waitForText('15GB · GHS 60.10', { after })
      expect(filtered.text).not.toContain('MTN')
    }
    const { message_id: after } = chat.say('/bundles <b>nobody</b>')
    await chat.waitForText('I don’t know the network <b>nobody</b>', { after })
    chat.press('AirtelTigo')
    await chat.waitForText('10MB · GHS 0.10')
  })
})

describe.concurrent('a message that the bot cannot use', () => {
  test('is answered with advice on what to do instead', async () => {
    const reseller = await world.newReseller()
    const { chat, id } = reseller
    const phone = newPhone()
    chat.say('/nonsense')
    await chat.waitForText('I don’t know that command. To see what I can do: /help.')
    const dataBase64 = Buffer.from('picture').toString('base64')
    const { message_id: after } = world.telegram.drop({
      from: id,
      name: 'cat.png',
      mime: 'image/png',
      dataBase64,
    })
    await chat.waitForText('I found no list in that file. Nothing was ordered.', { after })
    const stranger = world.newPerson()
    stranger.chat.say(`${phone} 2GB`)
    await stranger.chat.waitForText('That needs an account: /connect')
    stranger.chat.press('Connect an account')
    await stranger.chat.waitForText(copyKey)
    expect(postsFor(world, phone)).toHaveLength(0)
  })
})

describe('a slow provider', () => {
  test('delays nobody else, and Confirm is answered while the provider hangs', async () => {
    const [slow, quick] = [await world.newReseller(), await world.newReseller()]
    await askFor(quick, newPhone())
    const phone = newPhone()
    await askFor(slow, phone)
    world.provider.addFault({ kind: 'hang', path: '/order' })
    const press = slow.chat.press('Confirm')
    expect(await toastOf(world, press)).toBe('Confirmed')
    await world.until(() => postsFor(world, phone).length === 1, 'the provider has the request')
    expect(postsFor(world, phone)[0]?.status).toBeNull()
    slow.chat.say('/balance')
    await slow.chat.waitForText('Balance: GHS 500.00\nAs of')

    world.provider.addFault({ kind: 'hang', path: '/wallet/balance' })
    slow.chat.say('/balance')
    await world.until(
      () => world.provider.requests().at(-1)?.path === '/wallet/balance',
      'the balance is asked for',
    )
    const { message_id: after } = slow.chat.say('/help')
    await slow.chat.waitForText(helpTitle, { after })
    const other = newPhone()
    const card = await order(quick, other)
    await cardReads(world, quick, card, /processing[\s\S]*BUD-API-/)
    expect(ordersFor(world, other)).toHaveLength(1)
    expect(postsFor(world, phone)[0]?.status).toBeNull()
    await world.telegram.waitFor(
      () => world.telegram.calls('sendChatAction').some(({ payload }) => Number(payload.chat_id) === slow.id),
      { message: 'Waiting for the typing indicator' },
    )
  })
})
