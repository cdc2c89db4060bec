import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asksToConfirm } from '../../src/telegram/cards/words/draft.ts'
import { sendNumber } from '../../src/telegram/features/buying/words.ts'
import { createWorld, type World } from '../support/world.ts'
import { newConnected } from './accounts/members.ts'

describe('a new reseller', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ pace: 'telegram' })
  })
  afterAll(() => world?.close())

  test('connects, buys step by step, confirms, and sees the order delivered, for one debit', async () => {
    const { chat, account, id } = await newConnected(world, 10_000)
    chat.say('/buy')
    await chat.waitForButton('MTN')
    chat.press('MTN')
    await chat.waitForText('which bundle')
    const bundle = await chat.waitForButton('5GB · GHS')
    chat.press('5GB · GHS')
    await chat.waitForText(sendNumber)
    chat.say('024 123 4567')
    const card = await chat.waitForText(asksToConfirm)
    expect(card.text).toContain('0241234567')
    expect(card.text).toContain(bundle.label.split(' · ')[1])
    const press = chat.press('Confirm')
    const placed = await chat.waitForText(/processing[\s\S]*BUD-API-/)
    expect(placed.message_id).toBe(card.message_id)
    expect(world.telegram.answers(press.id)).toBeDefined()

    const [order] = world.provider.orders().filter(({ accountId }) => accountId === account.id)
    world.provider.setStatus(order?.reference ?? '', 'delivered')
    const announced = await chat.waitForText(/✅ MTN 5GB for 0241234567: delivered/)
    expect(announced.message_id).toBeGreaterThan(card.message_id)
    await world.telegram.waitFor(() =>
      world.telegram
        .messages(id)
        .some(
          ({ message_id, text }) =>
            message_id === card.message_id && /delivered(?! \(reported\))/.test(text ?? ''),
        ),
    )
    expect(world.provider.debits(account.id)).toHaveLength(1)
    expect(chat.texts().filter((text) => text.includes(order?.reference ?? '-'))).toHaveLength(2)
  })
})
