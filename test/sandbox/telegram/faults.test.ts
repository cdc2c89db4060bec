import { expect, it } from 'vitest'
import { startedChat } from './simulation.ts'

it.each([
  [
    { kind: 'flood', retryAfterSeconds: 7 },
    { error_code: 429, parameters: { retry_after: 7 } },
  ],
  [{ kind: 'forbidden' }, { error_code: 403, description: 'Forbidden: bot was blocked by the user' }],
  [{ kind: 'server_error' }, { error_code: 500, description: 'Internal Server Error' }],
  [
    { kind: 'bad_request', description: 'Bad Request: X' },
    { error_code: 400, description: 'Bad Request: X' },
  ],
] as const)('the simulated fault %o refuses one call, which changes nothing', async (fault, refusal) => {
  const { sim, person, api } = await startedChat()
  sim.addFault({ method: 'sendMessage', ...fault })
  await expect(api.sendMessage(person.id, 'x')).rejects.toMatchObject(refusal)
  expect(sim.messages(person.id)).toHaveLength(1)
  await api.sendMessage(person.id, 'x')
})

it('a simulated broken connection before a call leaves no message, and one after the call leaves it', async () => {
  const { sim, person, api } = await startedChat()
  sim.addFault({ method: 'sendMessage', kind: 'reset_before' })
  await expect(api.sendMessage(person.id, 'lost')).rejects.toThrow('Network request')
  sim.addFault({ method: '*', kind: 'reset_after' })
  await expect(api.sendMessage(person.id, 'arrived')).rejects.toThrow('Network request')
  expect(sim.messages(person.id).map(({ text }) => text)).toEqual(['hello', 'arrived'])
  expect(sim.calls('sendMessage')).toMatchObject([{ ok: true, payload: { text: 'arrived' } }])
})

it('a simulated fault can be limited to one chat, last forever, and be ended', async () => {
  const { sim, person, api } = await startedChat()
  const other = sim.addPerson()
  sim.say({ from: other.id, text: 'hi' })
  sim.addFault({ method: '*', kind: 'forbidden', times: null, chat: person.id })
  await api.sendMessage(other.id, 'x')
  for (const text of ['a', 'b']) {
    await expect(api.sendMessage(person.id, text)).rejects.toMatchObject({ error_code: 403 })
  }
  sim.clearFaults()
  await api.sendMessage(person.id, 'c')
})

it('a simulated slow call takes effect only after its delay, and delays no other call', async () => {
  const { sim, person, api } = await startedChat()
  sim.addFault({ method: 'sendMessage', kind: 'slow', delayMs: 600_000 })
  const slow = expect(api.sendMessage(person.id, 'slow')).rejects.toThrow('Network request')
  for (const text of ['a', 'b', 'c']) await api.sendMessage(person.id, text).catch(() => undefined)
  expect(sim.messages(person.id).map(({ text }) => text)).not.toContain('slow')
  await sim.stop()
  await slow
})
