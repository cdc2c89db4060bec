// @module-tag screens
import type { Message } from 'grammy/types'
import { expect } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { pictureNotRead } from '../../../src/telegram/words/file.ts'
import { notUnderstood, spoken } from '../../../src/telegram/words/unusable.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { newPhone, postsFor } from '../shop.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

const readyOf = /(\d+) lines?: (\d+) to order/
const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, '')

/** The previews after that message, as soon as there are `count`. */
const previews = async ({ id }: Reseller, count: number, after: number): Promise<string[]> => {
  const found = () =>
    world.telegram
      .messages(id)
      .filter((message: Message) => message.message_id > after && readyOf.test(message.text ?? ''))
  await world.telegram.waitFor(() => found().length >= count, { message: `Waiting for ${count} previews` })
  return found().map(({ text = '' }) => text)
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let albums = 0
const newAlbum = () => {
  albums += 1
  return `album-${albums}`
}

test.each([
  ['first', 0],
  ['second', 1],
  ['last', 2],
])('three list files of an album share the caption of the %s file', async (_, captioned) => {
  const reseller = await world.newReseller()
  const album = newAlbum()
  const sent = [0, 1, 2].map((place) =>
    reseller.chat.sendFile(`${place}.csv`, `Phone\n${newPhone()}\n`, {
      album,
      ...(place === captioned && { caption: 'all 2gb' }),
    }),
  )
  for (const text of await previews(reseller, 3, sent.at(-1)?.message_id ?? 0)) {
    expect(text).toContain('1 to order')
    expect(text).toContain('MTN 2GB × 1')
  }
})

test('a list file of an album uses its own caption if it has one', async () => {
  const reseller = await world.newReseller()
  const album = newAlbum()
  reseller.chat.sendFile('a.csv', `${newPhone()}\n`, { album, caption: 'all 2gb' })
  const { message_id } = reseller.chat.sendFile('b.csv', `${newPhone()}\n`, { album, caption: 'all 3gb' })
  const texts = (await previews(reseller, 2, message_id)).join('\n')
  expect(texts).toContain('MTN 2GB × 1')
  expect(texts).toContain('MTN 3GB × 1')
})

test('a list file does not use the caption of another album', async () => {
  const reseller = await world.newReseller()
  const { message_id } = reseller.chat.sendFile('a.csv', `${newPhone()}\n`, {
    album: newAlbum(),
    caption: 'all 2gb',
  })
  await previews(reseller, 1, message_id)
  const { message_id: after } = reseller.chat.sendFile('b.csv', `${newPhone()}\n`, { album: newAlbum() })
  const [text] = await previews(reseller, 1, after)
  expect(text).toContain('0 to order')
})

test('a bundle chosen in /bulk applies to all list files of the next album', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  chat.say('/bulk')
  await chat.waitForButton('MTN')
  chat.press('MTN')
  await chat.waitForButton('2GB · GHS 9.60')
  chat.press('2GB · GHS 9.60')
  await chat.waitForText('Now send the numbers')
  const album = newAlbum()
  chat.sendFile('a.csv', `${newPhone()}\n`, { album })
  const { message_id } = chat.sendFile('b.csv', `${newPhone()}\n`, { album })
  for (const text of await previews(reseller, 2, message_id)) expect(text).toContain('MTN 2GB × 1')
})

test('the caption of a picture is read as an order, a list or a command like any text', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  const phone = newPhone()
  const { message_id: order } = chat.sendFile('screen.png', picture, { caption: `${phone} 2GB` })
  const card = await chat.waitForText(asksToConfirm, { after: order })
  expect(card.text).toContain(phone)
  chat.press('Confirm')
  await world.until(() => postsFor(world, phone).length === 1, 'the order')
  const { message_id: list } = chat.sendFile('screen.png', picture, {
    caption: `${newPhone()} 1gb\n${newPhone()} 2gb`,
  })
  expect(await previews(reseller, 1, list)).toEqual([expect.stringContaining('2 lines: 2 to order')])
  const { message_id: word } = chat.sendFile('screen.png', picture, { caption: 'balance' })
  await chat.waitForText('Balance: GHS', { after: word })
})

test('a picture without an order in its caption is refused, and an album of such pictures gets a single refusal', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  const refusals = () => chat.texts().filter((text) => text === plain(pictureNotRead)).length
  chat.sendFile('screen.png', picture, { caption: 'my list of today' })
  await world.telegram.waitFor(() => refusals() === 1)
  chat.sendFile('screen.png', picture)
  await world.telegram.waitFor(() => refusals() === 2)
  const album = newAlbum()
  for (let sent = 0; sent < 3; sent += 1) chat.sendFile('screen.png', picture, { album })
  await world.telegram.waitFor(() => refusals() === 3)
  const { message_id } = chat.say('/help')
  await chat.waitForText(/./, { after: message_id })
  expect(refusals()).toBe(3)

  const captioned = newAlbum()
  chat.sendFile('1.png', picture, { album: captioned })
  const { message_id: after } = chat.sendFile('2.png', picture, {
    album: captioned,
    caption: `${newPhone()} 2GB`,
  })
  await chat.waitForText(asksToConfirm, { after })
  expect(refusals()).toBe(3)
})

test('a voice note gets the answer for voice notes, and a sticker the answer for what the bot does not understand', async () => {
  const [reseller, stranger] = [await world.newReseller(), world.newPerson()]
  for (const { id } of [reseller, stranger]) world.telegram.sendOther({ from: id, kind: 'voice' })
  await reseller.chat.waitForText(plain(spoken(true)))
  await stranger.chat.waitForText(plain(spoken(false)))
  world.telegram.sendOther({ from: reseller.id, kind: 'sticker' })
  await reseller.chat.waitForText(plain(notUnderstood(true)))
})
