import { InputFile, InputMediaBuilder } from 'grammy'
import { expect, it } from 'vitest'
import { apiOf, startedChat, startSimulator } from './simulation.ts'

const flooded = (seconds: number) => ({
  error_code: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
})

it('the simulated limit of a private chat is a burst, then one message a second', async () => {
  let now = 1_000_000_000_000
  const { person, api } = await startedChat({ now: () => now, flood: { burstInPrivateChat: 3 } })
  for (const text of ['a', 'b', 'c']) await api.sendMessage(person.id, text)
  await expect(api.sendMessage(person.id, 'd')).rejects.toMatchObject(flooded(1))
  now += 1000
  const sent = await api.sendMessage(person.id, 'd')
  await expect(api.editMessageText(person.id, sent.message_id, 'e')).rejects.toMatchObject(flooded(1))
  await expect(api.sendChatAction(person.id, 'typing')).rejects.toMatchObject(flooded(1))
  await api.deleteMessage(person.id, sent.message_id)
})

it('each message of an album counts towards the simulated limit of a chat', async () => {
  let now = 1_000_000_000_000
  const { sim, person, api } = await startedChat({ now: () => now, flood: { burstInPrivateChat: 4 } })
  const album = ['a', 'b', 'c'].map((name) =>
    InputMediaBuilder.document(new InputFile(Buffer.from(name), `${name}.txt`)),
  )
  await api.sendMediaGroup(person.id, album)
  await expect(api.sendMediaGroup(person.id, album)).rejects.toMatchObject(flooded(2))
  now += 2000
  await api.sendMediaGroup(person.id, album)
  expect(sim.messages(person.id)).toHaveLength(7)
})

it('a refused message does not count towards the simulated limit of a chat', async () => {
  const { person, api } = await startedChat({ now: () => 1e12, flood: { burstInPrivateChat: 1 } })
  await expect(api.sendMessage(person.id, ' ')).rejects.toMatchObject({ error_code: 400 })
  await api.sendMessage(person.id, 'a')
})

it('the simulated limit of a group is twenty messages a minute', async () => {
  let now = 1_000_000_000_000
  const sim = await startSimulator({ now: () => now })
  const { id } = sim.addGroup({ title: 'Group', members: [sim.addPerson().id] })
  const api = apiOf(sim)
  for (let count = 0; count < 20; count++) await api.sendMessage(id, `${count}`)
  await expect(api.sendMessage(id, 'x')).rejects.toMatchObject(flooded(3))
  now += 3000
  await api.sendMessage(id, 'x')
})

it('the simulated limit of messages a second applies to all chats together', async () => {
  const sim = await startSimulator({ now: () => 1e12, flood: { perSecond: 2 } })
  const [one, two, three] = [sim.addPerson(), sim.addPerson(), sim.addPerson()].map(({ id }) => id)
  const api = apiOf(sim)
  for (const from of [one, two, three]) sim.say({ from: from ?? 0, text: 'hi' })
  await api.sendMessage(one ?? 0, 'a')
  await api.sendMessage(two ?? 0, 'b')
  await expect(api.sendMessage(three ?? 0, 'c')).rejects.toMatchObject(flooded(1))
})

it('the simulated Telegram refuses no message if its limits are off', async () => {
  const { sim, person, api } = await startedChat({ flood: false })
  await Promise.all(Array.from({ length: 60 }, (_, count) => api.sendMessage(person.id, `${count}`)))
  expect(sim.messages(person.id)).toHaveLength(61)
})
