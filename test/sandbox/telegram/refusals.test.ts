import { InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy'
import { expect, it } from 'vitest'
import { apiOf, startedChat, startSimulator } from './simulation.ts'

const bad = (description: string) => ({ error_code: 400, description: `Bad Request: ${description}` })
const button = (fields: object) => ({ inline_keyboard: [[{ text: 'x', callback_data: 'y', ...fields }]] })

it.each([
  ['an empty text', { text: '' }, 'message text is empty'],
  ['a blank text', { text: ' \n ' }, 'text must be non-empty'],
  ['a text of only an empty tag', { text: '<b></b>', parse_mode: 'HTML' }, 'text must be non-empty'],
  ['a text that is too long', { text: 'é'.repeat(4097) }, 'message is too long'],
  [
    'an unknown tag',
    { text: 'a & <foo>', parse_mode: 'HTML' },
    'can\'t parse entities: Unsupported start tag "foo" at byte offset 4',
  ],
  [
    'an unclosed tag',
    { text: '<b>a', parse_mode: 'html' },
    'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
  ],
  ['an unknown parse_mode', { text: 'a', parse_mode: 'BBCode' }, 'unsupported parse_mode'],
  [
    'too much button data',
    { text: 'a', reply_markup: button({ callback_data: 'é'.repeat(33) }) },
    'BUTTON_DATA_INVALID',
  ],
  [
    'a button that does nothing',
    { text: 'a', reply_markup: button({ callback_data: '' }) },
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [
    'a button without a text',
    { text: 'a', reply_markup: button({ text: '' }) },
    'inline keyboard button text must be non-empty',
  ],
  [
    'a button without a text field',
    { text: 'a', reply_markup: { inline_keyboard: [[{ url: 'x.org' }]] } },
    'can\'t parse inline keyboard button: Can\'t find field "text"',
  ],
  [
    'an unknown button colour',
    { text: 'a', reply_markup: button({ style: 'green' }) },
    "can't parse inline keyboard button: invalid button style specified",
  ],
  [
    'an empty text to copy',
    { text: 'a', reply_markup: button({ callback_data: undefined, copy_text: { text: '' } }) },
    'BUTTON_COPY_TEXT_INVALID',
  ],
  [
    'a text too long to copy',
    { text: 'a', reply_markup: button({ callback_data: undefined, copy_text: { text: 'x'.repeat(257) } }) },
    'BUTTON_COPY_TEXT_INVALID',
  ],
  [
    'too long a hint in the text field',
    { text: 'a', reply_markup: { force_reply: true, input_field_placeholder: 'x'.repeat(65) } },
    'input field placeholder is too long',
  ],
  [
    'an invalid time',
    { text: '<tg-time unix="soon">a</tg-time>', parse_mode: 'HTML' },
    'can\'t parse entities: Tag "tg-time" must have a valid time and format at byte offset 0',
  ],
  [
    'an invalid array of rows',
    { text: 'a', reply_markup: { inline_keyboard: [{ text: 'x' }] } },
    'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
  ],
  [
    'a local address',
    { text: 'a', reply_markup: button({ callback_data: undefined, url: 'http://localhost/' }) },
    "inline keyboard button URL 'http://localhost/' is invalid: Wrong HTTP URL",
  ],
  [
    'an address with an unsupported protocol',
    { text: 'a', reply_markup: button({ callback_data: undefined, url: 'ftp://example.org' }) },
    "inline keyboard button URL 'ftp://example.org' is invalid: Unsupported URL protocol",
  ],
  [
    'a keyboard that is not JSON',
    { text: 'a', reply_markup: '{' },
    "can't parse reply keyboard markup JSON object",
  ],
  [
    'a reply to a missing message',
    { text: 'a', reply_parameters: { message_id: 999 } },
    'message to be replied not found',
  ],
  ['an unknown chat', { text: 'a', chat_id: 12345 }, 'chat not found'],
  ['a message without a chat', { text: 'a', chat_id: null }, 'chat_id is empty'],
])('the simulated sendMessage refuses %s', async (_, body, description) => {
  const { sim, person } = await startedChat()
  const response = await fetch(`${sim.url}/bot${sim.token}/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: person.id, ...body }),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ ok: false, ...bad(description) })
  expect(sim.messages(person.id)).toHaveLength(1)
  expect(sim.calls('sendMessage')).toMatchObject([{ ok: false, errorCode: 400 }])
})

it('the simulated sendMessage accepts the longest allowed text, data and keyboard', async () => {
  const { person, api } = await startedChat()
  const sent = await api.sendMessage(person.id, `<b>${'é'.repeat(4096)}</b>`, {
    parse_mode: 'HTML',
    reply_markup: new InlineKeyboard().text('a', 'x'.repeat(64)).url('b', 'example.org'),
  })
  expect(sent.text).toHaveLength(4096)
  expect(sent.reply_markup?.inline_keyboard[0]?.[1]).toEqual({ text: 'b', url: 'http://example.org/' })
})

it('a simulated keyboard below the text field is shown to the person and is not part of the message', async () => {
  const { sim, person, api } = await startedChat()
  const sent = await api.sendMessage(person.id, 'a', {
    reply_markup: { keyboard: [['Yes', { text: 'No' }]] },
  })
  expect(sent.reply_markup).toBeUndefined()
  expect(sim.chat(person.id).keyboard).toEqual({ rows: [['Yes', 'No']], forceReply: false })
  await api.sendMessage(person.id, 'a', { reply_markup: { remove_keyboard: true } })
  expect(sim.chat(person.id).keyboard).toBeUndefined()
  await api.sendMessage(person.id, 'a', {
    reply_markup: { force_reply: true, input_field_placeholder: 'Key' },
  })
  expect(sim.chat(person.id).keyboard).toEqual({ rows: [], forceReply: true, placeholder: 'Key' })
  sim.say({ from: person.id, text: 'a key' })
  expect(sim.chat(person.id).keyboard).toBeUndefined()
})

it('a simulated button may ask for the person’s number only in a private chat', async () => {
  const { sim, person, api } = await startedChat()
  const keyboard = [[{ text: 'My number', request_contact: true }], [{ text: 'No' }]]
  const asking = { reply_markup: { keyboard, one_time_keyboard: true, input_field_placeholder: '024…' } }
  await api.sendMessage(person.id, 'a', asking)
  expect(sim.chat(person.id).keyboard).toEqual({
    rows: [[{ text: 'My number', asksContact: true }], ['No']],
    forceReply: false,
    once: true,
    placeholder: '024…',
  })
  const { id } = sim.addGroup({ title: 'Group', members: [person.id] })
  await expect(api.sendMessage(id, 'a', asking)).rejects.toMatchObject(
    bad('phone number can be requested in private chats only'),
  )
})

it('the simulated chat keeps a button’s colour and text to copy, and whether a message is silent', async () => {
  const { sim, person, api } = await startedChat()
  const keys = [
    { text: 'Yes', callback_data: 'y', style: 'success' as const },
    { text: 'Copy', copy_text: { text: 'x'.repeat(256) } },
  ]
  const sent = await api.sendMessage(person.id, 'a', {
    disable_notification: true,
    reply_markup: { inline_keyboard: [keys] },
  })
  await api.sendMessage(person.id, 'b')
  expect(sent.reply_markup?.inline_keyboard).toEqual([keys])
  expect(sim.chat(person.id).silent).toEqual([sent.message_id])
})

it('an album in the simulated Telegram has two to ten messages of one kind', async () => {
  const { sim, person, api } = await startedChat()
  const document = (name: string) =>
    InputMediaBuilder.document(new InputFile(Buffer.from(name), `${name}.txt`), { caption: name })
  const sent = await api.sendMediaGroup(person.id, [document('a'), document('b')])
  expect(sent.map(({ caption }) => caption)).toEqual(['a', 'b'])
  const albums = sim.messages(person.id).map(({ media_group_id }) => media_group_id)
  expect(albums).toEqual([undefined, '1', '1'])
  const eleven = Array.from({ length: 11 }, (_, index) => document(`${index}`))
  await expect(api.sendMediaGroup(person.id, eleven)).rejects.toMatchObject(
    bad('too many messages to send as an album'),
  )
  await expect(api.sendMediaGroup(person.id, [document('a')])).rejects.toMatchObject(
    bad('an album holds at least 2 messages'),
  )
})

it('the simulated Telegram refuses edits that change nothing or do not fit the message, with the real one’s errors', async () => {
  const { person, first, api } = await startedChat()
  const markup = { reply_markup: new InlineKeyboard().text('a', 'x') }
  const sent = await api.sendMessage(person.id, 'text', markup)
  const document = await api.sendDocument(person.id, new InputFile(Buffer.from('x'), 'x.txt'))
  const edit = (id: number, text: string, other = {}) => api.editMessageText(person.id, id, text, other)

  await expect(edit(sent.message_id, 'text', markup)).rejects.toMatchObject(
    bad(
      'message is not modified: specified new message content and reply markup are exactly the same as a ' +
        'current content and reply markup of the message',
    ),
  )
  await expect(edit(first.message_id, 'mine')).rejects.toMatchObject(bad("message can't be edited"))
  await expect(edit(9999, 'x')).rejects.toMatchObject(bad('message to edit not found'))
  await expect(edit(document.message_id, 'x')).rejects.toMatchObject(
    bad('there is no text in the message to edit'),
  )
  await expect(api.editMessageCaption(person.id, sent.message_id, { caption: 'x' })).rejects.toMatchObject(
    bad('there is no caption in the message to edit'),
  )
  expect(await edit(sent.message_id, 'text')).toMatchObject({ text: 'text' })
  expect(await edit(sent.message_id, '<i>text</i>', { parse_mode: 'HTML' })).toMatchObject({ text: 'text' })
})

it('a message that the bot deletes disappears from the simulated chat, and can be deleted only once', async () => {
  const { sim, person, first, api } = await startedChat()
  const sent = await api.sendMessage(person.id, 'x')
  await api.deleteMessage(person.id, first.message_id)
  await expect(api.deleteMessage(person.id, first.message_id)).rejects.toMatchObject(
    bad('message to delete not found'),
  )
  await api.deleteMessages(person.id, [first.message_id, sent.message_id])
  expect(sim.messages(person.id)).toEqual([])
  expect(sim.deleted(person.id)).toEqual([
    { messageId: first.message_id, by: 'bot' },
    { messageId: sent.message_id, by: 'bot' },
  ])
  await expect(api.deleteMessages(person.id, [])).rejects.toMatchObject(
    bad('message identifiers are not specified'),
  )
})

it('a bot cannot delete a message older than 48 hours in the simulated Telegram', async () => {
  let now = Date.now()
  const { person, first, api } = await startedChat({ now: () => now })
  now += 48 * 3_600_000 + 2000
  await expect(api.deleteMessage(person.id, first.message_id)).rejects.toMatchObject(
    bad("message can't be deleted for everyone"),
  )
})

it('a bot cannot edit a message that the simulated person has deleted', async () => {
  const { sim, person, api } = await startedChat()
  const sent = await api.sendMessage(person.id, 'x')
  sim.deleteMessage({ from: person.id, messageId: sent.message_id })
  await expect(api.editMessageText(person.id, sent.message_id, 'y')).rejects.toMatchObject(
    bad('message to edit not found'),
  )
})

it('a press in the simulated Telegram can be answered only once, and only in time', async () => {
  let now = Date.now()
  const { sim, person, chat, api } = await startedChat({ now: () => now, answerableForMs: 15_000 })
  await api.sendMessage(person.id, 'x', { reply_markup: new InlineKeyboard().text('a', 'x') })
  const tooOld = bad('query is too old and response timeout expired or query ID is invalid')
  const first = chat.press('a')
  await api.answerCallbackQuery(first.id)
  await expect(api.answerCallbackQuery(first.id)).rejects.toMatchObject(tooOld)
  await expect(api.answerCallbackQuery('1')).rejects.toMatchObject(tooOld)
  const second = chat.press('a')
  now += 15_000
  await expect(api.answerCallbackQuery(second.id)).rejects.toMatchObject(tooOld)
  expect(sim.answers(second.id)).toBeUndefined()
})

it('a bot cannot write to a simulated person who blocked it or never started it', async () => {
  const { sim, person, first, api } = await startedChat()
  sim.block(person.id, true)
  const blocked = { error_code: 403, description: 'Forbidden: bot was blocked by the user' }
  await expect(api.sendMessage(person.id, 'x')).rejects.toMatchObject(blocked)
  await expect(api.sendChatAction(person.id, 'typing')).rejects.toMatchObject(blocked)
  expect(() => sim.say({ from: person.id, text: 'x' })).toThrow('unblock it first')
  await api.deleteMessage(person.id, first.message_id)
  sim.block(person.id, false)
  await api.sendMessage(person.id, 'x')
  const updates = await api.getUpdates()
  expect(updates.map(({ my_chat_member }) => my_chat_member?.new_chat_member.status)).toEqual([
    undefined,
    'kicked',
    'member',
  ])
  await expect(api.sendMessage(sim.addPerson().id, 'x')).rejects.toMatchObject({
    error_code: 403,
    description: "Forbidden: bot can't initiate conversation with a user",
  })
})

it('the simulated Telegram answers an invalid token with 401 and an unknown method with 404', async () => {
  const sim = await startSimulator()
  const answer = async (path: string) => {
    const response = await fetch(`${sim.url}${path}`)
    return { status: response.status, body: await response.json() }
  }
  const notFound = { status: 404, body: { ok: false, error_code: 404, description: 'Not Found' } }
  expect(await answer(`/bot${sim.token.slice(0, -1)}x/getMe`)).toEqual({
    status: 401,
    body: { ok: false, error_code: 401, description: 'Unauthorized' },
  })
  expect(await answer('/botnonsense/getMe')).toEqual(notFound)
  expect(await answer('/nothing')).toEqual(notFound)
  expect(await answer(`/bot${sim.token}/frobnicate`)).toEqual(notFound)
  expect(await answer(`/bot${sim.token}/sendPoll`)).toMatchObject({
    status: 404,
    body: { description: 'Not Found: sendPoll is not simulated' },
  })
  expect(await answer(`/bot${sim.token}/GETME`)).toMatchObject({ status: 200, body: { ok: true } })
  await expect(apiOf(sim).sendChatAction(0, 'typing')).rejects.toMatchObject(bad('chat not found'))
})
