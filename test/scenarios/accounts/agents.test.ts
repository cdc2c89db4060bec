import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { needAccount } from '../../../src/telegram/words/unusable.ts'
import { earlyEnoughToday } from '../../support/day.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
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
import { accountIdOf, joinBy, letAgentsSee } from './members.ts'

let world: World
const worlds = {
  get: () => world,
  set: (other: World) => {
    world = other
  },
}

beforeAll(async () => {
  world = await createWorld({
    settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 } },
  })
})
beforeEach(earlyEnoughToday)
afterAll(() => world?.close())

/** The current texts of the owner's messages. */
const textsOf = ({ chat }: Reseller): string => chat.texts().join('\n——\n')

/** Makes an invitation. @returns the link that the owner gets. */
const invite = async (owner: Reseller): Promise<string> => {
  const { message_id: after } = owner.chat.say('/agents')
  await owner.chat.waitForText('Agents', { after })
  owner.chat.press('✉️ Invite')
  const message = await owner.chat.waitForText(invitationTitle, { after })
  const url = /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(message.text ?? '')?.[0]
  if (!url) throw new Error(`There is no link in ${message.text}`)
  return url
}

/** Shows the owner their open invitations. */
const showInvitations = async (owner: Reseller): Promise<void> => {
  const { message_id: after } = owner.chat.say('/agents')
  const list = await owner.chat.waitForText('Agents', { after })
  await pressOn(owner, list, 'More')
  await pressOn(owner, list, 'Invitations')
}

/** Somebody who has accepted an invitation: they order with the owner's account. */
const newAgent = async (owner: Reseller, name = 'Ama'): Promise<Reseller> => {
  const { id } = world.telegram.addPerson({ first_name: name })
  const chat = chatOf(world.telegram, id)
  await joinBy(world, { id, chat }, await invite(owner))
  await chat.waitForText(orderNowPhrase)
  return { id, chat, account: owner.account }
}

/** Presses that button of that message as soon as it is there. */
const pressOn = async (person: Reseller, { message_id }: Message, label: string): Promise<string> => {
  const message = await world.telegram.waitFor(
    () => {
      const found = world.telegram.messages(person.id).find((each) => each.message_id === message_id)
      const labels = found?.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []
      return labels.some((text) => text.includes(label)) && found
    },
    { message: `Waiting for the button “${label}”` },
  )
  return toastOf(world, pressData(person, message_id, dataOf(message, label)))
}

/** The owner opens the agent's card and presses buttons on it. */
const pressOnCardOf = async (owner: Reseller, name: string, ...labels: string[]): Promise<Message> => {
  const { message_id: after } = owner.chat.say('/agents')
  const list = await owner.chat.waitForText('Agents', { after })
  await pressOn(owner, list, name)
  await cardReads(world, owner, list, /Agent since/)
  for (const label of labels) await pressOn(owner, list, label)
  return list
}

const pressData = (person: { id: number }, messageId: number, data: string) =>
  world.telegram.press({ from: person.id, messageId, data, stale: true })

const memberOf = ({ id }: { id: number }) =>
  inDatabase(world, (db) => db.prepare('SELECT * FROM Member WHERE userId = ?').get(id))

describe('an invitation', () => {
  test('makes exactly one person an agent, and the owner and the agent are told', async () => {
    const owner = await world.newReseller()
    const url = await invite(owner)
    const [ama, thief] = [world.newPerson(), world.newPerson()]
    await joinBy(world, ama, url)
    const welcome = await ama.chat.waitForText(orderNowPhrase)
    expect(welcome.text).toContain('Left today: GHS 100.00 of GHS 100.00')
    await owner.chat.waitForText('accepted your invitation')
    world.telegram.openLink(thief.id, url)
    await thief.chat.waitForText('Somebody has already used this invitation')
    expect(memberOf(thief)).toBeUndefined()
    const again = world.telegram.openLink(ama.id, url)
    await ama.chat.waitForText('You can already order with this wallet', { after: again.message_id })
    const commands = world.telegram.chat(ama.id).commands.map(({ command }) => command)
    expect(commands).toContain('customers')
    expect(commands).not.toContain('agents')
  })

  test('names the shop and what joining means, and makes nobody an agent before they press Join', async () => {
    const owner = await world.newReseller()
    await changeDatabase(world, (db) =>
      db
        .prepare('INSERT INTO Shop (accountId, name) VALUES (?, ?)')
        .run(accountIdOf(world, owner), 'Ama Data'),
    )
    const guest = world.newPerson()
    const url = await invite(owner)
    world.telegram.openLink(guest.id, url)
    const asked = await guest.chat.waitForText('Join as an agent?')
    expect(asked.text).toContain('Ama Data (name given by the shop) has invited you to order with its wallet')
    expect(asked.text).toContain('The owner will see your orders and the numbers in them')
    expect(asked.text).toContain('If you didn’t expect this')
    guest.chat.press('Don’t join')
    await cardReads(world, guest, asked, /Nothing changed/)
    expect(memberOf(guest)).toBeUndefined()
    expect(textsOf(owner)).not.toContain('accepted your invitation')
    await joinBy(world, guest, url)
    await guest.chat.waitForText(orderNowPhrase)
    expect(memberOf(guest)).toMatchObject({ role: 'agent' })
  })

  test('cannot be made while ten are open, and one press revokes all ten', async () => {
    const owner = await world.newReseller()
    const urls: string[] = []
    for (let count = 0; count < 10; count += 1) urls.push(await invite(owner))
    const { message_id: after } = owner.chat.say('/agents')
    await owner.chat.waitForText(/10 invitations are open/, { after })
    expect(await toastOf(world, owner.chat.press('✉️ Invite'))).toContain(
      'You already have 10 open invitations',
    )
    await owner.chat.waitForButton('Revoke all')
    expect(await toastOf(world, owner.chat.press('Revoke all'))).toContain('Revoked 10 invitations.')
    const guest = world.newPerson()
    world.telegram.openLink(guest.id, urls[9] ?? '')
    await guest.chat.waitForText('This invitation has been revoked')
    await joinBy(world, guest, await invite(owner))
    await guest.chat.waitForText(orderNowPhrase)
  })

  test('is listed with four others even if 110 are open, and one press revokes all', async () => {
    const owner = await world.newReseller()
    const accountId = accountIdOf(world, owner)
    await changeDatabase(world, (db) => {
      const insert = db.prepare(
        'INSERT INTO Invitation (tokenHash, createdBy, accountId, createdAt, expiresAt) VALUES (?, ?, ?, ?, ?)',
      )
      const [now, later] = [Date.now(), Date.now() + 3_600_000].map((ms) => new Date(ms).toISOString())
      for (let count = 0; count < 110; count += 1) {
        const hash = `${owner.id}-${count}-of-many-invitations`
        insert.run(hash, owner.id, accountId, now ?? '', later ?? '')
      }
    })
    await showInvitations(owner)
    const list = await owner.chat.waitForText(/5\. Good until .*\n… and 105 more/)
    expect(list.reply_markup?.inline_keyboard.flat().length).toBeLessThanOrEqual(8)
    expect(await toastOf(world, owner.chat.press('Revoke all'))).toContain('Revoked 110 invitations.')
  })

  test('makes nobody an agent if it is no longer valid or if its owner opens it', async () => {
    const owner = await world.newReseller()
    const guest = world.newPerson()
    const open = async (url: string, says: string) => {
      const { message_id: after } = world.telegram.openLink(guest.id, url)
      await guest.chat.waitForText(says, { after })
      expect(memberOf(guest)).toBeUndefined()
    }
    const own = await invite(owner)
    world.telegram.openLink(owner.id, own)
    await owner.chat.waitForText('This invitation is for your own wallet')
    await showInvitations(owner)
    await owner.chat.waitForButton('Revoke 1')
    expect(await toastOf(world, owner.chat.press('Revoke 1'))).toContain('Revoked')
    await open(own, 'This invitation has been revoked')

    const late = await invite(owner)
    await changeDatabase(world, (db) =>
      db.prepare('UPDATE Invitation SET expiresAt = ? WHERE usedAt IS NULL').run(new Date(0).toISOString()),
    )
    await open(late, 'This invitation has expired')
    await open(`${late.slice(0, -4)}AAAA`, 'I don’t recognise this invitation')

    const lost = await invite(owner)
    const { message_id: after } = owner.chat.say('/disconnect')
    await owner.chat.waitForText('Remove your account', { after })
    owner.chat.press('Confirm')
    await owner.chat.waitForText('Disconnected')
    await open(lost, 'being removed')
  })

  test('can be revoked on its own message, and can be opened by pasting its link into the chat', async () => {
    const owner = await world.newReseller()
    const [lost, good] = [await invite(owner), await invite(owner)]
    const message = world.telegram.messages(owner.id).find(({ text }) => text?.includes(lost))
    if (!message) throw new Error('The invitation is gone.')
    expect(await pressOn(owner, message, 'Revoke')).toContain('no longer works')
    await cardReads(world, owner, message, /Open invitations/)
    const guest = world.newPerson()
    const { message_id: after } = guest.chat.say(lost)
    await guest.chat.waitForText('This invitation has been revoked', { after })
    guest.chat.say(`Ama sends you this: ${good}`)
    await guest.chat.waitForButton('Join')
    expect(memberOf(guest)).toBeUndefined()
    guest.chat.press('Join')
    await guest.chat.waitForText(orderNowPhrase)
    expect(memberOf(guest)).toMatchObject({ role: 'agent' })
  })

  test('tells another owner to disconnect first, and moves another’s agent only after Join', async () => {
    const [owner, other] = [await world.newReseller(), await world.newReseller()]
    world.telegram.openLink(other.id, await invite(owner))
    await other.chat.waitForText('/disconnect first')
    expect(memberOf(other)).toMatchObject({ role: 'owner' })

    const agent = await newAgent(owner)
    world.telegram.openLink(agent.id, await invite(other))
    await agent.chat.waitForText(/Join as an agent\?[\s\S]*If you join, you’ll lose access to it/)
    const before = memberOf(agent)
    agent.chat.press('Don’t join')
    await agent.chat.waitForText('Nothing changed')
    expect(memberOf(agent)).toEqual(before)
    await joinBy(world, agent, await invite(other))
    await owner.chat.waitForText('left and is no longer your agent')
    await other.chat.waitForText('accepted your invitation')
    expect(memberOf(agent)?.accountId).not.toBe(before?.accountId)
  })

  describe('accepted just before the bot is killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { crashable: true })

    test('makes one agent, and owner and agent are told after the start', async () => {
      const owner = await world.newReseller()
      const guest = world.newPerson()
      const url = await invite(owner)
      await world.bot.crashAt({ at: 'invitation_accepted' })
      await joinBy(world, guest, url)
      expect(await world.bot.died()).toBe('SIGKILL')
      expect(guest.chat.texts().join()).not.toContain(orderNowPhrase)
      await world.bot.start()
      await guest.chat.waitForText(orderNowPhrase)
      await owner.chat.waitForText('accepted your invitation')
      expect(memberOf(guest)).toMatchObject({ role: 'agent' })
    })
  })
})

describe('an agent’s daily limit', () => {
  test('holds under twenty presses at the same time, and only the orders that fit are charged', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await letAgentsSee(world, owner, 'cost')
    await pressOnCardOf(owner, 'Ama', 'Limit')
    owner.chat.say('70')
    await owner.chat.waitForText('Used today: GHS 0.00 of GHS 70.00')
    const drafts: Message[] = []
    const phones = Array.from({ length: 20 }, () => newPhone())
    for (const phone of phones) drafts.push(await askFor(agent, phone))
    expect(drafts[0]?.text).toContain('Left today: GHS 70.00 of GHS 70.00')
    const presses = drafts.map((card) => pressData(agent, card.message_id, dataOf(card, 'Confirm')))
    const toasts = await Promise.all(presses.map((press) => toastOf(world, press)))
    const refused = toasts.filter((toast) => toast.includes('You have GHS 2.80 left of GHS 70.00 today'))
    expect(refused).toHaveLength(13)
    await world.until(() => debitsOf(world, owner).length === 7, 'the debits of what fits')
    await world.provider.idle()
    expect(debitsOf(world, owner)).toHaveLength(7)
    // The refused order is still a draft and can be confirmed once the owner allows it.
    const left = drafts.find((_, index) => toasts[index]?.startsWith('This costs'))
    if (!left) throw new Error('None was refused.')
    await cardReads(world, agent, left, /Left today: GHS 2\.80 of GHS 70\.00[\s\S]*more than you have left/)
    await pressOnCardOf(owner, 'Ama', 'Limit', 'No limit')
    pressData(agent, left.message_id, dataOf(left, 'Confirm'))
    await world.until(() => debitsOf(world, owner).length === 8, 'the debit of one more')
  }, 240_000)

  test('counts lists and single orders, and a list above the limit offers to send the numbers that fit', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await letAgentsSee(world, owner, 'cost')
    await pressOnCardOf(owner, 'Ama', 'Limit', 'GHS 50')
    const lines = Array.from({ length: 4 }, () => `${newPhone()} 2GB`).join('\n')
    agent.chat.say(lines)
    const list = await agent.chat.waitForText('Left today: GHS 50.00 of GHS 50.00')
    expect(list.text).not.toContain('Balance')
    const single = await askFor(agent, newPhone())
    const other = await askFor(agent, newPhone())
    const presses = [list, single, other].map((card) =>
      pressData(agent, card.message_id, dataOf(card, 'Confirm')),
    )
    const toasts = await Promise.all(presses.map((press) => toastOf(world, press)))
    expect(toasts.filter((toast) => toast.includes('left of GHS'))).toHaveLength(1)
    await world.until(
      () => debitsOf(world, owner).reduce((sum, { amountPesewas }) => sum + amountPesewas, 0) >= 4_800,
      'the debits of what fits',
    )
    await world.provider.idle()
    const spent = debitsOf(world, owner).reduce((sum, { amountPesewas }) => sum + amountPesewas, 0)
    expect(spent).toBe(4_800)

    agent.chat.say(Array.from({ length: 3 }, () => `${newPhone()} 100MB`).join('\n'))
    await agent.chat.waitForText('Left today: GHS 2.00 of GHS 50.00')
    agent.chat.say(`${newPhone()} 100MB\n${newPhone()} 100MB\n${newPhone()} 100MB\n${newPhone()} 100MB`)
    await agent.chat.waitForText('More than you have left today')
    const fits = await agent.chat.waitForButton('Cut to what fits')
    expect(fits.label).toContain('3')
  }, 240_000)

  test('is not used up by a refused order, and the refusal does not show the balance', async () => {
    const owner = await world.newReseller(900)
    const agent = await newAgent(owner)
    const card = await order(agent, newPhone())
    const refused = await cardReads(world, agent, card, /doesn’t have enough/)
    expect(refused.text).not.toContain('GHS 9.00')
    agent.chat.say('/balance')
    await agent.chat.waitForText('Left today: GHS 100.00 of GHS 100.00')
  })
})

describe('an owner', () => {
  test('can pause an agent or forbid a network, and then the agent’s orders are refused', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const phone = newPhone()
    const card = await askFor(agent, phone)
    const confirm = () => toastOf(world, pressData(agent, card.message_id, dataOf(card, 'Confirm')))
    await pressOnCardOf(owner, 'Ama', 'Pause')
    await agent.chat.waitForText('You’re paused, so you can’t order now')
    expect(await confirm()).toContain('You’re paused')
    for (const begin of ['/buy', '/bulk', `${newPhone()} 2GB`, `${newPhone()} 2GB\n${newPhone()} 2GB`]) {
      const { message_id: after } = agent.chat.say(begin)
      await agent.chat.waitForText('You’re paused, so nothing new was ordered', { after })
    }
    await pressOnCardOf(owner, 'Ama', 'Resume', 'More', 'Networks', 'MTN')
    await agent.chat.waitForText('You can order again')
    expect(await confirm()).toContain('You can’t order MTN. Allowed: Telecel')
    expect(placementOf(world, phone)).toEqual([])
    await pressOnCardOf(owner, 'Ama', 'More', 'Networks', 'MTN')
    await confirm()
    await world.until(() => ordersFor(world, phone).length === 1, 'the order')
    await pressOnCardOf(owner, 'Ama', 'Orders')
    await owner.chat.waitForText('Ama’s orders')
  }, 240_000)

  test('can forbid an agent a network, which is no longer offered and is left out of lists', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const { message_id: before } = agent.chat.say('/buy')
    const open = await agent.chat.waitForText('Which network?', { after: before })
    await pressOnCardOf(owner, 'Ama', 'More', 'Networks', 'Telecel')
    expect(await pressOn(agent, open, 'Telecel')).toContain('You can’t order Telecel. Allowed: MTN')
    for (const begin of ['/buy', '/bulk']) {
      const { message_id: after } = agent.chat.say(begin)
      const { reply_markup } = await agent.chat.waitForText(/[Ww]hich network\?/, { after })
      expect(JSON.stringify(reply_markup)).toContain('AirtelTigo')
      expect(JSON.stringify(reply_markup)).not.toContain('Telecel')
    }
    const single = agent.chat.say('0201234567 2GB')
    await agent.chat.waitForText(/Confirm this order\?[\s\S]*You can’t order Telecel/, {
      after: single.message_id,
    })

    const phones = [newPhone(), newPhone()]
    const list = agent.chat.say(`${phones[0]} 2GB\n0201234567 2GB\n${phones[1]} 2GB`)
    const preview = await agent.chat.waitForText(/Left out: 1 number on Telecel, which you can’t order/, {
      after: list.message_id,
    })
    expect(preview.text).toContain('Allowed: MTN, AirtelTigo, BigTime')
    await pressOn(agent, preview, 'Confirm 2')
    await world.until(() => phones.every((phone) => ordersFor(world, phone).length > 0), 'the two orders')
    expect(ordersFor(world, '0201234567')).toHaveLength(0)
  }, 240_000)

  test('can forbid a network while an agent’s list is open, and the agent can confirm the rest of the list', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const phone = newPhone()
    const { message_id: after } = agent.chat.say(`${phone} 2GB\n0201234567 2GB`)
    const preview = await agent.chat.waitForText(/2 to order/, { after })
    await pressOnCardOf(owner, 'Ama', 'More', 'Networks', 'Telecel')
    expect(await pressOn(agent, preview, 'Confirm 2')).toContain('You can’t order Telecel')
    await cardReads(world, agent, preview, /Left out: 1 number on Telecel/)
    await pressOn(agent, preview, 'Confirm 1')
    await world.until(() => ordersFor(world, phone).length === 1, 'the order')
    expect(ordersFor(world, '0201234567')).toHaveLength(0)
  }, 240_000)

  test('can choose which prices an agent sees from their next card on', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const see = async (label: string) => {
      const { message_id: after } = owner.chat.say('/agents')
      const list = await owner.chat.waitForText('Agents', { after })
      await pressOn(owner, list, 'More')
      await pressOn(owner, list, 'What agents see')
      await cardReads(world, owner, list, /Which prices do agents see\?/)
      await pressOn(owner, list, label)
      await cardReads(world, owner, list, new RegExp(`Now: ${label.toLowerCase()}\\.`))
    }
    const priceOf = async () => /^Price: .*$/m.exec((await askFor(agent, newPhone())).text ?? '')?.[0]
    expect(await priceOf()).toBe('Price: – (ask the owner)')
    await see('What you pay')
    expect(await priceOf()).toBe('Price: GHS 9.60')
    await see('Your selling prices')
    owner.chat.say('/prices')
    await owner.chat.waitForButton('Set prices')
    owner.chat.press('Set prices')
    await owner.chat.waitForText('How much do you want to add')
    owner.chat.say('+2')
    await owner.chat.waitForText('Saved')
    expect(await priceOf()).toBe('Price: GHS 11.60')
    await see('No prices')
    expect(await priceOf()).toBe('Price: – (ask the owner)')

    // If the bot said how many of these orders fit the limit, the agent could compute what one costs.
    await pressOnCardOf(owner, 'Ama', 'Limit', 'GHS 50')
    const numbers = Array.from({ length: 6 }, () => newPhone())
    const { message_id: after } = agent.chat.say(numbers.map((phone) => `${phone} 2GB`).join('\n'))
    const list = await agent.chat.waitForText('More than you have left today', { after })
    expect(list.text).toContain('Send fewer numbers, or ask the owner for a higher limit')
    expect(JSON.stringify(list.reply_markup)).not.toMatch(/Cut to what fits|Confirm/)
  }, 240_000)

  test('is the only person who can manage their agents', async () => {
    const [owner, stranger] = [await world.newReseller(), await world.newReseller()]
    const agent = await newAgent(owner)
    const before = memberOf(agent)
    agent.chat.say('/agents')
    await agent.chat.waitForText('Only the account’s owner can have agents')
    for (const who of [agent, stranger]) {
      for (const act of ['set_limit:none', 'pause:1', 'set_tell:nothing', 'remove_sure', 'network:MTN:0']) {
        const [name, ...rest] = act.split(':')
        const data = ['agents', name, agent.id, ...rest].join(':')
        const message = who.chat.last()
        await toastOf(world, pressData(who, message?.message_id ?? 0, data))
      }
    }
    expect(memberOf(agent)).toEqual(before)
  })

  test('can choose to hear of every order of an agent, of deliveries, of problems, or of nothing', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const heard = (phone: string) =>
      owner.chat.texts().filter((text) => /Ama ordered|Ordered by Ama/.test(text) && text.includes(phone))
    const run = async (level: string, end: 'delivered' | 'failed') => {
      await pressOnCardOf(owner, 'Ama', 'More', 'Tell me', level)
      const placed = await place(world, agent, newPhone())
      const phone = placed.phones[0]?.phone ?? ''
      world.provider.setStatus(placed.reference, end)
      await agent.chat.waitForText(new RegExp(`${phone}[\\s\\S]*: ${end}|for ${phone}: ${end}`))
      await world.until(
        () => inDatabase(world, (db) => db.prepare('SELECT COUNT(*) AS n FROM Notice').get())?.n === 0,
        'the outbox to be empty',
      )
      return heard(phone)
    }
    expect(await run('Nothing', 'failed')).toEqual([])
    expect(await run('Problems', 'delivered')).toEqual([])
    expect((await run('Problems', 'failed')).join()).toContain('failed')
    const ends = await run('Deliveries', 'delivered')
    expect(ends).toHaveLength(1)
    expect(ends[0]).toContain('delivered')
    expect(await run('Each order', 'delivered')).toHaveLength(2)
  }, 240_000)

  test('gets a single message about an agent’s whole list', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await pressOnCardOf(owner, 'Ama', 'More', 'Tell me', 'Each order')
    const phones = Array.from({ length: 3 }, () => newPhone())
    agent.chat.say(phones.map((phone) => `${phone} 2GB`).join('\n'))
    await agent.chat.waitForButton('Confirm 3')
    agent.chat.press('Confirm 3')
    await world.until(() => ordersFor(world, phones[0] ?? '').length === 1, 'the order')
    const reference = ordersFor(world, phones[0] ?? '')[0]?.reference ?? ''
    world.provider.setStatus(reference, 'delivered')
    await owner.chat.waitForText(/Ama ordered[\s\S]*delivered/)
    expect(textsOf(owner).split('Ama ordered')).toHaveLength(2)
  }, 240_000)
})

describe('an agent who leaves or is removed', () => {
  test('can order nothing more, and owner and agent still get the news of open orders', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await pressOnCardOf(owner, 'Ama', 'More', 'Tell me', 'Nothing')
    const phone = newPhone()
    const sent = await place(world, agent, phone)
    const openCard = agent.chat.button('Repeat')?.message
    const waiting = await order(agent, phone)
    await cardReads(world, agent, waiting, /this number has an open order/)
    const draft = await askFor(agent, newPhone())
    await pressOnCardOf(owner, 'Ama', 'More', 'Remove', 'Remove now')
    const answer = await owner.chat.waitForText('has been removed and can’t order')
    expect(answer.text).toContain('1 waiting order was cancelled')
    expect(answer.text).toContain('1 order is still open')
    await agent.chat.waitForText('The owner has removed you')
    await cardReads(world, agent, waiting, /Nothing was sent or charged/)
    await world.telegram.waitFor(
      () => world.telegram.chat(agent.id).commands.every(({ command }) => command !== 'customers'),
      { message: 'Waiting for the menu of a stranger' },
    )
    await cardReads(world, agent, draft, /expired\s+You can no longer order with that wallet/)

    const asked = world.provider.requests().length
    const stale = [
      [draft, dataOf(draft, 'Confirm')],
      ...(openCard ? [[openCard, dataOf(openCard, 'Repeat')]] : []),
      [draft, 'balance'],
      [draft, 'agents:list'],
      [draft, 'orders:0'],
      [draft, 'export:begin'],
    ] as [Message, string][]
    for (const [message, data] of stale) {
      await toastOf(world, pressData(agent, message.message_id, data))
    }
    agent.chat.say('/orders')
    await agent.chat.waitForText(needAccount)
    expect(world.provider.requests()).toHaveLength(asked)
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(debitsOf(world, owner)).toHaveLength(1)

    world.provider.setStatus(sent.reference, 'delivered')
    await agent.chat.waitForText(/delivered/)
    await owner.chat.waitForText(/Ama ordered[\s\S]*delivered/)
    await owner.chat.waitForButton('Invite again')
  }, 240_000)

  test('can leave with /disconnect, and the owner is told', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    agent.chat.say('/disconnect')
    await agent.chat.waitForText('Stop ordering with this wallet?')
    agent.chat.press('Confirm')
    await agent.chat.waitForText('You can no longer order with that wallet')
    await owner.chat.waitForText('left and is no longer your agent')
    expect(memberOf(agent)).toBeUndefined()
    expect(memberOf(owner)).toMatchObject({ role: 'owner' })
  })

  test('may be confirming orders at that moment, and each is charged once or never sent', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const phones = Array.from({ length: 6 }, () => newPhone())
    const drafts: Message[] = []
    for (const phone of phones) drafts.push(await askFor(agent, phone))
    const asked = await pressOnCardOf(owner, 'Ama', 'More', 'Remove')
    const question = await cardReads(world, owner, asked, /Remove Ama\?/)
    for (const card of drafts) pressData(agent, card.message_id, dataOf(card, 'Confirm'))
    pressData(owner, question.message_id, dataOf(question, 'Remove now'))
    await owner.chat.waitForText('has been removed and can’t order')
    await agent.chat.waitForText('The owner has removed you')
    await world.until(
      () => phones.every((phone) => !String(placementOf(world, phone)).match(/queued|sending/)),
      'every order to be sent or ended',
    )
    await world.provider.idle()
    const placed = phones.filter((phone) => String(placementOf(world, phone)) === 'placed')
    expect(debitsOf(world, owner)).toHaveLength(placed.length)
    for (const phone of phones) expect(postsFor(world, phone).length).toBeLessThanOrEqual(1)
  }, 240_000)
})

/** Everything that the bot has written to somebody. */
const botTexts = (id: number): string =>
  JSON.stringify(world.telegram.messages(id).filter(({ from }) => from?.is_bot))

describe('an agent', () => {
  test('never sees the account’s key or balance, or the orders of others', async () => {
    const balance = 43_217
    const owner = await world.newReseller(balance)
    const agent = await newAgent(owner)
    const theirs = await place(world, owner, newPhone())
    const left = (owner.account.balancePesewas ?? balance) / 100
    const { chat } = agent
    for (const command of [
      '/start',
      '/help',
      '/balance',
      '/transactions',
      '/orders',
      '/export',
      '/stats',
      '/settings',
      '/customers',
      '/prices',
      '/agents',
      '/connect',
      '/cancel',
      `/status ${theirs.reference}`,
    ]) {
      const { message_id: after } = chat.say(command)
      await chat.waitForText(/./, { after })
    }
    await place(world, agent, newPhone())
    chat.say(`${newPhone()} 2GB\n${newPhone()} 2GB`)
    await chat.waitForText('Daily limit: GHS 100.00. Only the owner sees what’s left')
    const all = botTexts(agent.id)
    expect(all).not.toContain(owner.account.apiKey)
    expect(all).not.toContain(owner.account.apiSecret)
    for (const amount of [balance / 100, left, left - 9.6, (balance - 960) / 100, (balance - 1920) / 100]) {
      expect(all).not.toContain(amount.toFixed(2))
    }
    expect(all).not.toContain(theirs.phones[0]?.phone)
  }, 240_000)

  test('is warned of another’s order for the same number, without its details', async () => {
    const owner = await world.newReseller()
    const [agent, other] = [await newAgent(owner), await newAgent(owner, 'Esi')]
    const phone = newPhone()
    const { reference } = await place(world, owner, phone)
    const warning =
      'The shop ordered this bundle for this number in the last 10 minutes, or has an open order for it.'
    const card = await askFor(agent, phone)
    expect(card.text).toContain(`⚠️ ${warning} Send again?`)
    const bare = {
      from: agent.id,
      messageId: card.message_id,
      data: dataOf(card, 'Confirm').replace(/:[^:]{8}$/, ''),
      stale: true,
    }
    expect(await toastOf(world, world.telegram.press(bare))).toBe(
      `${warning} Nothing new was ordered. See the card.`,
    )
    const { message_id: after } = other.chat.say(`${phone} 2GB\n${newPhone()} 2GB`)
    const list = await other.chat.waitForText(
      /1 number already has this order \(from the last 10 minutes, or still open\): skipped\.\s+\d+ 2GB\n/,
      { after },
    )
    expect(list.text).not.toContain('processing')
    for (const { id } of [agent, other]) expect(botTexts(id)).not.toContain(reference)

    // The agent and the owner are both told about the agent's own order, with everything that the agent may see.
    agent.chat.press('Confirm again')
    await cardReads(world, agent, card, /\bwaiting\b/)
    const own = /MTN 2GB (went to|was ordered for) this number less than a minute ago: \w+\. Send again\?/
    expect((await askFor(agent, phone)).text).toMatch(own)
    expect((await askFor(owner, phone)).text).toMatch(own)
  }, 240_000)
})

describe('an agent’s own price', () => {
  test('replaces the shop’s prices for the agent, and the owner sees sales and profit', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await letAgentsSee(world, owner, 'cost')
    await pressOnCardOf(owner, 'Ama', 'Price')
    await owner.chat.waitForText('Prices for Ama: what you pay')
    owner.chat.say('+1.50')
    await owner.chat.waitForText('Prices they see: cost + GHS 1.50')
    const { message_id: after } = agent.chat.say('/bundles MTN')
    const prices = await agent.chat.waitForText('What you can order', { after })
    expect(prices.text).toContain('2GB · GHS 11.10')
    expect(prices.text).not.toContain('9.60')
    const card = await askFor(agent, newPhone())
    expect(card.text).toContain('Price: GHS 11.10')
    agent.chat.press('Confirm')
    const placed = await world.until(() => debitsOf(world, owner)[0], 'the debit')
    world.provider.setStatus(placed.reference ?? '', 'delivered')
    await agent.chat.waitForText(/delivered/)
    const shown = await pressOnCardOf(owner, 'Ama')
    await cardReads(world, owner, shown, /Sold today: GHS 11\.10 · cost GHS 9\.60 · profit GHS 1\.50/)
    await pressOnCardOf(owner, 'Ama', 'Price', 'Same as all agents')
    expect((await askFor(agent, newPhone())).text).toContain('Price: GHS 9.60')
  }, 240_000)
})

describe('an agent above the daily limit', () => {
  const aboveLimit = async (owner: Reseller, agent: Reseller, limit = 500) => {
    await letAgentsSee(world, owner, 'cost')
    await changeDatabase(world, (db) =>
      db.prepare('UPDATE Member SET dailyLimitPesewas = ? WHERE userId = ?').run(limit, agent.id),
    )
    const card = await askFor(agent, newPhone())
    expect(card.text).toContain('Your order, not confirmed yet')
    expect(JSON.stringify(card.reply_markup)).not.toContain('Confirm')
    expect(await pressOn(agent, card, 'Ask the owner')).toContain('I’ve asked the owner')
    await cardReads(world, agent, card, /I’ve asked the owner/)
    expect(await pressOn(agent, card, 'Ask the owner')).toContain('already asked')
    return card
  }

  test('asks the owner once, and can confirm when the owner raises the day’s limit', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const card = await aboveLimit(owner, agent)
    const asked = await owner.chat.waitForText('is asking for a higher limit today')
    expect(asked.text).toContain('GHS 9.60')
    await pressOn(owner, asked, 'Raise today’s limit to GHS 50')
    await agent.chat.waitForText('Your limit today is GHS 50.00')
    await cardReads(world, agent, card, /Left today: GHS 50\.00 of GHS 50\.00/)
    await pressOn(agent, card, 'Confirm')
    await world.until(() => debitsOf(world, owner).length === 1, 'the debit')
    expect(memberOf(agent)).toMatchObject({ dailyLimitPesewas: 500 })
    // The button of an answered question changes nothing.
    const raise = dataOf(asked, 'Raise today’s limit')
    expect(await toastOf(world, pressData(owner, asked.message_id, raise))).toContain('already answered')
  }, 240_000)

  test('whose limit is GHS 0 can have it raised for the day too', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    const card = await aboveLimit(owner, agent, 0)
    const asked = await owner.chat.waitForText('is asking for a higher limit today')
    await pressOn(owner, asked, 'Raise today’s limit to GHS')
    await agent.chat.waitForText('Your limit today is GHS')
    await pressOn(agent, card, 'Confirm')
    await world.until(() => debitsOf(world, owner).length === 1, 'the debit')
  }, 240_000)

  test('is told if the owner keeps the limit', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await aboveLimit(owner, agent)
    await pressOn(owner, await owner.chat.waitForText('is asking for a higher limit today'), 'Keep the limit')
    await agent.chat.waitForText('The owner left your limit as it is')
    expect(debitsOf(world, owner)).toEqual([])
  }, 240_000)

  test('can ask again about another order, which the button of the earlier question does not answer', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await aboveLimit(owner, agent)
    const first = await owner.chat.waitForText('asking for a higher limit today')
    const no = dataOf(first, 'Keep the limit')
    await pressOn(owner, first, 'Keep the limit')
    const { message_id: after } = await agent.chat.waitForText('The owner left your limit as it is')
    await pressOn(agent, await askFor(agent, newPhone()), 'Ask the owner')
    const second = await owner.chat.waitForText('asking for a higher limit today', {
      after: first.message_id,
    })
    expect(await toastOf(world, pressData(owner, first.message_id, no))).toContain('already answered')
    await pressOn(owner, second, 'Keep the limit')
    await agent.chat.waitForText('The owner left your limit as it is', { after })
  }, 240_000)

  test('who pastes a list asks the owner for what the whole list needs', async () => {
    const owner = await world.newReseller()
    const agent = await newAgent(owner)
    await letAgentsSee(world, owner, 'cost')
    await pressOnCardOf(owner, 'Ama', 'Limit', 'GHS 50')
    agent.chat.say(Array.from({ length: 7 }, () => `${newPhone()} 2GB`).join('\n'))
    const list = await agent.chat.waitForText('More than you have left today')
    await pressOn(agent, list, 'Ask the owner')
    const asked = await owner.chat.waitForText(/A list: GHS 67\.20/)
    await pressOn(owner, asked, 'Raise today’s limit to GHS 100')
    await cardReads(world, agent, list, /Left today: GHS 100\.00 of GHS 100\.00/)
    await pressOn(agent, list, 'Confirm 7')
    await world.until(() => debitsOf(world, owner).length > 0, 'the debit')
  }, 240_000)
})

test('an agent’s daily limit of 0 is explained to the owner before it is set', async () => {
  const owner = await world.newReseller()
  const agent = await newAgent(owner)
  await pressOnCardOf(owner, 'Ama', 'Limit')
  owner.chat.say('0')
  const asked = await owner.chat.waitForText('Ama can’t order anything')
  expect(memberOf(agent)).toMatchObject({ dailyLimitPesewas: 10_000 })
  await pressOn(owner, asked, 'Set GHS 0')
  await cardReads(world, owner, asked, /Used today: GHS 0\.00 of GHS 0\.00/)
  expect(memberOf(agent)).toMatchObject({ dailyLimitPesewas: 0 })
})
