import { expect, onTestFinished, test } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { keepsTrying } from '../../../src/telegram/features/wallet/unanswered-words.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { createWorld } from '../../support/world.ts'
import { cardReads, newPhone, order, place } from '../shop.ts'

test('messages whose ids need more than 32 bits work as cards, followed orders, warnings and open questions', async () => {
  const firstMessageId = 2 ** 51
  const world = await createWorld({ firstMessageId })
  onTestFinished(() => world.close())
  const reseller = await world.newReseller()
  const { chat, account } = reseller

  const placed = await place(world, reseller, newPhone())
  const follower = world.newPerson()
  follower.chat.say(placed.reference)
  const followed = await follower.chat.waitForText(placed.reference)
  expect(followed.message_id).toBeGreaterThan(firstMessageId)
  follower.chat.press('Follow')
  await cardReads(world, follower, followed, /I’ll tell you here when it arrives/)
  world.provider.setStatus(placed.reference, 'delivered')
  await cardReads(world, follower, followed, /delivered/)

  world.provider.addFault({ kind: 'answer_lost', account: account.id })
  world.provider.addFault({ kind: 'callback_never', account: account.id })
  const lost = await order(reseller, newPhone())
  await cardReads(world, reseller, lost, /processing[\s\S]*BUD-API-/)

  await world.bot.restart()
  world.provider.addFault({ kind: 'reset_before', path: '/bundles', account: account.id, times: 2 })
  chat.say(`${newPhone()} 2GB`)
  const kept = await chat.waitForText(keepsTrying)
  chat.press(labels.tryAgain)
  await cardReads(world, reseller, kept, asksToConfirm)
})
