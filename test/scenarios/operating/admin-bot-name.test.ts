// @module-tag screens
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../support/world.ts'
import { eventsKept, type Operator, operatorId, operatorOf } from './operator.ts'

/** Operators can give the bot a name, which it then sets at Telegram. */

let world: World
let operator: Operator

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
  operator = operatorOf(world)
})
afterAll(() => world?.close())

const calls = (method: string): number => world.telegram.calls(method).length

/** Sends the name under the question for it. */
const send = (name: string, awaited: string | RegExp) => {
  const { message_id: after } = operator.chat.say(name)
  return operator.chat.waitForText(awaited, { after })
}

test('a start of the bot sets no name at Telegram', () => {
  expect(calls('setMyName')).toBe(0)
})

test('an operator can name the bot, see the name, and leave the name to BotFather again', async () => {
  const { first_name: before } = world.telegram.state().bot
  const asked = await operator.go(['Bot name'], 'Send a new name')
  expect(asked.text).toContain(`Telegram shows “${before}”. The name is set in @BotFather.`)
  await send('n'.repeat(65), 'Too long: 65 characters. Send at most 64')
  await send('…', 'The name needs a letter or digit')
  expect(calls('setMyName')).toBe(0)
  await send(' Akosua\n Data <Kumasi> ', '✅ The bot is now called “Akosua Data <Kumasi>”.')
  expect(world.telegram.state().bot.first_name).toBe('Akosua Data <Kumasi>')
  const shown = await operator.press('Bot name', 'Send a new name')
  expect(shown.text).toContain('You’ve named the bot “Akosua Data <Kumasi>”.')
  await operator.press('Set it in BotFather', 'The name is set in @BotFather.')
  expect(calls('setMyName')).toBe(1)
  expect(world.telegram.state().bot.first_name).toBe('Akosua Data <Kumasi>')
  await send('Kumasi Data', '✅ The bot is now called “Kumasi Data”.')
  expect(eventsKept(world).filter((kind) => kind === 'bot_named')).toHaveLength(3)
})

test('while Telegram refuses a new name, the operator reads when the name will be set', async () => {
  world.telegram.addFault({ method: 'setMyName', kind: 'flood', retryAfterSeconds: 3600 })
  await operator.go(['Bot name'], 'Send a new name')
  await send('Ama Data', 'Telegram can’t change the name now. I’ll set it to “Ama Data” at')
  const shown = await operator.press('Bot name', 'Telegram shows “Kumasi Data”.')
  expect(shown.text).toContain('I’ll set it to “Ama Data” at')
})
