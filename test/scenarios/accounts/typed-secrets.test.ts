import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { sendQuestion } from '../../../src/telegram/cards/words/enquiry.ts'
import type { Question } from '../../../src/telegram/chat/context.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { createWorld, databaseBytes, type Reseller, type World } from '../../support/world.ts'
import { operatorId, operatorOf } from '../operating/operator.ts'
import { changeDatabase, newPhone, place, shareLink } from '../shop.ts'
import { addMember } from './members.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
})
afterAll(() => world?.close())

/** Credentials that do not look like credentials. Only a bot that stores them can recognise them. */
let accounts = 0
const plainCredentials = () => {
  accounts += 1
  return { apiKey: `kumasi-market-${accounts}x`, apiSecret: `ashanti gold ${accounts}y`.replaceAll(' ', '.') }
}

const newOwner = async (): Promise<Reseller> => {
  const account = world.provider.addAccount({ ...plainCredentials(), accountType: 'agent' })
  const person = world.newPerson()
  person.chat.say('/connect')
  await person.chat.waitForText('API key')
  person.chat.say(`${account.apiKey}\n${account.apiSecret}`)
  await person.chat.waitForText('Connected')
  return { ...person, account }
}

/** Makes the bot wait for the answer to this question. */
const asks = async (id: number, question: Question): Promise<void> => {
  const value = JSON.stringify({ question, until: Date.now() + 600_000 })
  await changeDatabase(world, (database) =>
    database
      .prepare(
        'INSERT INTO Session (key, value, updatedAt) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      )
      .run(String(id), value, new Date().toISOString()),
  )
}

const dropped = (from: number, name: string, text: string, caption?: string): number =>
  world.telegram.drop({
    from,
    name,
    mime: name.endsWith('.png') ? 'image/png' : 'text/plain',
    dataBase64: Buffer.from(text).toString('base64'),
    ...(caption !== undefined && { caption }),
  }).message_id

interface Moment {
  when: string
  /** Sends the credentials. @returns the message that contains them. */
  send(owner: Reseller, both: string): number | Promise<number>
}

const said =
  (text: (both: string, owner: Reseller) => string): Moment['send'] =>
  (owner, both) =>
    owner.chat.say(text(both, owner)).message_id

const answering =
  (
    question: (owner: Reseller) => Question | Promise<Question>,
    text = (both: string) => both,
  ): Moment['send'] =>
  async (owner, both) => {
    await asks(owner.id, await question(owner))
    return owner.chat.say(text(both)).message_id
  }

const contactOf = async (owner: Reseller) => {
  await place(world, owner, newPhone())
  const link = await shareLink(owner)
  const contact = world.newPerson()
  world.telegram.openLink(contact.id, link)
  await contact.chat.waitForButton('Ask the shop')
  contact.chat.press('Ask the shop')
  await contact.chat.waitForText(sendQuestion)
  return contact
}

const moments: Moment[] = [
  { when: 'unasked, both in one message', send: said((both) => both) },
  { when: 'unasked, as the key alone', send: said((_, { account }) => account.apiKey) },
  {
    when: 'unasked, as the secret alone in a sentence',
    send: said((_, { account }) => `it is “${account.apiSecret}”, right?`),
  },
  { when: 'behind another command', send: said((both) => `/orders ${both}`) },
  { when: 'behind /status', send: said((_, { account }) => `/Status ${account.apiKey}`) },
  { when: 'after /start', send: said((_, { account }) => `/start ${account.apiKey}`) },
  { when: 'behind a misspelled command', send: said((both) => `/conect ${both}`) },
  { when: 'as a number to order for', send: answering(() => ({ what: 'phone', bundleId: 1 })) },
  {
    when: 'as a list',
    send: answering(
      () => ({ what: 'list', bundleId: 1 }),
      (both) => `0241234567\n${both}`,
    ),
  },
  { when: 'as a list with sizes', send: said((both) => `0241234567 5GB\n0551234567 2GB\n${both}`) },
  { when: 'as a search', send: answering(() => ({ what: 'search_orders' })) },
  { when: 'as the days of an export', send: answering(() => ({ what: 'period', subject: 'orders' })) },
  {
    when: 'as the name of a customer',
    send: answering(() => ({
      what: 'contact',
      ask: { act: 'name', phone: '0241234567' as never, orderId: null },
    })),
  },
  {
    when: 'as customers to be saved',
    send: answering(
      () => ({ what: 'contact', ask: { act: 'add' } }),
      (both) => `${both.split('\n')[0]} 0241234567`,
    ),
  },
  { when: 'as a shop’s name', send: answering(() => ({ what: 'setting', topic: 'shop' })) },
  { when: 'as a selling price', send: answering(() => ({ what: 'selling', ask: { about: 'rule' } })) },
  {
    when: 'as an agent’s limit',
    send: answering(async (owner) => ({ what: 'agent_limit', agentId: (await addMember(world, owner)).id })),
  },
  { when: 'as a setting', send: answering(() => ({ what: 'setting', topic: 'level' })) },
  {
    when: 'behind another command while the secret is asked for',
    send: answering(
      () => ({ what: 'secret' }),
      (both) => `/buy ${both}`,
    ),
  },
  {
    when: 'as an answer to a customer',
    send: async (owner, both) => {
      const contact = await contactOf(owner)
      contact.chat.say('When does it come?')
      await owner.chat.waitForText('When does it come?')
      owner.chat.press('Answer')
      await owner.chat.waitForText('Your answer to:')
      return owner.chat.say(both).message_id
    },
  },
  {
    when: 'as a question to another shop',
    send: async (owner, both) => {
      const other = await world.newReseller()
      await place(world, other, newPhone())
      world.telegram.openLink(owner.id, await shareLink(other))
      await owner.chat.waitForButton('Ask the shop')
      owner.chat.press('Ask the shop')
      await owner.chat.waitForText(sendQuestion)
      return owner.chat.say(both).message_id
    },
  },
  {
    when: 'as a reply to a message of the bot',
    send: (owner, both) =>
      world.telegram.say({ from: owner.id, text: both, replyTo: owner.chat.last()?.message_id ?? 0 })
        .message_id,
  },
  {
    when: 'forwarded',
    send: (owner, both) => world.telegram.say({ from: owner.id, text: both, forwarded: true }).message_id,
  },
  {
    when: 'by editing an earlier message',
    send: async (owner, both) => {
      const { message_id: edits } = owner.chat.say('hello there')
      await owner.chat.waitForText('I don’t understand', { after: edits })
      world.telegram.say({ from: owner.id, text: both, edits })
      return edits
    },
  },
  { when: 'as the caption of a picture', send: ({ id }, both) => dropped(id, 'screen.png', 'png', both) },
  { when: 'in a file', send: ({ id }, both) => dropped(id, 'keys.txt', both) },
  { when: 'in a file that is not a list', send: ({ id }, both) => dropped(id, 'keys.env', `A=1\n${both}`) },
  {
    when: 'as the caption of a list file',
    send: ({ id }, both) => dropped(id, 'list.txt', '0241234567 5GB', both),
  },
  {
    when: 'as a contact',
    send: ({ id, account }) =>
      world.telegram.sendContact({ from: id, phoneNumber: '0241234567', firstName: account.apiSecret })
        .message_id,
  },
]

const expectNoTrace = async (chatId: number, messageId: number, secrets: string[]): Promise<void> => {
  expect(world.telegram.deleted(chatId)).toContainEqual({ messageId, by: 'bot' })
  const sent = JSON.stringify(world.telegram.calls().map(({ payload }) => payload))
  const kept = await databaseBytes(world.databasePath)
  for (const secret of secrets) {
    expect(sent, 'sent').not.toContain(secret)
    expect(kept, 'stored').not.toContain(secret)
  }
}

describe('a member’s own key and secret are deleted and not stored', () => {
  test.each(moments)('if they are sent $when', async ({ send }) => {
    const owner = await newOwner()
    const { apiKey, apiSecret } = owner.account
    const messageId = await send(owner, `${apiKey}\n${apiSecret}`)
    const told = await owner.chat.waitForText('That was your API key or secret.')
    expect(told.text).toContain('I deleted the message and stored nothing.')
    await expectNoTrace(owner.id, messageId, [apiKey, apiSecret])
  })

  test('if they are pasted again while the provider checks them', async () => {
    const account = world.provider.addAccount(plainCredentials())
    const { id, chat } = world.newPerson()
    chat.say('/connect')
    await chat.waitForText('API key')
    world.provider.addFault({ kind: 'slow', path: '/wallet/balance', delayMs: 400 })
    const both = `${account.apiKey} ${account.apiSecret}`
    chat.say(both)
    const { message_id: second } = chat.say(both)
    await chat.waitForText('That was your API key or secret.')
    await chat.waitForText('Connected')
    await expectNoTrace(id, second, [account.apiKey, account.apiSecret])
  })

  test('unless the bot cannot delete them, and then the person is asked to delete them', async () => {
    const owner = await newOwner()
    world.telegram.addFault({ method: 'deleteMessage', kind: 'bad_request', times: null, chat: owner.id })
    owner.chat.say(owner.account.apiKey)
    await owner.chat.waitForText('Please delete it yourself now')
    const told = await owner.chat.waitForText('That was your API key or secret.')
    expect(told.text).not.toContain('deleted')
  })

  test('except in a group, where the person is asked to delete them', async () => {
    const owner = await newOwner()
    const group = world.telegram.addGroup({ title: 'Customers', members: [owner.id] }).id
    const chat = chatOf(world.telegram, owner.id, group)
    chat.say(`/status ${owner.account.apiSecret}`)
    await chat.waitForText('Everybody in this group can read that. I stored nothing. Delete your message')
    expect(chat.texts().join()).not.toContain(owner.account.apiSecret)
  })
})

describe('a text that looks like a credential is deleted and not stored', () => {
  const pair = ['c3ab8ff13720e8ad9047dd39466b3c89', 'pYk2vJ8aQz0wLm4Xr7Nc1Tb6Hd3Gs9Fe'] as const

  test.each([
    ['unasked', (id: number) => world.telegram.say({ from: id, text: pair.join(' ') }).message_id],
    ['after /start', (id: number) => world.telegram.say({ from: id, text: `/start ${pair[0]}` }).message_id],
    [
      'after /Start with the bot’s name',
      (id: number) => {
        const { username } = world.telegram.state().bot
        return world.telegram.say({ from: id, text: `/Start@${username}  ${pair[1]} ` }).message_id
      },
    ],
    ['as a file', (id: number) => dropped(id, 'keys.csv', pair.join(';'))],
    ['as the caption of a picture', (id: number) => dropped(id, 'screen.png', 'png', pair.join('\n'))],
    [
      'with a label',
      (id: number) => world.telegram.say({ from: id, text: `API key: ${pair[0]}` }).message_id,
    ],
  ] as const)('if a person without an account sends it %s', async (_, send) => {
    const { id, chat } = world.newPerson()
    const messageId = send(id)
    const told = await chat.waitForText('That looks like an API key or secret.')
    expect(told.text).toContain('To connect an account, send /connect first.')
    await expectNoTrace(id, messageId, [...pair])
  })

  test('if a customer sends it as a question to the shop', async () => {
    const owner = await newOwner()
    const contact = await contactOf(owner)
    const { message_id } = contact.chat.say(pair.join(' '))
    await contact.chat.waitForText('That looks like an API key or secret.')
    await expectNoTrace(contact.id, message_id, [...pair])
  })

  test('if an operator sends it as the reason of a pause', async () => {
    const operator = operatorOf(world)
    await asks(operatorId, { what: 'operator', ask: { about: 'pause', minutes: 0, reason: null } })
    const { message_id } = operator.chat.say(`new key ${pair[0]}`)
    await operator.chat.waitForText('That looks like an API key or secret.')
    await expectNoTrace(operatorId, message_id, [...pair])
  })

  test('if it is forwarded while a key is asked for', async () => {
    const { id, chat } = world.newPerson()
    await asks(id, { what: 'key' })
    const { message_id } = world.telegram.say({ from: id, text: pair.join(' '), forwarded: true })
    await chat.waitForText('a forwarded key or secret. I deleted the message')
    await expectNoTrace(id, message_id, [...pair])
  })
})

test('/Connect works like /connect, and its message is deleted', async () => {
  const account = world.provider.addAccount(plainCredentials())
  const { id, chat } = world.newPerson()
  const { message_id } = chat.say(`/Connect ${account.apiKey} ${account.apiSecret}`)
  await chat.waitForText('Connected')
  await expectNoTrace(id, message_id, [account.apiKey, account.apiSecret])
  const { message_id: after } = chat.say('/HELP')
  await chat.waitForText(helpTitle, { after })
})

test('a list file without a secret is read as usual', async () => {
  const owner = await newOwner()
  dropped(owner.id, 'list.txt', '0241234567 10GB\n0551234567 2GB')
  await owner.chat.waitForText(/2 to order/)
})
