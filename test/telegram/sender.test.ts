import { expect, test } from 'vitest'
import { createPacer } from '../../src/relay/pacer.ts'
import { escapeHtml, key } from '../../src/telegram/screen.ts'
import { createSender } from '../../src/telegram/sender.ts'
import { startedChat } from '../sandbox/telegram/simulation.ts'

const started = async () => {
  const { sim, person, api } = await startedChat()
  const last = () => sim.messages(person.id).at(-1)
  return { sim, sender: createSender(api, createPacer()), chatId: person.id, last }
}

test('a screen is sent with its markup and its buttons', async () => {
  const { sender, chatId, last } = await started()
  const sent = await sender.send(chatId, { text: '<b>Hi</b>', rows: [[key('Home', { do: 'home' })]] })
  expect(sent).toEqual({ kind: 'sent', messageId: last()?.message_id })
  expect(last()).toMatchObject({ text: 'Hi', entities: [{ type: 'bold', offset: 0, length: 2 }] })
})

test('4,096 characters go with their markup, however long it is written', async () => {
  const { sender, chatId, last } = await started()
  await sender.send(chatId, { text: `<b>${escapeHtml('&'.repeat(4096))}</b>` })
  expect(last()).toMatchObject({ text: '&'.repeat(4096), entities: [{ type: 'bold', length: 4096 }] })
})

test('what is too long goes plain and cut, and what cannot be parsed goes plain', async () => {
  const { sender, chatId, last } = await started()
  expect(await sender.send(chatId, { text: `<b>${'😀'.repeat(3000)}</b>` })).toMatchObject({ kind: 'sent' })
  expect(last()?.text).toHaveLength(4096)
  expect(last()?.text).toMatch(/^😀.*…$/u)
  await sender.send(chatId, { text: 'a <i>b' })
  expect(last()?.text).toBe('a b')
})

test('an edit changes the message; the same again is a success; what is gone is sent anew', async () => {
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

test('a chat that blocked the bot is told as such, and so is one that is not there', async () => {
  const { sim, sender, chatId } = await started()
  sim.block(chatId, true)
  for (const chat of [chatId, 987_654_321]) {
    expect(await sender.send(chat, { text: 'x' })).toEqual({ kind: 'failed', refusal: { kind: 'blocked' } })
  }
})
