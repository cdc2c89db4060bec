import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { connectLabels, nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { commandMenu } from '../../../src/telegram/chat/profile/command-menu-words.ts'
import { copyKey, sendSecret } from '../../../src/telegram/features/connecting/words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { hints } from '../../../src/telegram/words/hints.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { needAccount } from '../../../src/telegram/words/unusable.ts'
import { createWorld, databaseBytes, type Reseller, type World } from '../../support/world.ts'
import { cardReads, inDatabase, newPhone, order, ordersFor, place, toastOf } from '../shop.ts'

const operatorId = 700_000_001

let world: World

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
})
afterAll(() => world?.close())

const newAccount = () => world.provider.addAccount({ accountType: 'dealer', balancePesewas: 12_345 })

const requestsBy = (accountId: string) =>
  world.provider.requests().filter((request) => request.accountId === accountId)

const standsInChat = (chatId: number, text: string): boolean =>
  world.telegram.messages(chatId).some((message) => message.text?.includes(text))

/** Sends `/connect`. Resolves when the bot waits for the key. */
const beginToConnect = async (chat: Reseller['chat']): Promise<void> => {
  const { message_id: after } = chat.say('/connect')
  await chat.waitForText(copyKey, { after })
}

const connectWith = async (
  chat: Reseller['chat'],
  credentials: { apiKey: string; apiSecret: string },
): Promise<number> => {
  await beginToConnect(chat)
  return chat.say(`${credentials.apiKey}\n${credentials.apiSecret}`).message_id
}

describe('credentials', () => {
  test('are asked for in a message with the bot’s username, which no copy of the bot has', async () => {
    const { chat } = world.newPerson()
    chat.say('/connect')
    const asked = await chat.waitForText(copyKey)
    expect(asked.text).toContain(`writing to @${world.telegram.state().bot.username}:`)
  })

  test('are read one after the other, and each message is deleted before the provider is asked', async () => {
    const account = newAccount()
    const { chat, id } = world.newPerson()
    const standing: boolean[] = []
    const stop = world.provider.on(({ kind }) => {
      if (kind === 'request' && requestsBy(account.id).length > 0) {
        standing.push(standsInChat(id, account.apiKey) || standsInChat(id, account.apiSecret))
      }
    })
    world.telegram.addFault({ method: 'deleteMessage', kind: 'slow', delayMs: 150, times: 2, chat: id })
    await beginToConnect(chat)
    const key = chat.say(account.apiKey)
    await chat.waitForText('Got the API key and deleted your message. Now send the API secret.')
    const secret = chat.say(account.apiSecret)
    const connected = await chat.waitForText(nowConnected)
    stop()
    // Both questions are answered, so nothing is left to cancel.
    await world.telegram.waitFor(() => chat.button(labels.leave) === undefined)
    expect(connected.text).toContain('Account type: dealer')
    expect(connected.text).toContain('Balance: GHS 123.45')
    expect(standing.length).toBeGreaterThan(0)
    expect(standing).not.toContain(true)
    expect(world.telegram.deleted(id)).toEqual([
      { messageId: key.message_id, by: 'bot' },
      { messageId: secret.message_id, by: 'bot' },
    ])
    expect(requestsBy(account.id).map(({ path }) => path)).toEqual(['/wallet/balance'])
  })

  test('can both be in one message, with any white space around them', async () => {
    const account = newAccount()
    const { chat, id } = world.newPerson()
    await beginToConnect(chat)
    const { message_id } = chat.say(`  ${account.apiKey}\r\n\n ${account.apiSecret} `)
    await chat.waitForText(nowConnected)
    expect(world.telegram.deleted(id)).toEqual([{ messageId: message_id, by: 'bot' }])
  })

  test('can follow /connect in the same message', async () => {
    const account = newAccount()
    const { chat, id } = world.newPerson()
    const { message_id } = chat.say(`/connect ${account.apiKey} ${account.apiSecret}`)
    await chat.waitForText(nowConnected)
    expect(world.telegram.deleted(id)).toEqual([{ messageId: message_id, by: 'bot' }])
  })

  test('may begin with a slash like a command', async () => {
    const account = world.provider.addAccount({ apiKey: '/a+key/0123456789', apiSecret: '/Secret0123456789' })
    const { chat, id } = world.newPerson()
    await beginToConnect(chat)
    chat.say(account.apiKey)
    await chat.waitForText(sendSecret)
    chat.say(account.apiSecret)
    await chat.waitForText(nowConnected)
    expect(standsInChat(id, account.apiKey) || standsInChat(id, account.apiSecret)).toBe(false)
  })

  test('work even if the bot cannot delete their messages, which the person is asked to do', async () => {
    const account = newAccount()
    const { chat, id } = world.newPerson()
    const description = "Bad Request: message can't be deleted for everyone"
    world.telegram.addFault({
      method: 'deleteMessage',
      kind: 'bad_request',
      description,
      times: null,
      chat: id,
    })
    await connectWith(chat, account)
    await chat.waitForText(nowConnected)
    await chat.waitForText('Please delete it yourself now')
    expect(chat.texts().filter((text) => text.includes('Please delete it yourself'))).toHaveLength(1)
    expect(chat.texts().join('\n')).not.toContain('deleted your message')
  })

  test('are not stored if the provider refuses them, whether they are wrong, mixed up or disabled', async () => {
    const [right, other] = [newAccount(), newAccount()]
    const disabled = newAccount()
    world.provider.setAccount(disabled.id, { disabled: true })
    const { chat } = world.newPerson()
    for (const [apiKey, apiSecret] of [
      ['no-such-key', 'no-such-secret'],
      [right.apiKey, other.apiSecret],
      [right.apiSecret, right.apiKey],
      [disabled.apiKey, disabled.apiSecret],
    ] as const) {
      const after = await connectWith(chat, { apiKey, apiSecret })
      const answer = await chat.waitForText('❌ The provider refused this key and secret', { after })
      expect(answer.text).toContain('Nothing was stored')
      expect(answer.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toContain(
        connectLabels.keyAgain,
      )
    }
    const { message_id: after } = chat.say('/balance')
    await chat.waitForText(needAccount, { after })
    expect(await databaseBytes(world.databasePath)).not.toContain(right.apiKey)
  })

  test('are not stored while the provider cannot confirm them', async () => {
    const account = newAccount()
    const { chat } = world.newPerson()
    const path = '/wallet/balance'
    for (const [fault, words] of [
      [{ kind: 'reset_before', path, times: 2 }, 'the provider didn’t answer'],
      [{ kind: 'error_before', path, status: 503 }, 'the provider answered with an error'],
      [{ kind: 'bad_json', path }, 'the provider sent an answer I can’t read'],
      [{ kind: 'redirect', path }, 'the provider sent an answer I can’t read'],
      [
        { kind: 'rate_limited', path, retryAfter: '120' },
        'I’ve reached the provider’s request limit. Nothing was stored. /connect again in about 2 min',
      ],
    ] as const) {
      world.provider.addFault(fault)
      const after = await connectWith(chat, account)
      const answer = await chat.waitForText('I can’t check this key now', { after })
      expect(answer.text).toContain(words)
      expect(answer.text).toContain('Nothing was stored')
    }
    await connectWith(chat, account)
    await chat.waitForText(nowConnected)
  })

  test('that cannot be genuine are deleted without asking the provider, and asked for again', async () => {
    const account = newAccount()
    const { chat, id } = world.newPerson()
    await beginToConnect(chat)
    const before = world.provider.requests().length
    for (const garbage of [
      '🔑🔑🔑🔑',
      'кириллица-вместо-ключа',
      'x'.repeat(4096),
      'key\u0000with\u0007control',
      'some-key\r\nX-Injected: yes',
      'one two three four',
      'abc',
      'key\u200bwith-invisible-space',
    ]) {
      const { message_id: after } = chat.say(garbage)
      const answer = await chat.waitForText('That doesn’t look like an API key', { after })
      expect(answer.text).toContain('Nothing was stored')
      expect(world.telegram.deleted(id).at(-1)).toEqual({ messageId: after, by: 'bot' })
      expect(world.telegram.chat(id).keyboard).toMatchObject({ forceReply: true, placeholder: hints.key })
    }
    expect(world.provider.requests()).toHaveLength(before)
    chat.say(account.apiKey)
    await chat.waitForText(sendSecret)
    const { message_id: after } = chat.say('not one word')
    await chat.waitForText('That doesn’t look like an API secret', { after })
    chat.say(account.apiSecret)
    await chat.waitForText(nowConnected)
  })

  test('in a picture or a file are deleted and asked for as text', async () => {
    const account = newAccount()
    const { chat, id } = world.newPerson()
    await beginToConnect(chat)
    const dataBase64 = Buffer.from(`${account.apiKey}\n${account.apiSecret}`).toString('base64')
    for (const [name, mime] of [
      ['dashboard.png', 'image/png'],
      ['keys.txt', 'text/plain'],
    ] as const) {
      const { message_id: after } = world.telegram.drop({ from: id, name, mime, dataBase64 })
      await chat.waitForText('from pictures or files. I deleted your message', { after })
      expect(world.telegram.deleted(id).at(-1)).toEqual({ messageId: after, by: 'bot' })
    }
    expect(requestsBy(account.id)).toHaveLength(0)
  })

  test('in a forwarded or an edited message are not used', async () => {
    const account = newAccount()
    const { chat, id } = world.newPerson()
    const { message_id: early } = chat.say('hello')
    await beginToConnect(chat)
    const text = `${account.apiKey} ${account.apiSecret}`
    const { message_id: after } = world.telegram.say({ from: id, text, forwarded: true })
    await chat.waitForText('a forwarded key or secret', { after })
    world.telegram.say({ from: id, text, edits: early })
    const { message_id: last } = chat.say('/help')
    await chat.waitForText(helpTitle, { after: last })
    expect(requestsBy(account.id)).toHaveLength(0)
  })

  test('may be completed after a restart, and are forgotten at /cancel', async () => {
    const account = newAccount()
    const { chat } = world.newPerson()
    await beginToConnect(chat)
    chat.say(account.apiKey)
    await chat.waitForText(sendSecret)
    expect(await databaseBytes(world.databasePath)).not.toContain(account.apiKey)
    await world.bot.restart()
    chat.say(account.apiSecret)
    await chat.waitForText(nowConnected)

    const other = world.newPerson()
    await beginToConnect(other.chat)
    other.chat.say(account.apiKey)
    await other.chat.waitForText(sendSecret)
    other.chat.say('/cancel')
    await other.chat.waitForText('Cancelled. Nothing new was ordered.')
    const { message_id: after } = other.chat.say('some-other-word')
    await other.chat.waitForText('I don’t understand that', { after })
    expect(inDatabase(world, (db) => db.prepare('SELECT * FROM PendingCredential').all())).toEqual([])
  })
})

test('an API key that is sent twice is not read as the secret', async () => {
  const account = world.provider.addAccount({ accountType: 'agent', balancePesewas: 10_000 })
  const { chat } = world.newPerson()
  chat.say('/connect')
  await chat.waitForText('API key')
  for (const text of [account.apiKey, account.apiKey]) {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(sendSecret, { after })
  }
  chat.say(account.apiSecret)
  await chat.waitForText(/Connected\.[\s\S]*GHS 100\.00/)
})

describe('an account', () => {
  test('is one account with one history, even if two chats connect it', async () => {
    const first = await world.newReseller()
    const second = world.newPerson()
    await connectWith(second.chat, first.account)
    await second.chat.waitForText(nowConnected)
    const placed = await place(world, first, newPhone())
    second.chat.say('/orders')
    const list = await second.chat.waitForText(historyTitle)
    expect(list.text).toContain(placed.phones[0]?.phone)
    second.chat.say(placed.reference)
    await second.chat.waitForText(/GHS 9\.60 · processing/)

    second.chat.say('/disconnect')
    await second.chat.waitForText('Its other owners will keep it here')
    second.chat.press('Confirm')
    await second.chat.waitForText('Disconnected')
    const { message_id: after } = first.chat.say('/balance')
    await first.chat.waitForText('Balance: GHS 490.40', { after })
  })

  test('with a regenerated key gets one warning, and works again with the new key', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const placed = await place(world, reseller, newPhone())
    const { apiKey, apiSecret } = { apiKey: `${account.apiKey}-2`, apiSecret: `${account.apiSecret}-2` }
    world.provider.setAccount(account.id, { apiKey, apiSecret })
    for (let times = 0; times < 2; times += 1) {
      const { message_id: after } = chat.say('/balance')
      await chat.waitForText('I couldn’t read the balance: the provider isn’t accepting your API key', {
        after,
      })
    }
    await chat.waitForText('⚠️ The provider no longer accepts your API key')
    const told = chat.texts().filter((text) => text.includes('⚠️ The provider no longer accepts your API key'))
    expect(told).toHaveLength(1)
    await connectWith(chat, { apiKey, apiSecret })
    await chat.waitForText(nowConnected)
    const { message_id: after } = chat.say('/orders')
    const list = await chat.waitForText(historyTitle, { after })
    expect(list.text).toContain(placed.phones[0]?.phone)
    world.provider.setStatus(placed.reference, 'delivered')
    await chat.waitForText(/delivered$|delivered\n/, { after })
    expect(await databaseBytes(world.databasePath)).not.toContain(apiSecret)
  })

  test('without orders can be replaced by another, and its key is erased immediately', async () => {
    const { chat } = await world.newReseller()
    await connectWith(chat, newAccount())
    const card = await chat.waitForText('Switch to another account?')
    expect(card.text).toMatch(/the old one will be removed[\s\S]*I’ll erase the old key and secret\./)
    const erased = () =>
      inDatabase(world, (db) => db.prepare(`SELECT id FROM Account WHERE sealedSecret = ''`).all().length)
    const before = erased()
    chat.press('Switch')
    const connected = await chat.waitForText(/Connected\.[\s\S]*GHS 123\.45/)
    expect(connected.text).toContain('Your old account has been removed')
    expect(erased()).toBe(before + 1)
  })
})

describe('/disconnect', () => {
  test('changes nothing if it is cancelled', async () => {
    const { chat } = await world.newReseller()
    chat.say('/disconnect')
    await chat.waitForText('Remove your account from this bot?')
    const press = chat.press('❌ Cancel')
    expect(await toastOf(world, press)).toBe('Nothing changed. You’re still connected.')
    const { message_id: after } = chat.say('/balance')
    await chat.waitForText('Balance: GHS 500.00', { after })
  })

  test('cancels waiting orders, stops all requests to the provider, and still shows statuses from callbacks', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const phone = newPhone()
    const sent = await place(world, reseller, phone)
    const sentCard = chat.button('Refresh')?.message
    const waiting = await order(reseller, phone)
    await cardReads(world, reseller, waiting, /this number has an open order/)
    chat.say('/disconnect')
    const question = await chat.waitForText('1 order isn’t finished yet. 1 waiting order will be cancelled')
    chat.press('Now')
    const left = await cardReads(world, reseller, question, /Disconnected/)
    expect(left.text).toContain('1 waiting order was cancelled, not charged.')
    await chat.waitForText(new RegExp(`I’m no longer following[\\s\\S]*${sent.reference}`))
    await cardReads(world, reseller, waiting, /cancelled[\s\S]*nothing was charged/)
    await cardReads(world, reseller, sentCard ?? question, /I’m no longer checking this/)

    const asked = requestsBy(account.id).length
    world.provider.setStatus(sent.reference, 'delivered')
    const told = await chat.waitForText(/✅ MTN 2GB for .*delivered \(reported\)/)
    expect(told.message_id).toBeGreaterThan(question.message_id)
    expect(requestsBy(account.id)).toHaveLength(asked)
    expect(ordersFor(world, phone)).toHaveLength(1)
    const { message_id: after } = chat.say(`${newPhone()} 2GB`)
    await chat.waitForText(needAccount, { after })
  })
})

describe('an operator', () => {
  test('gets the operators’ menu after their first message, and nobody else ever gets that menu', async () => {
    const operator = chatOf(world.telegram, operatorId)
    const commands = (chatId: number) => world.telegram.chat(chatId).commands.map(({ command }) => command)
    operator.say('/start')
    await operator.waitForText('Bundlegram')
    await world.telegram.waitFor(() => commands(operatorId).includes('admin'))
    expect(commands(operatorId)).toContain('status')
    operator.say('/admin')
    await operator.waitForText('Control room')

    const { chat, id } = world.newPerson()
    chat.say('/admin')
    await chat.waitForText('I don’t know that command')
    expect(commands(id)).toEqual(commandMenu.strangers.map(([name]) => name))
    for (const data of ['admin', 'invite']) {
      const messageId = chat.last()?.message_id ?? 0
      const press = world.telegram.press({ from: id, messageId, data, stale: true })
      await world.telegram.waitFor(() => world.telegram.answers(press.id))
    }
    expect(chat.texts().join('\n')).not.toContain('Control room')
    expect(chat.texts().join('\n')).not.toContain('t.me/')
  })
})

describe('with access by invitation', () => {
  let invited: World

  beforeAll(async () => {
    invited = await createWorld({ env: { ACCESS: 'invite', OWNER_IDS: String(operatorId) } })
  })
  afterAll(() => invited?.close())

  test('a link lets exactly one person connect', async () => {
    const operator = chatOf(invited.telegram, operatorId)
    const [guest, stranger] = [invited.newPerson(), invited.newPerson()]
    const account = invited.provider.addAccount()
    guest.chat.say('/connect')
    await guest.chat.waitForText('This bot is invitation-only')
    guest.chat.say('/start')
    await guest.chat.waitForText('You’ll need an invitation')
    expect(guest.chat.button('Connect')).toBeUndefined()
    const { message_id: asked } = guest.chat.say('/balance')
    const needed = await guest.chat.waitForText(needAccount, { after: asked })
    expect(needed.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['🏠 Home'])

    operator.say('/admin')
    await operator.waitForButton('Invite')
    operator.press('Invite')
    const message = await operator.waitForText('A one-time link')
    const url = /https:\/\/t\.me\/\S+/.exec(message.text ?? '')?.[0] ?? ''

    invited.telegram.openLink(stranger.id, `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`)
    await stranger.chat.waitForText('This invitation has already been used')
    invited.telegram.openLink(guest.id, url)
    await guest.chat.waitForText('Invitation accepted')
    const again = invited.telegram.openLink(guest.id, url)
    await guest.chat.waitForText('Invitation accepted', { after: again.message_id })
    const { message_id: after } = invited.telegram.openLink(stranger.id, url)
    await stranger.chat.waitForText('This invitation has already been used', { after })
    const { message_id: last } = stranger.chat.say(`/connect ${account.apiKey} ${account.apiSecret}`)
    await stranger.chat.waitForText('This bot is invitation-only', { after: last })
    expect(invited.provider.requests()).toHaveLength(0)

    guest.chat.press('Connect')
    await guest.chat.waitForText(copyKey)
    guest.chat.say(`${account.apiKey} ${account.apiSecret}`)
    await guest.chat.waitForText(nowConnected)
  })

  test('strangers can still look up orders, and the operator connects without a link', async () => {
    const stranger = invited.newPerson()
    stranger.chat.say('BUD-API-NOSUCH-000001')
    await stranger.chat.waitForText('No order found for')
    const operator = chatOf(invited.telegram, operatorId)
    operator.say('/connect')
    await operator.waitForText(copyKey)
  })
})
