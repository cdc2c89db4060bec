import { expect, it } from 'vitest'
import { apiOf, startSimulator } from './simulation.ts'

async function startGroup() {
  const sim = await startSimulator()
  const [creator, member] = [sim.addPerson(), sim.addPerson()]
  const { id } = sim.addGroup({ title: 'Resellers', members: [creator.id, member.id] })
  return { sim, api: apiOf(sim), id, member }
}

it('in a simulated group a bot receives commands, replies and mentions, and no other messages', async () => {
  const { sim, api, id, member } = await startGroup()
  const { username } = await api.getMe()
  const own = await api.sendMessage(id, 'Welcome')
  const say = (text: string, replyTo?: number) =>
    sim.say({ from: member.id, chat: id, text, ...(replyTo === undefined ? {} : { replyTo }) })
  say('small talk')
  say('/status X')
  say('/status@another_bot X')
  say(`/status@${username} Y`)
  say('thanks', own.message_id)
  say(`ask @${username}`)
  const updates = await api.getUpdates()
  expect(updates[0]?.my_chat_member?.new_chat_member).toMatchObject({ status: 'member' })
  expect(updates[1]?.message?.new_chat_members).toMatchObject([{ is_bot: true }])
  expect(updates.slice(2).map(({ message }) => message?.text)).toEqual([
    '/status X',
    `/status@${username} Y`,
    'thanks',
    `ask @${username}`,
  ])
  expect(updates[2]?.message?.chat).toEqual({ id, type: 'group', title: 'Resellers' })
})

it('in a simulated group a bot that is not an administrator cannot delete others’ messages', async () => {
  const { sim, api, id, member } = await startGroup()
  const theirs = sim.say({ from: member.id, chat: id, text: '/secret' })
  await expect(api.deleteMessage(id, theirs.message_id)).rejects.toMatchObject({
    error_code: 400,
    description: "Bad Request: message can't be deleted",
  })
  const own = await api.sendMessage(id, 'x')
  await api.deleteMessage(id, own.message_id)
  expect(sim.deleted(id)).toEqual([{ messageId: own.message_id, by: 'bot' }])
})

it('a simulated group that became a supergroup refuses messages to its old id and names the new one', async () => {
  const { sim, api, id } = await startGroup()
  const moved = sim.migrateGroup(id)
  await expect(api.sendMessage(id, 'x')).rejects.toMatchObject({
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: moved.id },
  })
  expect(await api.sendMessage(moved.id, 'x')).toMatchObject({ chat: { type: 'supergroup' } })
  expect((await api.getUpdates({ offset: -2 })).map(({ message }) => message)).toMatchObject([
    { migrate_to_chat_id: moved.id },
    { migrate_from_chat_id: id },
  ])
})

it('a person who is not in a simulated group cannot write there', async () => {
  const { sim, id } = await startGroup()
  expect(() => sim.say({ from: sim.addPerson().id, chat: id, text: 'x' })).toThrow('is not in chat')
  expect(() => sim.say({ from: sim.addPerson().id, chat: -1, text: 'x' })).toThrow('There is no chat')
})
