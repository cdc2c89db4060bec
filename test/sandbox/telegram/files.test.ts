import { InputFile, InputMediaBuilder } from 'grammy'
import { expect, it } from 'vitest'
import { startedChat } from './simulation.ts'

/** One transparent pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080003000501011100ffd9', 'hex')

it('a document that a bot uploads to the simulated Telegram can be downloaded byte for byte', async () => {
  const { sim, person, api } = await startedChat()
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))
  const sent = await api.sendDocument(person.id, new InputFile(bytes, 'order list (1).csv'), {
    caption: '<b>Orders</b>',
    parse_mode: 'HTML',
  })
  expect(sent.document).toMatchObject({
    file_name: 'order list (1).csv',
    mime_type: 'text/csv',
    file_size: 70_000,
  })
  expect(sent).toMatchObject({
    caption: 'Orders',
    caption_entities: [{ type: 'bold', offset: 0, length: 6 }],
  })
  expect(sim.calls('sendDocument')[0]?.payload).toEqual({
    chat_id: person.id,
    document: { name: 'order list (1).csv', size: 70_000 },
    caption: '<b>Orders</b>',
    parse_mode: 'HTML',
  })
  const { file_path } = await api.getFile(sent.document.file_id)
  const loaded = await fetch(`${sim.url}/file/bot${sim.token}/${file_path}`)
  expect(Buffer.from(await loaded.arrayBuffer()).equals(bytes)).toBe(true)
  expect((await fetch(`${sim.url}/file/bot${sim.token}/documents/nothing.csv`)).status).toBe(404)
  expect((await fetch(`${sim.url}/file/bot123:${'x'.repeat(30)}/${file_path}`)).status).toBe(401)
})

it('a bot can send a file again by its id in the simulated Telegram', async () => {
  const { person, api } = await startedChat()
  const first = await api.sendDocument(person.id, new InputFile(Buffer.from('a,b'), 'x.csv'))
  const second = await api.sendDocument(person.id, first.document.file_id)
  expect(second.document).toEqual(first.document)
})

it('a file from a simulated person arrives as a document, and a picture as a photo', async () => {
  const { sim, person, api } = await startedChat()
  const drop = { from: person.id, dataBase64: Buffer.from('0241234567 5GB').toString('base64') }
  sim.drop({ ...drop, name: 'list.txt', mime: 'text/plain', caption: '/bulk' })
  sim.drop({ from: person.id, name: 'p.png', mime: 'image/png', dataBase64: png.toString('base64') })
  sim.drop({ from: person.id, name: 'p.jpg', mime: 'image/jpeg', dataBase64: jpeg.toString('base64') })
  const [, document, first, second] = (await api.getUpdates()).map(({ message }) => message)
  expect(document).toMatchObject({
    document: { file_name: 'list.txt', mime_type: 'text/plain', file_size: 14 },
    caption: '/bulk',
    caption_entities: [{ type: 'bot_command', offset: 0, length: 5 }],
  })
  expect(first?.photo).toMatchObject([{ width: 1, height: 1, file_size: png.length }])
  expect(second?.photo).toMatchObject([{ width: 5, height: 3 }])
  const shown = await fetch(`${sim.controlUrl}/files/${first?.photo?.[0]?.file_id}`)
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true)
})

it('a test can send files as a simulated person, and read the bytes of the bot’s files', async () => {
  const { sim, person, chat, api } = await startedChat()
  const { message_id: after } = chat.sendFile('list.csv', '0241234567,5', { caption: 'for Monday' })
  const received = (await api.getUpdates()).at(-1)?.message
  expect(received).toMatchObject({
    caption: 'for Monday',
    document: { file_name: 'list.csv', mime_type: 'text/csv', file_size: 12 },
  })
  expect(sim.fileBytes(received?.document?.file_id ?? '')?.toString()).toBe('0241234567,5')
  expect(sim.fileBytes('nonsense')).toBeUndefined()
  const waiting = chat.waitForFile({ after })
  await api.sendMessage(person.id, 'One moment')
  const sent = await api.sendDocument(person.id, new InputFile(Buffer.from('a,b\r\n'), 'orders.csv'))
  expect(await waiting).toEqual({ message: sent, name: 'orders.csv', bytes: Buffer.from('a,b\r\n') })
  expect(await chat.waitForFile()).toMatchObject({ name: 'orders.csv' })
})

it('a test can find a picture that the bot sent in the simulated Telegram, with its size and bytes', async () => {
  const { person, chat, api } = await startedChat()
  const waiting = chat.waitForPhoto()
  const { message_id: after } = await api.sendMessage(person.id, 'One moment')
  const sent = await api.sendPhoto(person.id, new InputFile(png, 'p.png'), { caption: 'Look' })
  expect(await waiting).toEqual({ message: sent, width: 1, height: 1, bytes: png })
  expect(await chat.waitForPhoto({ after })).toMatchObject({ message: { caption: 'Look' } })
})

it('a bot can edit the picture and caption of a message in the simulated Telegram', async () => {
  const { person, api } = await startedChat()
  const sent = await api.sendPhoto(person.id, new InputFile(png, 'p.png'), { caption: 'a' })
  expect(await api.editMessageCaption(person.id, sent.message_id, { caption: 'b' })).toMatchObject({
    caption: 'b',
    photo: sent.photo,
  })
  const media = InputMediaBuilder.document(new InputFile(Buffer.from('x'), 'x.txt'), { caption: 'c' })
  const edited = await api.editMessageMedia(person.id, sent.message_id, media)
  expect(edited).toMatchObject({ caption: 'c', document: { file_name: 'x.txt' } })
  expect(edited).not.toHaveProperty('photo')
})

it('the simulated Telegram refuses invalid files', async () => {
  const { person, api } = await startedChat()
  const bad = (description: string) => ({ error_code: 400, description: `Bad Request: ${description}` })
  await expect(api.sendDocument(person.id, new InputFile(Buffer.alloc(0), 'x'))).rejects.toMatchObject(
    bad('file must be non-empty'),
  )
  await expect(api.sendPhoto(person.id, new InputFile(Buffer.from('no'), 'x.png'))).rejects.toMatchObject(
    bad('IMAGE_PROCESS_FAILED'),
  )
  await expect(api.sendDocument(person.id, 'attach://nothing')).rejects.toMatchObject(
    bad('there is no document in the request'),
  )
  await expect(api.getFile('nonsense')).rejects.toMatchObject(
    bad('wrong file_id or the file is temporarily unavailable'),
  )
  await expect(
    api.sendDocument(person.id, new InputFile(Buffer.from('x'), 'x'), { caption: 'x'.repeat(1025) }),
  ).rejects.toMatchObject(bad('message caption is too long'))
})

it('a bot cannot download a file of more than 20 MB from the simulated Telegram', async () => {
  const { sim, person, api } = await startedChat()
  const dataBase64 = Buffer.alloc(20 * 1024 * 1024 + 1).toString('base64')
  const { document } = sim.drop({ from: person.id, name: 'x.bin', mime: '', dataBase64 })
  await expect(api.getFile(document?.file_id ?? '')).rejects.toMatchObject({
    error_code: 400,
    description: 'Bad Request: file is too big',
  })
})
