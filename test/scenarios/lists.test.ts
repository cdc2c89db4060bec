import { afterAll, beforeAll, test } from 'vitest'
import { createWorld, type World } from '../support/world.ts'
import { newPhone } from './shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.close())

test('a pasted list is shown, confirmed once, and ordered', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  const [first, second, third] = [newPhone(), newPhone(), newPhone('020')]
  chat.say(`Good morning\n${first} 5\n${second} 2gb\n${third} 10\n024123456 5`)
  const card = await chat.waitForText('5 lines')
  console.log(card.text, JSON.stringify(card.reply_markup?.inline_keyboard.map((r) => r.map((k) => k.text))))
})
