import { expect, test } from 'vitest'
import { publishProfile } from '../../../../src/telegram/chat/profile/profile.ts'
import { description, shortDescription } from '../../../../src/telegram/chat/profile/profile-words.ts'
import { apiOf, startSimulator } from '../../../sandbox/telegram/simulation.ts'

/** A bot that starts again and again on one database. */
const newStage = async () => {
  const sim = await startSimulator()
  const known = new Map<string, string>()
  const troubles: unknown[] = []
  const start = async (botId = 1): Promise<string[]> => {
    const before = sim.calls().length
    await publishProfile({
      api: apiOf(sim),
      botId,
      now: () => new Date(),
      facts: {
        read: async (name) => known.get(name) ?? null,
        write: async (name, value) => void known.set(name, value),
      },
      onTrouble: (error) => troubles.push(error),
    })
    return sim
      .calls()
      .slice(before)
      .map(({ method }) => method)
  }
  return { sim, api: apiOf(sim), start, troubles }
}

const changes = (methods: string[]) => methods.filter((method) => method.startsWith('set'))

test('the first start sets the bot’s profile at Telegram, and later starts make no calls', async () => {
  const { api, start } = await newStage()
  expect(changes(await start())).toEqual(['setMyDescription', 'setMyShortDescription'])
  expect(await api.getMyDescription()).toEqual({ description })
  expect(await api.getMyShortDescription()).toEqual({ short_description: shortDescription })
  expect(await start()).toEqual([])
})

test('a start sets only the parts of the bot’s profile that differ, for each bot separately', async () => {
  const { api, start } = await newStage()
  await api.setMyDescription(description)
  await api.setChatMenuButton({ menu_button: { type: 'default' } })
  expect(changes(await start())).toEqual(['setMyShortDescription', 'setChatMenuButton'])
  expect(changes(await start(2))).toEqual([])
  expect(await start(2)).toEqual([])
})

test('a bot’s profile that could not be set is reported and set at the next start', async () => {
  const { sim, start, troubles } = await newStage()
  sim.addFault({ method: 'setMyDescription', kind: 'server_error' })
  await start()
  expect(troubles).toHaveLength(1)
  expect(changes(await start())).toEqual(['setMyDescription', 'setMyShortDescription'])
})
