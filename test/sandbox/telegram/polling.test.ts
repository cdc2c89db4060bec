import { InlineKeyboard } from 'grammy'
import { expect, it } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { apiOf, botOf, poll, startedChat, startSimulator } from './simulation.ts'

it('a polling bot receives a command in the simulated Telegram, and its answer appears in the chat', async () => {
  const sim = await startSimulator()
  const bot = botOf(sim)
  bot.command('start', (ctx) => ctx.reply(`Hello <b>${ctx.from?.first_name}</b>`, { parse_mode: 'HTML' }))
  await poll(bot)
  const chat = chatOf(sim, sim.state().people[0]?.id ?? 0)
  chat.say('/start')
  const answer = await chat.waitForText('Hello Reseller')
  expect(answer.entities).toEqual([{ type: 'bold', offset: 6, length: 8 }])
  expect(answer.from).toEqual({
    id: bot.botInfo.id,
    is_bot: true,
    first_name: bot.botInfo.first_name,
    username: bot.botInfo.username,
  })
  expect(sim.calls().map(({ method }) => method)).toContain('getUpdates')
})

it('a button pressed in the simulated Telegram reaches the bot, and its answer reaches the person', async () => {
  const sim = await startSimulator()
  const bot = botOf(sim)
  bot.command('buy', (ctx) =>
    ctx.reply('Buy?', {
      reply_markup: new InlineKeyboard().text('✅ Confirm', 'c:1').text('❌ Cancel', 'x:1'),
    }),
  )
  bot.callbackQuery('c:1', async (ctx) => {
    await ctx.answerCallbackQuery({ text: 'Sent', show_alert: true })
    await ctx.editMessageText(`${ctx.msg?.text} Yes.`)
  })
  await poll(bot)
  const chat = chatOf(sim, sim.addPerson().id)
  const events: string[] = []
  sim.on((event) => {
    if ('chat' in event) events.push(event.type)
  })
  chat.say('/buy')
  await chat.waitForButton('Confirm')
  const { id } = chat.press('Confirm')
  const edited = await chat.waitForText('Buy? Yes.')
  expect(edited.reply_markup).toBeUndefined()
  expect(edited.edit_date).toBeGreaterThan(0)
  expect(chat.texts()).toEqual(['Buy? Yes.'])
  expect(sim.answers(id)).toEqual({ callback_query_id: id, text: 'Sent', show_alert: true })
  expect(events).toEqual(['message', 'message', 'answer', 'edit'])
})

it('only a button still on its message can be pressed in the simulated Telegram, unless the press is “stale”', async () => {
  const { sim, person, chat, api } = await startedChat()
  const sent = await api.sendMessage(person.id, 'Choose', {
    reply_markup: new InlineKeyboard().text('One', '1'),
  })
  const press = { from: person.id, messageId: sent.message_id }
  expect(() => sim.press({ ...press, data: '2' })).toThrow('no button')
  await api.editMessageReplyMarkup(person.id, sent.message_id)
  expect(() => chat.press('One')).toThrow('no button')
  sim.press({ ...press, data: '2', stale: true })
  const [update] = await api.getUpdates({ offset: -1 })
  expect(update?.callback_query).toMatchObject({
    data: '2',
    from: { id: person.id },
    message: { text: 'Choose' },
  })
})

it('edits, forwards and replies of simulated people reach the bot as edits, forwards and replies', async () => {
  const { sim, person, first, api } = await startedChat()
  const said = { from: person.id, text: 'changed' }
  const reply = sim.say({ ...said, replyTo: first.message_id })
  const forward = sim.say({ ...said, forwarded: true })
  sim.say({ ...said, text: 'hello again', edits: first.message_id })
  const updates = await api.getUpdates()
  expect(updates.map(({ message, edited_message }) => (message ?? edited_message)?.message_id)).toEqual([
    first.message_id,
    reply.message_id,
    forward.message_id,
    first.message_id,
  ])
  expect(updates[1]?.message?.reply_to_message).toMatchObject({ text: 'hello' })
  expect(updates[2]?.message?.forward_origin).toMatchObject({ type: 'hidden_user' })
  expect(updates[3]?.edited_message).toMatchObject({ text: 'hello again' })
  expect(sim.messages(person.id).map(({ text }) => text)).toEqual(['hello again', 'changed', 'changed'])
})

it('a simulated deep link arrives as a start command with its payload', async () => {
  const { sim, person, api } = await startedChat()
  const { username } = await api.getMe()
  const message = sim.openLink(person.id, `https://t.me/${username}?start=order_1-a`)
  expect(message.text).toBe('/start order_1-a')
  expect(message.entities).toEqual([{ type: 'bot_command', offset: 0, length: 6 }])
  expect(() => sim.openLink(person.id, 'https://t.me/another_bot?start=x')).toThrow('No chat in the sandbox')
  expect(() => sim.openLink(person.id, `https://t.me/${username}?start=a+b`)).toThrow('64 letters')
})

it('the simulated Telegram delivers updates again until an offset confirms them', async () => {
  const { sim, person, api } = await startedChat()
  sim.say({ from: person.id, text: 'second' })
  const ids = (await api.getUpdates()).map(({ update_id }) => update_id)
  expect(ids).toHaveLength(2)
  expect((await api.getUpdates({ limit: 1 })).map(({ update_id }) => update_id)).toEqual(ids.slice(0, 1))
  expect((await api.getUpdates({ offset: ids[1] ?? 0 })).map(({ update_id }) => update_id)).toEqual(
    ids.slice(1),
  )
  expect(await api.getUpdates({ offset: (ids[1] ?? 0) + 1 })).toEqual([])
  expect(await api.getUpdates()).toEqual([])
})

it('a negative offset of getUpdates keeps only the newest updates', async () => {
  const { sim, person, api } = await startedChat()
  sim.say({ from: person.id, text: 'second' })
  expect(await api.getUpdates({ offset: -1 })).toMatchObject([{ message: { text: 'second' } }])
  expect(await api.getUpdates()).toHaveLength(1)
})

it('the simulated Telegram keeps no updates of kinds that the bot did not ask for', async () => {
  const { sim, person, api } = await startedChat()
  await api.getUpdates({ offset: -1, allowed_updates: ['callback_query'] })
  sim.say({ from: person.id, text: 'unheard' })
  expect(await api.getUpdates()).toHaveLength(1)
  await api.getUpdates({ allowed_updates: [] })
  sim.say({ from: person.id, text: 'heard' })
  expect(await api.getUpdates({ offset: -1 })).toMatchObject([{ message: { text: 'heard' } }])
})

it('a long poll of the simulated Telegram is answered as soon as a person writes', async () => {
  const { sim, person, api } = await startedChat()
  const [first] = await api.getUpdates()
  const waiting = api.getUpdates({ offset: (first?.update_id ?? 0) + 1, timeout: 50 })
  sim.say({ from: person.id, text: 'now' })
  expect(await waiting).toMatchObject([{ message: { text: 'now' } }])
})

it('the earlier of two waiting getUpdates calls is refused, and the other receives the next update', async () => {
  const { sim, person, api } = await startedChat()
  const [first] = await api.getUpdates()
  const offset = (first?.update_id ?? 0) + 1
  const rivals = [apiOf(sim), apiOf(sim)].map((each) => each.getUpdates({ offset, timeout: 50 }))
  // Either of the two requests may arrive first.
  const refusal = await Promise.any(rivals.map((each) => each.then(Promise.reject, (error) => error)))
  expect(refusal).toMatchObject({
    error_code: 409,
    description:
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  })
  expect(await api.getUpdates({ offset })).toEqual([])
  sim.say({ from: person.id, text: 'now' })
  expect(await Promise.any(rivals)).toMatchObject([{ message: { text: 'now' } }])
})

it('the simulated Telegram can deliver an update again under its old id or a new one', async () => {
  const { sim, api } = await startedChat()
  const [update] = await api.getUpdates()
  const next = (update?.update_id ?? 0) + 1
  expect(await api.getUpdates({ offset: next })).toEqual([])
  sim.redeliver()
  expect(await api.getUpdates({ offset: next })).toEqual([update])
  expect(await api.getUpdates({ offset: next })).toEqual([])
  sim.redeliver({ asNew: true })
  expect(await api.getUpdates({ offset: next })).toEqual([{ ...update, update_id: next }])
})

it('if a test waits in vain for a message, the error shows what is in the simulated chats', async () => {
  const { sim, chat, person, api } = await startedChat()
  await api.sendMessage(person.id, 'Something else', {
    reply_markup: new InlineKeyboard().text('Button', 'b'),
  })
  await expect(chat.waitForText('never said', { timeoutMs: 1 })).rejects.toThrow('Something else [Button]')
  await expect(sim.waitFor(() => false, { timeoutMs: 1, message: 'Nothing' })).rejects.toThrow('Nothing')
})
