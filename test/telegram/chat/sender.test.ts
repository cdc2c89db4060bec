import { expect, test } from 'vitest'
import { createPacer } from '../../../src/messaging/pacer.ts'
import { drawing, field } from '../../../src/pictures/drawing.ts'
import { render } from '../../../src/pictures/render.ts'
import { button, escapeHtml } from '../../../src/telegram/chat/screen.ts'
import { createSender } from '../../../src/telegram/chat/sender.ts'
import { startedChat } from '../../sandbox/telegram/simulation.ts'

const started = async () => {
  const { sim, person, api } = await startedChat()
  const last = () => sim.messages(person.id).at(-1)
  return { sim, sender: createSender(api, createPacer()), chatId: person.id, last }
}

test('a screen is sent to Telegram with its markup and its buttons', async () => {
  const { sender, chatId, last } = await started()
  const sent = await sender.send(chatId, { text: '<b>Hi</b>', rows: [[button('Home', { do: 'home' })]] })
  expect(sent).toEqual({ kind: 'sent', messageId: last()?.message_id })
  expect(last()).toMatchObject({ text: 'Hi', entities: [{ type: 'bold', offset: 0, length: 2 }] })
})

test('a screen replies to a message of the chat, and is sent without a reply if that message is gone', async () => {
  const { sender, chatId, last } = await started()
  const sent = await sender.send(chatId, { text: 'card' })
  const replyTo = sent.kind === 'sent' ? sent.messageId : 0
  await sender.send(chatId, { text: 'news', replyTo })
  expect(last()?.reply_to_message?.message_id).toBe(replyTo)
  await sender.remove(chatId, replyTo)
  expect(await sender.send(chatId, { text: 'more news', replyTo })).toMatchObject({ kind: 'sent' })
  expect(last()?.text).toBe('more news')
  expect(last()?.reply_to_message).toBeUndefined()
})

test('a text of 4,096 characters is sent with its markup, however long that is', async () => {
  const { sender, chatId, last } = await started()
  await sender.send(chatId, { text: `<b>${escapeHtml('&'.repeat(4096))}</b>` })
  expect(last()).toMatchObject({ text: '&'.repeat(4096), entities: [{ type: 'bold', length: 4096 }] })
})

test('a text that is too long is sent plain and cut, and a text with broken markup is sent plain', async () => {
  const { sender, chatId, last } = await started()
  expect(await sender.send(chatId, { text: `<b>${'😀'.repeat(3000)}</b>` })).toMatchObject({ kind: 'sent' })
  expect(last()?.text).toHaveLength(4096)
  expect(last()?.text).toMatch(/^😀.*…$/u)
  await sender.send(chatId, { text: 'a <i>b' })
  expect(last()?.text).toBe('a b')
})

test('a time is sent as Telegram’s date entity, and as plain text to a server that does not know it', async () => {
  const { sim, sender, chatId, last } = await started()
  const text = 'At <tg-time unix="1647531900" format="t">15:45</tg-time>, <b>sharp</b>'
  await sender.send(chatId, { text })
  expect(last()).toMatchObject({
    text: 'At 15:45, sharp',
    entities: [{ type: 'date_time' }, { type: 'bold' }],
  })
  const description = 'Bad Request: can\'t parse entities: Unsupported start tag "tg-time" at byte offset 3'
  sim.addFault({ method: 'sendMessage', kind: 'bad_request', description })
  for (const _ of [1, 2]) {
    await sender.send(chatId, { text })
    expect(last()).toMatchObject({ text: 'At 15:45, sharp', entities: [{ type: 'bold' }] })
  }
  expect(sim.calls('sendMessage')).toHaveLength(4)
})

test('a silent message is sent without a sound', async () => {
  const { sim, sender, chatId, last } = await started()
  await sender.send(chatId, { text: 'x', silent: true })
  expect(sim.chat(chatId).silent).toEqual([last()?.message_id])
})

test('an album is sent in one call, and each of its pictures counts as a message for the rate limit', async () => {
  const { sim, person, api } = await startedChat()
  const taken: number[] = []
  const pacer = createPacer()
  const counting = { ...pacer, slot: async (chatId: number) => void taken.push(chatId) }
  const pngs = [await picture('#a00'), await picture('#0a0'), await picture('#00a')]
  const sent = await createSender(api, counting).sendAlbum(person.id, pngs, '<b>Prices</b>')
  expect(taken).toEqual([person.id, person.id, person.id])
  const album = sim.messages(person.id).slice(-3)
  expect(sent).toEqual({ kind: 'sent', messageId: album[0]?.message_id })
  expect(album.map(({ caption, media_group_id }) => [caption, media_group_id])).toEqual([
    ['Prices', '1'],
    [undefined, '1'],
    [undefined, '1'],
  ])
})

test('“typing…” is left out if Telegram’s limits have no room, and its failure is ignored', async () => {
  const { sim, person, api } = await startedChat()
  const pacer = createPacer()
  await createSender(api, { ...pacer, spare: async () => false }).act(person.id, 'typing')
  expect(sim.calls('sendChatAction')).toHaveLength(0)
  sim.block(person.id, true)
  await createSender(api, pacer).act(person.id, 'typing')
  expect(sim.calls('sendChatAction')).toMatchObject([{ ok: false }])
})

test('an edit changes the message, or sends a new one if the message is gone', async () => {
  const { sender, chatId, last } = await started()
  const sent = await sender.send(chatId, { text: 'one' })
  const messageId = sent.kind === 'sent' ? sent.messageId : 0
  expect(await sender.edit(chatId, messageId, { text: 'two' })).toEqual({ kind: 'sent', messageId })
  expect(await sender.edit(chatId, messageId, { text: 'two' })).toEqual({ kind: 'sent', messageId })
  expect(last()?.text).toBe('two')
  await sender.remove(chatId, messageId)
  const anew = await sender.edit(chatId, messageId, { text: 'three' })
  expect(anew).toEqual({ kind: 'sent', messageId: last()?.message_id })
  expect(last()?.text).toBe('three')
})

test('a chat that blocked the bot or does not exist counts as blocked', async () => {
  const { sim, sender, chatId } = await started()
  sim.block(chatId, true)
  for (const chat of [chatId, 987_654_321]) {
    expect(await sender.send(chat, { text: 'x' })).toEqual({ kind: 'failed', refusal: { kind: 'blocked' } })
  }
})

const picture = (colour: string) =>
  render(drawing(200, [field({ x: 0, y: 0, width: 500, height: 90 }, colour)]))

test('a picture is sent with caption and buttons, edited in place, or sent again if the message is gone', async () => {
  const { sender, chatId, last, sim } = await started()
  const rows = [[button('Home', { do: 'home' })]]
  const sent = await sender.sendPhoto(chatId, { png: await picture('#a00'), text: '<b>Today</b>', rows })
  const messageId = sent.kind === 'sent' ? sent.messageId : 0
  expect(last()).toMatchObject({
    message_id: messageId,
    caption: 'Today',
    caption_entities: [{ type: 'bold' }],
    photo: [{ width: 1080, height: 200 }],
    reply_markup: { inline_keyboard: [[{ text: 'Home' }]] },
  })
  const other = { png: await picture('#0a0'), text: 'Week', rows }
  expect(await sender.editPhoto(chatId, messageId, other)).toEqual({ kind: 'sent', messageId })
  expect(last()).toMatchObject({ message_id: messageId, caption: 'Week' })
  const shown = sim.fileBytes(last()?.photo?.[0]?.file_id ?? '')
  expect(shown?.equals(other.png)).toBe(true)
  await sender.remove(chatId, messageId)
  const anew = await sender.editPhoto(chatId, messageId, other)
  expect(anew).toEqual({ kind: 'sent', messageId: last()?.message_id })
})

test('a caption that is too long is sent plain and cut, and a file that is not a picture is refused', async () => {
  const { sender, chatId, last } = await started()
  await sender.sendPhoto(chatId, { png: await picture('#a00'), text: `<b>${'x'.repeat(2000)}</b>` })
  expect(last()?.caption).toMatch(/^x{1023}…$/)
  const refused = await sender.sendPhoto(chatId, { png: Buffer.from('none'), text: 'x' })
  expect(refused).toMatchObject({ kind: 'failed', refusal: { kind: 'refused' } })
})

test('a text that should replace a picture is sent as a new message', async () => {
  const { sender, chatId, last } = await started()
  const sent = await sender.sendPhoto(chatId, { png: await picture('#a00'), text: 'Week' })
  const messageId = sent.kind === 'sent' ? sent.messageId : 0
  const text = await sender.edit(chatId, messageId, { text: 'Home' })
  expect(text).toEqual({ kind: 'sent', messageId: last()?.message_id })
  expect(last()).toMatchObject({ text: 'Home' })
})
