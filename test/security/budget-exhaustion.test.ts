import { expect, test } from 'vitest'
import { followsOpen } from '../../src/telegram/cards/words/follower.ts'
import { newPhone, order, place, shareLink } from '../scenarios/shop.ts'
import { createWorld } from '../support/world.ts'

/** The provider limits an account's requests, and strangers must not use them up. */

const strangers = 10

test('strangers cannot cause a request with an account’s key, whatever they look up, open, follow or press', async ({
  onTestFinished,
}) => {
  const world = await createWorld()
  onTestFinished(() => world.close())
  const reseller = await world.newReseller()
  const { reference } = await place(world, reseller, newPhone())
  const link = await shareLink(reseller)
  const asked = () => world.provider.requests().length
  const before = asked()

  await Promise.all(
    Array.from({ length: strangers }, async (_, number) => {
      const { id, chat } = world.newPerson()
      const says = async (text: string, answer: string | RegExp): Promise<void> => {
        const { message_id: after } = chat.say(text)
        await chat.waitForText(answer, { after })
      }
      await says(`/status ${reference}`, 'Status: processing')
      world.telegram.openLink(id, link)
      await chat.waitForText(followsOpen)
      for (const label of ['Refresh', 'Unfollow', 'Follow', 'Refresh']) {
        const { id: press } = chat.press(label)
        await world.telegram.waitFor(() => world.telegram.answers(press), {
          message: `the answer to ${label}`,
        })
        await chat.waitForButton(label === 'Unfollow' ? 'Follow' : 'Unfollow')
      }
      for (let guess = 0; guess < 4; guess += 1)
        await says(`BUD-API-GUESS${number}${guess}-1`, 'No order found')
      for (const command of ['/balance', '/transactions', '/bundles', '0241234567 2GB'])
        await says(command, '/connect')
    }),
  )

  // In the meantime, only the bot's own polls for the owner may arrive, and no other request.
  const since = world.provider.requests().slice(before)
  expect(since.filter(({ path }) => !path.startsWith(`/order/status/${reference}`))).toEqual([])
  expect(since.length).toBeLessThanOrEqual(2)
  await order(reseller, newPhone())
  await reseller.chat.waitForText(/processing/)
})
