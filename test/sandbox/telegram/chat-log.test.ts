import { InlineKeyboard } from 'grammy'
import { expect, it } from 'vitest'
import { startedChat } from './simulation.ts'

it('the simulated chat’s history keeps each version of a message, the presses of its buttons and its deletion', async () => {
  const { sim, person, chat, first, api } = await startedChat({ now: () => 5_000 })
  const keyboard = new InlineKeyboard().text('Confirm', 'yes')
  const sent = await api.sendMessage(person.id, '<b>one</b>', {
    parse_mode: 'HTML',
    reply_markup: keyboard,
    reply_parameters: { message_id: first.message_id },
  })
  chat.press('Confirm')
  await api.editMessageText(person.id, sent.message_id, 'two')
  await api.deleteMessage(person.id, sent.message_id)
  const common = { at: 5_000, chat: person.id, messageId: sent.message_id, by: 'bot' }
  const replyTo = first.message_id
  expect(sim.history()).toEqual({
    isPaced: true,
    entries: [
      { ...common, messageId: replyTo, by: 'person', kind: 'sent', text: 'hello', buttons: [] },
      { ...common, kind: 'sent', text: 'one', buttons: ['Confirm'], replyTo },
      { ...common, by: 'person', kind: 'pressed', text: 'yes' },
      { ...common, kind: 'edited', text: 'two', buttons: [], replyTo },
      { ...common, kind: 'deleted' },
    ],
  })
})

it('the simulated chat’s history marks a message whose answer never reached the bot', async () => {
  const { sim, person, api } = await startedChat({ flood: false })
  sim.addFault({ method: 'sendMessage', kind: 'reset_after' })
  await expect(api.sendMessage(person.id, 'one')).rejects.toThrow()
  await api.sendMessage(person.id, 'two')
  const { isPaced, entries } = sim.history()
  expect(isPaced).toBe(false)
  expect(entries.map(({ text, lost }) => [text, lost])).toEqual([
    ['hello', undefined],
    ['one', true],
    ['two', undefined],
  ])
})
