import { expect, it } from 'vitest'
import { startedChat } from './simulation.ts'

const help = { command: 'help', description: 'What I do' }
const admin = { command: 'admin', description: 'For operators' }

it('a simulated chat shows its own command menu, else the menu of its kind of chat, else the default', async () => {
  const { sim, person, api } = await startedChat()
  const operator = sim.addPerson()
  sim.say({ from: operator.id, text: 'hi' })
  await api.setMyCommands([help])
  await api.setMyCommands([help, admin], { scope: { type: 'chat', chat_id: operator.id } })
  expect(sim.state().commands).toEqual([help])
  expect(sim.chat(person.id).commands).toEqual([help])
  expect(sim.chat(operator.id).commands).toEqual([help, admin])
  await api.setMyCommands([admin], { scope: { type: 'all_private_chats' } })
  expect(sim.chat(person.id).commands).toEqual([admin])
  await api.deleteMyCommands({ scope: { type: 'chat', chat_id: operator.id } })
  expect(sim.chat(operator.id).commands).toEqual([admin])
  expect(await api.getMyCommands()).toEqual([help])
})

it('the simulated Telegram refuses invalid command menus', async () => {
  const { sim, api } = await startedChat()
  const bad = (description: string) => ({ description: `Bad Request: ${description}` })
  await expect(api.setMyCommands([{ command: 'No-Go', description: 'x' }])).rejects.toMatchObject(
    bad('BOT_COMMAND_INVALID'),
  )
  await expect(api.setMyCommands([{ command: 'go', description: '' }])).rejects.toMatchObject(
    bad('BOT_COMMAND_DESCRIPTION_INVALID'),
  )
  await expect(
    api.setMyCommands([help], { scope: { type: 'chat', chat_id: sim.addPerson().id } }),
  ).rejects.toMatchObject(bad('chat not found'))
})

it('the simulated Telegram returns the bot’s profile and the people of its chats', async () => {
  const { person, api } = await startedChat()
  expect(await api.getMe()).toMatchObject({ is_bot: true, username: expect.stringMatching(/bot$/) })
  expect(await api.getChat(person.id)).toMatchObject({ type: 'private', first_name: person.first_name })
  await api.setMyDescription('Orders bundles')
  expect(await api.getMyDescription()).toEqual({ description: 'Orders bundles' })
  await api.setMyShortDescription('Bundles')
  expect(await api.getMyShortDescription()).toEqual({ short_description: 'Bundles' })
  await api.setChatMenuButton({ menu_button: { type: 'commands' } })
  expect(await api.getChatMenuButton()).toEqual({ type: 'commands' })
})
