import { expect } from 'vitest'
import { test } from '../support/test.ts'
import type { Reseller, World } from '../support/world.ts'
import { newPhone, place } from './shop.ts'

const newForum = (world: World, { id }: Reseller): number =>
  world.telegram.migrateGroup(world.telegram.addGroup({ title: 'Forum', members: [id] }).id).id

/** The bot's newest message in the forum with that text. */
const answered = (world: World, forum: number, text: string | RegExp, after: number) =>
  world.telegram.waitFor(
    () =>
      world.telegram
        .messages(forum)
        .findLast(
          (each) =>
            each.from?.is_bot &&
            each.message_id > after &&
            (typeof text === 'string' ? each.text?.includes(text) : text.test(each.text ?? '')),
        ),
    { message: `Waiting for ${text}` },
  )

test('a message in a group’s topic is answered there, as is news of an order that is followed there', async ({
  world,
  reseller,
}) => {
  const { reference } = await place(world, reseller, newPhone())
  const forum = newForum(world, reseller)
  const text = `/status ${reference}`
  const asked = world.telegram.say({ from: reseller.id, chat: forum, text, thread: 77 })
  const card = await answered(world, forum, 'Status: processing', asked.message_id)
  expect(card).toMatchObject({ message_thread_id: 77, is_topic_message: true })
  const data = card.reply_markup?.inline_keyboard.flat().find(({ text: label }) => label.includes('Follow'))
  world.telegram.press({
    from: reseller.id,
    chat: forum,
    messageId: card.message_id,
    data: data && 'callback_data' in data ? data.callback_data : '',
  })
  await answered(world, forum, /I’ll tell you here/, 0)
  world.provider.setStatus(reference, 'delivered')
  const told = await answered(world, forum, /✅ .*: delivered/, card.message_id)
  expect(told.message_thread_id).toBe(77)
})

test('a message in a group’s general topic is answered without a topic', async ({ world, reseller }) => {
  const { reference } = await place(world, reseller, newPhone())
  const forum = newForum(world, reseller)
  const asked = world.telegram.say({ from: reseller.id, chat: forum, text: `/status ${reference}` })
  const card = await answered(world, forum, 'Status: processing', asked.message_id)
  expect(card.message_thread_id).toBeUndefined()
  expect(world.telegram.calls('sendMessage').at(-1)?.payload).not.toHaveProperty('message_thread_id')
})

test('an answer that Telegram refuses in a group’s topic is sent without a topic', async ({
  world,
  reseller,
}) => {
  const { reference } = await place(world, reseller, newPhone())
  const forum = newForum(world, reseller)
  world.telegram.addFault({
    method: 'sendMessage',
    kind: 'bad_request',
    chat: forum,
    times: 1,
    description: 'Bad Request: message thread not found',
  })
  const text = `/status ${reference}`
  const asked = world.telegram.say({ from: reseller.id, chat: forum, text, thread: 77 })
  const card = await answered(world, forum, 'Status: processing', asked.message_id)
  expect(card.message_thread_id).toBeUndefined()
})
