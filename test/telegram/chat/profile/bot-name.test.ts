import { expect, test } from 'vitest'
import { chooseName, publishName } from '../../../../src/telegram/chat/profile/bot-name.ts'
import { publishProfile } from '../../../../src/telegram/chat/profile/profile.ts'
import { apiOf, startSimulator } from '../../../sandbox/telegram/simulation.ts'

const minuteMs = 60_000

/** A bot called "Bundles" on a database of its own. */
const newStage = async () => {
  const sim = await startSimulator({ bot: { first_name: 'Bundles' } })
  const known = new Map<string, string>()
  let at = Date.parse('2026-11-21T08:00:00Z')
  const bot = {
    api: apiOf(sim),
    botId: 1,
    facts: {
      read: async (name: string) => known.get(name) ?? null,
      write: async (name: string, value: string) => void known.set(name, value),
    },
    now: () => new Date(at),
  }
  return {
    sim,
    bot,
    wait: (ms: number) => {
      at += ms
    },
    calls: () => sim.calls().map(({ method }) => method),
    shown: async () => (await bot.api.getMyName()).name,
  }
}

test('the bot leaves its name to BotFather if no operator chose one', async () => {
  const { bot, calls } = await newStage()
  expect(await publishName(bot)).toEqual({ kind: 'left' })
  expect(calls()).toEqual([])
})

test('a name chosen for the bot is sent to Telegram once, and a later change at BotFather stays', async () => {
  const { bot, calls, shown } = await newStage()
  await chooseName(bot, 'Akosua Data')
  expect(await publishName(bot)).toEqual({ kind: 'published', name: 'Akosua Data' })
  expect(await shown()).toBe('Akosua Data')
  await bot.api.setMyName('Named at BotFather')
  const before = calls().length
  expect(await publishName(bot)).toEqual({ kind: 'published', name: 'Akosua Data' })
  expect(calls()).toHaveLength(before)
})

test('choosing the same name for the bot again sends it to Telegram again', async () => {
  const { bot, shown } = await newStage()
  await chooseName(bot, 'Akosua Data')
  await publishName(bot)
  await bot.api.setMyName('Named at BotFather')
  await chooseName(bot, 'Akosua Data')
  await publishName(bot)
  expect(await shown()).toBe('Akosua Data')
})

test('a chosen name that the bot has already is not sent, because Telegram allows few changes', async () => {
  const { bot, calls } = await newStage()
  await chooseName(bot, 'Bundles')
  expect(await publishName(bot)).toEqual({ kind: 'published', name: 'Bundles' })
  expect(calls()).toEqual(['getMyName'])
})

test('leaving the bot’s name to BotFather again does not change the present name', async () => {
  const { bot, calls, shown } = await newStage()
  await chooseName(bot, 'Akosua Data')
  await publishName(bot)
  const before = calls().length
  await chooseName(bot, null)
  expect(await publishName(bot)).toEqual({ kind: 'left' })
  expect(calls()).toHaveLength(before)
  expect(await shown()).toBe('Akosua Data')
})

test('after a 429 the bot’s name is not sent again until the wait is over', async () => {
  const { sim, bot, calls, wait, shown } = await newStage()
  sim.addFault({ method: 'setMyName', kind: 'flood', retryAfterSeconds: 3600 })
  await chooseName(bot, 'Akosua Data')
  const waiting = { kind: 'waiting', name: 'Akosua Data', until: new Date('2026-11-21T09:00:00Z') }
  expect(await publishName(bot)).toEqual(waiting)
  const before = calls().length
  wait(59 * minuteMs)
  expect(await publishName(bot)).toEqual(waiting)
  expect(calls()).toHaveLength(before)
  wait(minuteMs)
  expect(await publishName(bot)).toEqual({ kind: 'published', name: 'Akosua Data' })
  expect(await shown()).toBe('Akosua Data')
})

test('a name of the bot is sent again a minute later if Telegram’s answer is lost', async () => {
  const { sim, bot, wait, shown } = await newStage()
  sim.addFault({ method: 'setMyName', kind: 'server_error' })
  await chooseName(bot, 'Akosua Data')
  expect(await publishName(bot)).toMatchObject({ kind: 'waiting' })
  wait(minuteMs)
  expect(await publishName(bot)).toMatchObject({ kind: 'published' })
  expect(await shown()).toBe('Akosua Data')
})

test('a name of the bot that Telegram refused is not sent again', async () => {
  const { sim, bot, calls } = await newStage()
  sim.addFault({ method: 'setMyName', kind: 'bad_request' })
  await chooseName(bot, 'Telegram')
  expect(await publishName(bot)).toEqual({ kind: 'refused', name: 'Telegram' })
  const before = calls().length
  expect(await publishName(bot)).toEqual({ kind: 'refused', name: 'Telegram' })
  expect(calls()).toHaveLength(before)
})

test('a name chosen while the bot’s previous one is being sent to Telegram is sent too', async () => {
  const { bot, shown } = await newStage()
  await chooseName(bot, 'Akosua Data')
  const api = {
    getMyName: () => bot.api.getMyName(),
    setMyName: async (name: string) => {
      await chooseName(bot, 'Ama Data')
      return bot.api.setMyName(name)
    },
  }
  await publishName({ ...bot, api })
  expect(await publishName(bot)).toEqual({ kind: 'published', name: 'Ama Data' })
  expect(await shown()).toBe('Ama Data')
})

test('each bot on a database has its own chosen name', async () => {
  const { bot } = await newStage()
  await chooseName(bot, 'Akosua Data')
  expect(await publishName({ ...bot, botId: 2 })).toEqual({ kind: 'left' })
})

test('the bot sends the chosen name with the rest of its profile at the start', async () => {
  const { bot, shown } = await newStage()
  await chooseName(bot, 'Akosua Data')
  await publishProfile({
    ...bot,
    onTrouble: (error) => {
      throw error
    },
  })
  expect(await shown()).toBe('Akosua Data')
})
