import { expect, it } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { startedChat } from './simulation.ts'

it('a contact sent by a simulated person arrives with its number as in the address book', async () => {
  const { sim, person, api } = await startedChat()
  const chat = chatOf(sim, person.id)
  chat.sendContact('Kofi', '+233 24 123 4567')
  chat.sendContact('Ama', '0201112223', { lastName: 'Serwaa', forwarded: true })
  const [, first, second] = (await api.getUpdates()).map(({ message }) => message)
  expect(first?.contact).toEqual({ phone_number: '+233 24 123 4567', first_name: 'Kofi' })
  expect(first?.text).toBeUndefined()
  expect(first?.forward_origin).toBeUndefined()
  expect(second?.contact).toEqual({
    phone_number: '0201112223',
    first_name: 'Ama',
    last_name: 'Serwaa',
  })
  expect(second?.forward_origin).toMatchObject({ type: 'hidden_user' })
})

it.each([
  ['voice', { voice: { duration: 3 } }],
  ['sticker', { sticker: { emoji: '👍' } }],
  ['location', { location: { latitude: 5.6037, longitude: -0.187 } }],
] as const)('a simulated %s message arrives with the fields that Telegram sends', async (kind, expected) => {
  const { sim, person, api } = await startedChat()
  const sent = await fetch(`${sim.controlUrl}/others`, {
    method: 'POST',
    body: JSON.stringify({ from: person.id, kind }),
  })
  expect(await sent.json()).toMatchObject(expected)
  expect((await api.getUpdates()).at(-1)?.message).toMatchObject(expected)
})

it('a script can send a contact as a simulated person, and an invalid one is refused', async () => {
  const { sim, person } = await startedChat()
  const post = (body: object) =>
    fetch(`${sim.controlUrl}/contacts`, { method: 'POST', body: JSON.stringify(body) })
  const sent = await post({ from: person.id, firstName: 'Kofi', phoneNumber: '233241234567' })
  expect(await sent.json()).toMatchObject({
    contact: { first_name: 'Kofi', phone_number: '233241234567' },
  })
  const own = { from: person.id, firstName: 'Kofi', phoneNumber: person.phoneNumber, userId: person.id }
  expect(await (await post(own)).json()).toMatchObject({
    contact: { phone_number: person.phoneNumber, user_id: person.id },
  })
  expect((await post({ from: person.id, firstName: ' ', phoneNumber: '0241234567' })).status).toBe(400)
  expect((await post({ from: person.id, firstName: 'Kofi' })).status).toBe(400)
  expect((await post({ from: 1, firstName: 'Kofi', phoneNumber: '0241234567' })).status).toBe(404)
})
