import { Api, Bot } from 'grammy'
import { onTestFinished } from 'vitest'
import {
  chatOf,
  createTelegram,
  type TelegramOptions,
  type TelegramSimulator,
} from '../../../src/sandbox/index.ts'

/** A simulator that ends with the test. */
export async function startSimulator(options: TelegramOptions = {}): Promise<TelegramSimulator> {
  const sim = await createTelegram(options)
  onTestFinished(() => sim.stop())
  return sim
}

export const apiOf = (sim: TelegramSimulator) => new Api(sim.token, { apiRoot: sim.url })

export function botOf(sim: TelegramSimulator): Bot {
  const bot = new Bot(sim.token, { client: { apiRoot: sim.url } })
  bot.catch(({ error }) => {
    throw error
  })
  return bot
}

/** Runs a bot by long polling until the test ends; resolves when it asks for updates. */
export async function poll(bot: Bot): Promise<void> {
  await new Promise<void>((resolve) => {
    void bot.start({ onStart: () => resolve() })
  })
  onTestFinished(() => bot.stop())
}

/** A simulator with one person whose chat exists, and the API as a bot calls it. */
export async function startedChat(options: TelegramOptions = {}) {
  const sim = await startSimulator(options)
  const person = sim.addPerson()
  const chat = chatOf(sim, person.id)
  const first = chat.say('hello')
  return { sim, person, chat, first, api: apiOf(sim) }
}
