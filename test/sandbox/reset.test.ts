import { expect, test } from 'vitest'
import { chatOf } from '../../src/sandbox/index.ts'
import { clientOf, latest, startProvider } from './provider/client.ts'
import { apiOf, botOf, poll, startSimulator } from './telegram/simulation.ts'

test('a reset takes the simulated provider back to its start, and its clients go on unchanged', async () => {
  const accounts = [{ id: 'one', balancePesewas: 10_000 }]
  const provider = await startProvider({ accounts, settings: { lookUp: 'all' } })
  const { state, ledger } = { state: provider.state(), ledger: provider.ledger() }
  const client = clientOf(provider, provider.account('one'))
  await client.order()
  provider.setStatus(latest(provider), 'delivered')
  provider.addAccount({ id: 'two' })
  provider.setAccount('one', { apiKey: 'another', balancePesewas: 1, disabled: true, prices: { 1: 2 } })
  provider.addFault({ kind: 'hang', path: '*', times: null })
  provider.settings({ clockSkewMs: 60_000, lookUp: 'own' })
  for (let resets = 0; resets < 2; resets++) {
    await provider.reset()
    expect(provider.state()).toEqual(state)
    expect(provider.ledger()).toEqual(ledger)
    expect((await client.order()).status).toBe(201)
  }
})

test('a reset of the simulated provider ends pending deliveries and callbacks', async () => {
  const provider = await startProvider({ settings: { deliverAfterMs: 30, callbackDelayMs: 30 } })
  const client = clientOf(provider)
  await client.order({ webhook_url: 'http://127.0.0.1:9/' })
  await provider.reset()
  await provider.idle()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(provider.orders()).toEqual([])
  expect(provider.callbacks()).toEqual([])
})

test('a reset of the simulated Telegram empties all chats, and the bot goes on with the next update', async () => {
  const telegram = await startSimulator({ flood: { burstInPrivateChat: 1 } })
  const bot = botOf(telegram)
  bot.on('message', (ctx) => ctx.reply('Hello'))
  await bot.api.setMyCommands([{ command: 'start', description: 'Begin' }])
  await poll(bot)
  const seen = () => {
    const { people, chats, commands } = telegram.state()
    return structuredClone({ people, chats, commands })
  }
  const atFirst = seen()
  const [person] = atFirst.people
  if (!person) throw new Error('There is nobody.')
  for (let resets = 0; resets < 2; resets++) {
    const chat = chatOf(telegram, person.id)
    const { message_id } = chat.say('Hi')
    expect(message_id).toBe(1)
    await chat.waitForText('Hello')
    await bot.api.setMyCommands([{ command: 'more', description: 'For one chat' }], {
      scope: { type: 'chat', chat_id: person.id },
    })
    telegram.addPerson()
    telegram.block(person.id, true)
    telegram.addFault({ method: 'sendMessage', kind: 'forbidden', times: null })
    telegram.reset()
    expect(seen()).toEqual(atFirst)
    expect(telegram.calls()).toEqual([])
    expect(telegram.history().entries).toEqual([])
    expect(() => telegram.redeliver()).toThrow('There is no such update.')
  }
})

test('both simulators of the sandbox keep each request with its answer', async () => {
  const provider = await startProvider()
  await clientOf(provider).get('/wallet/balance')
  const [request] = provider.requests()
  expect(request).toMatchObject({ method: 'GET', path: '/wallet/balance', status: 200, accountId: 'agent' })
  expect(JSON.parse(request?.answer ?? '')).toMatchObject({ success: true, balance: 500 })

  const telegram = await startSimulator()
  await apiOf(telegram).getMyName()
  await expect(apiOf(telegram).sendMessage(1, 'Hi')).rejects.toThrow('chat not found')
  expect(telegram.calls()).toMatchObject([
    { method: 'getMyName', payload: {}, ok: true, result: { name: 'Bundlegram' } },
    { method: 'sendMessage', payload: { chat_id: 1, text: 'Hi' }, ok: false, errorCode: 400 },
  ])
})
