// @module-tag process
import type { Message } from 'grammy/types'
import { expect, test } from 'vitest'
import type { TestChat } from '../../../src/sandbox/index.ts'
import { chatOf } from '../../../src/sandbox/index.ts'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { questionSent, sendQuestion } from '../../../src/telegram/cards/words/enquiry.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { copyKey, sendSecret } from '../../../src/telegram/features/connecting/words.ts'
import { historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { keepsTrying } from '../../../src/telegram/features/wallet/unanswered-words.ts'
import { readOut } from '../../support/as-read.ts'
import { createWorld, databaseBytes, type World } from '../../support/world.ts'
import { askFor, cardReads, newPhone, order, ordersFor, place, shareLink } from '../shop.ts'
import { joinBy } from './members.ts'

test('a reseller’s whole journey, logged at trace level, leaves no secret in log, database or messages', async ({
  onTestFinished,
}) => {
  const world = await createWorld({ process: true })
  onTestFinished(() => world.close())
  const account = world.provider.addAccount({ accountType: 'agent', balancePesewas: 20_000 })
  const wrong = ['sim-key-of-nobody-at-all', 'sim-secret-of-nobody-at-all']
  const answered = async (chat: TestChat, text: string, answer: string | RegExp): Promise<void> => {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(answer, { after })
  }

  const { chat: clumsy } = world.newPerson()
  await answered(clumsy, '/connect', copyKey)
  await answered(clumsy, wrong[0] ?? '', sendSecret)
  await answered(clumsy, wrong[1] ?? '', 'refused this key and secret')
  await answered(clumsy, `/connect ${wrong.join(' ')}`, 'refused this key and secret')
  await answered(clumsy, '/connect', copyKey)
  await answered(clumsy, `${account.apiKey}\nand\n${account.apiSecret}`, 'doesn’t look like')

  const { id, chat } = world.newPerson()
  await answered(chat, '/connect', copyKey)
  await answered(chat, account.apiKey, sendSecret)
  await answered(chat, account.apiSecret, nowConnected)
  await answered(chat, '/connect', 'Change your key and secret')
  await answered(chat, `${account.apiKey} ${account.apiSecret}`, nowConnected)

  const reseller = { id, chat, account }
  const phones = [newPhone(), newPhone(), newPhone()]
  const [delivered = '', lost = '', refused = ''] = phones
  const { reference } = await place(world, reseller, delivered)
  world.provider.setStatus(reference, 'delivered')
  await chat.waitForText(': delivered')
  await expectTokensToBeChecked(world)

  const { chat: partner, id: partnerId } = world.newPerson()
  await answered(partner, `/connect ${account.apiKey} ${account.apiSecret}`, nowConnected)
  const second = { id: partnerId, chat: partner, account }
  world.provider.addFault({ kind: 'answer_lost' })
  world.provider.addFault({ kind: 'callback_never' })
  await cardReads(world, second, await order(second, lost), /unconfirmed/)
  world.provider.addFault({ kind: 'reset_before', path: '/wallet/balance', times: 2 })
  await answered(partner, '/balance', keepsTrying)
  world.provider.addFault({ kind: 'bad_json', path: '/transactions', body: `{"key":"${account.apiKey}"}` })
  await answered(partner, '/transactions', keepsTrying)
  const message = `${account.apiKey} with ${account.apiSecret} may not buy`
  const card = await askFor(second, refused)
  world.provider.addFault({ kind: 'refuse', status: 422, message })
  partner.press('Confirm')
  await cardReads(world, second, card, /rejected/)
  world.telegram.addFault({ method: 'sendMessage', kind: 'server_error', chat: partnerId })
  await answered(partner, '/orders', historyTitle)
  await world.bot.restart()
  await answered(chat, '/start', 'Bundlegram')
  await world.bot.stop()

  const tokens = ordersFor(world, delivered).map(({ webhookUrl }) => webhookUrl?.split('/').at(-1) ?? '')
  expect(tokens).toEqual([expect.stringMatching(/^[\w-]{40,}$/)])
  const credentials = [account.apiKey, account.apiSecret, ...wrong]
  const output = readOut(world.bot.output())
  expect(output).toContain('"level":"info"')
  for (const secret of [...credentials, world.telegram.token, ...tokens, ...phones]) {
    expect(output).not.toContain(secret)
  }
  const database = await databaseBytes(world.databasePath)
  expect(database).toContain(delivered)
  for (const secret of [...credentials, world.telegram.token, ...tokens])
    expect(database).not.toContain(secret)
  const chats = JSON.stringify(world.telegram.state().chats)
  const sent = JSON.stringify(world.telegram.calls().map(({ payload }) => payload))
  expect(sent).toContain(delivered)
  for (const secret of [...credentials, world.telegram.token, ...tokens]) {
    expect(chats).not.toContain(secret)
    expect(sent).not.toContain(secret)
  }
})

test('a shop’s day with customers and agents, logged at trace level, names nobody in the log', async ({
  onTestFinished,
}) => {
  const world = await createWorld()
  onTestFinished(() => world.close())
  const owner = await world.newReseller()
  const answered = async (chat: TestChat, text: string, answer: string | RegExp): Promise<Message> => {
    const { message_id: after } = chat.say(text)
    return chat.waitForText(answer, { after })
  }
  const phones = [newPhone(), newPhone(), newPhone(), newPhone()]
  const [saved = '', agents = '', failed = '', imported = ''] = phones

  await answered(owner.chat, '/customers', 'Customers')
  owner.chat.press('Import')
  await owner.chat.waitForText('Import customers')
  await answered(owner.chat, `Zebedee ${saved}\nQuillon ${imported}`, 'Saved: 2')
  await answered(owner.chat, 'Zebedee 2gb', asksToConfirm)
  owner.chat.press('Confirm')
  await owner.chat.waitForText(/Zebedee[\s\S]*processing/)
  for (const search of ['Zebedee', saved])
    await answered(owner.chat, `/orders ${search}`, /Zebedee[\s\S]*BUD-API-/)
  await answered(owner.chat, '/prices', 'Selling prices')
  owner.chat.press('Set prices')
  await owner.chat.waitForText('How much do you want to add')
  await answered(owner.chat, '+2', '✅ Saved')

  // Refusals by Telegram and the provider are logged, too.
  world.telegram.addFault({ method: 'sendMediaGroup', kind: 'server_error', chat: owner.id })
  await answered(owner.chat, '/prices', 'Selling prices')
  owner.chat.press('Picture')
  await owner.chat.waitForText('What is your shop called?')
  owner.chat.say('Nightingale Data')
  await owner.chat.waitForPhoto()
  world.provider.addFault({ kind: 'bad_json', path: '/transactions', body: `{"phone":"${saved}"}` })
  await answered(owner.chat, '/transactions', keepsTrying)
  await answered(owner.chat, '/export', 'What should be in it?')
  owner.chat.press('🧾 Orders')
  await owner.chat.waitForButton('This month')
  owner.chat.press('This month')
  await owner.chat.waitForButton('CSV')
  owner.chat.press('CSV')
  await owner.chat.waitForFile()

  await answered(owner.chat, '/agents', 'Agents')
  owner.chat.press('✉️ Invite')
  const { text: invitation = '' } = await owner.chat.waitForText(invitationTitle)
  const link = /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(invitation)?.[0] ?? ''
  const { id: agentId } = world.telegram.addPerson({ first_name: 'Wilhelmina' })
  const agentChat = chatOf(world.telegram, agentId)
  await joinBy(world, { id: agentId, chat: agentChat }, link)
  await agentChat.waitForText(orderNowPhrase)
  const agent = { id: agentId, chat: agentChat, account: owner.account }
  await place(world, agent, agents)
  world.telegram.openLink(world.newPerson().id, link)

  const { reference } = await place(world, owner, failed)
  const share = await shareLink(owner)
  const { id: contactId, chat: contact } = world.newPerson()
  world.telegram.openLink(contactId, share)
  await contact.waitForButton('Ask the shop')
  contact.press('Ask the shop')
  await contact.waitForText(sendQuestion)
  await answered(contact, 'Mysterious words', questionSent)
  await owner.chat.waitForText('Mysterious words')
  world.provider.setStatus(reference, 'failed')
  await owner.chat.waitForText(/failed/)
  await answered(owner.chat, '/settings', 'Your settings')
  owner.chat.press('My data')
  await owner.chat.waitForButton('Export my data')
  owner.chat.press('Export my data')
  await world.until(
    () => world.telegram.messages(owner.id).some(({ document }) => document?.file_name === 'my-data.json'),
    'the data to be sent',
  )
  await world.bot.restart()
  await answered(owner.chat, '/start', 'Bundlegram')
  await world.bot.stop()

  const output = readOut(world.bot.output())
  expect(output).toContain('"level":"info"')
  const tokens = [link, share].map((url) => /start=(\S+)/.exec(url)?.[1] ?? '')
  expect(tokens).toEqual([expect.stringMatching(/^a[\w-]{22,}$/), expect.stringMatching(/^[\w-]{8,}$/)])
  const { apiKey, apiSecret } = owner.account
  const people = ['Zebedee', 'Quillon', 'Wilhelmina', 'Mysterious', 'Nightingale']
  const secrets = [apiKey, apiSecret, world.telegram.token, ...tokens, ...phones, ...people]
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
})

/** Sends a made-up token and an invalid body, so that the bot logs refusals. */
const expectTokensToBeChecked = async (world: World): Promise<void> => {
  const [genuine = ''] = world.provider.orders().map(({ webhookUrl }) => webhookUrl ?? '')
  const post = (url: string, body: string) => fetch(url, { method: 'POST', body })
  expect(
    (
      await post(
        genuine.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        '{}',
      )
    ).status,
  ).toBe(404)
  expect((await post(genuine, 'none')).status).toBe(400)
}
