import { expect } from 'vitest'
import { sendAgain } from '../../../src/telegram/chat/updates/outage-words.ts'
import { test } from '../../support/test.ts'
import { newPhone, ordersFor } from '../shop.ts'

/** Telegram delivers people's messages but accepts no answers. */

test('a person who wrote while Telegram accepted no answers is asked once to write again', async ({
  world,
  reseller,
}) => {
  const phone = newPhone()
  const tries = 3
  const typed = [`${phone} 1GB`, '/balance']
  // Each answer fails as often as it is tried, and the first tries of the notice fail too.
  const fault = { method: 'sendMessage', kind: 'server_error', chat: reseller.id } as const
  world.telegram.addFault({ ...fault, times: tries * typed.length + 2 })
  for (const text of typed) reseller.chat.say(text)
  await reseller.chat.waitForText(sendAgain)
  const { message_id: asked } = reseller.chat.say(`${phone} 1GB`)
  await reseller.chat.waitForText(/MTN 1GB/, { after: asked })
  expect(reseller.chat.texts().filter((text) => text === sendAgain)).toHaveLength(1)
  expect(ordersFor(world, phone)).toEqual([])
})
