import { expect, test } from 'vitest'
import type { TestChat } from '../../src/sandbox/telegram/index.ts'
import { createWorld, databaseBytes, type World } from '../support/world.ts'
import { askFor, cardReads, newPhone, order, ordersFor, place } from './shop.ts'

test('after a whole journey at trace level no secret is in the output, the database or any message', async ({
  onTestFinished,
}) => {
  const world = await createWorld()
  onTestFinished(() => world.close())
  const account = world.provider.addAccount({ accountType: 'agent', balancePesewas: 20_000 })
  const wrong = ['sim-key-of-nobody-at-all', 'sim-secret-of-nobody-at-all']
  const answered = async (chat: TestChat, text: string, answer: string | RegExp): Promise<void> => {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(answer, { after })
  }

  const { chat: clumsy } = world.newPerson()
  await answered(clumsy, '/connect', 'Copy the API key')
  await answered(clumsy, wrong[0] ?? '', 'Now send the API secret')
  await answered(clumsy, wrong[1] ?? '', 'refused this key and secret')
  await answered(clumsy, `/connect ${wrong.join(' ')}`, 'refused this key and secret')
  await answered(clumsy, '/connect', 'Copy the API key')
  await answered(clumsy, `${account.apiKey}\nand\n${account.apiSecret}`, 'does not look like')

  const { id, chat } = world.newPerson()
  await answered(chat, '/connect', 'Copy the API key')
  await answered(chat, account.apiKey, 'Now send the API secret')
  await answered(chat, account.apiSecret, 'Connected.')
  await answered(chat, '/connect', 'To replace the credentials')
  await answered(chat, `${account.apiKey} ${account.apiSecret}`, 'Connected.')

  const reseller = { id, chat, account }
  const phones = [newPhone(), newPhone(), newPhone()]
  const [delivered = '', lost = '', refused = ''] = phones
  const { reference } = await place(world, reseller, delivered)
  world.provider.setStatus(reference, 'delivered')
  await chat.waitForText(': delivered')
  await expectTokensToBeChecked(world)

  const { chat: partner, id: partnerId } = world.newPerson()
  await answered(partner, `/connect ${account.apiKey} ${account.apiSecret}`, 'Connected.')
  const second = { id: partnerId, chat: partner, account }
  world.provider.addFault({ kind: 'answer_lost' })
  world.provider.addFault({ kind: 'callback_never' })
  await cardReads(world, second, await order(second, lost), /unconfirmed/)
  world.provider.addFault({ kind: 'reset_before', path: '/wallet/balance' })
  await answered(partner, '/balance', 'Could not read')
  world.provider.addFault({ kind: 'bad_json', path: '/transactions', body: `{"key":"${account.apiKey}"}` })
  await answered(partner, '/transactions', 'Could not read')
  const message = `${account.apiKey} with ${account.apiSecret} may not buy`
  const card = await askFor(second, refused)
  world.provider.addFault({ kind: 'refuse', status: 422, message })
  partner.press('Confirm')
  await cardReads(world, second, card, /rejected/)
  world.telegram.addFault({ method: 'sendMessage', kind: 'server_error', chat: partnerId })
  await answered(partner, '/orders', 'Your orders')
  await world.bot.restart()
  await answered(chat, '/start', 'Bundlegram')
  await world.bot.stop()

  const tokens = ordersFor(world, delivered).map(({ webhookUrl }) => webhookUrl?.split('/').at(-1) ?? '')
  expect(tokens).toEqual([expect.stringMatching(/^[\w-]{40,}$/)])
  const credentials = [account.apiKey, account.apiSecret, ...wrong]
  const output = world.bot.output()
  expect(output).toContain('"level":"info"')
  for (const secret of [...credentials, world.telegram.token, ...tokens, ...phones]) {
    expect(output).not.toContain(secret)
  }
  const database = await databaseBytes(world.databasePath)
  expect(database).toContain(delivered)
  for (const secret of [...credentials, world.telegram.token, ...tokens])
    expect(database).not.toContain(secret)
  const chats = JSON.stringify(world.telegram.state().chats)
  const sent = JSON.stringify(world.telegram.calls())
  expect(sent).toContain(delivered)
  for (const secret of [...credentials, world.telegram.token, ...tokens]) {
    expect(chats).not.toContain(secret)
    expect(sent).not.toContain(secret)
  }
})

/** A made-up token and a body that is none are refused, which makes the bot log what it logs about refusals. */
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
