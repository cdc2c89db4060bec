// @module-tag screens
import { describe, expect } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { cardReads } from '../shop.ts'

/** Sends the words. @returns the bot's next message that matches. */
const says = ({ chat }: Reseller, text: string, answer: string | RegExp) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

const save = ({ chat }: Reseller, name: string, phone: string) => {
  const { message_id: after } = chat.sendContact(name, phone)
  return chat.waitForText('Saved:', { after })
}

const labelsOf = (message: { reply_markup?: { inline_keyboard: { text: string }[][] } }): string[] =>
  (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text)

describe('a number that resembles a saved number', () => {
  test('is mentioned on the order’s card, and one press replaces it', async ({ reseller }) => {
    await save(reseller, 'Ama', '0241234567')
    const card = await says(reseller, '0241234576 2gb', asksToConfirm)
    expect(card.text).toContain('⚠️ 0241234576 looks like Ama (0241234567) with two digits swapped.')
    reseller.chat.press('Use 0241234567')
    const right = await reseller.chat.waitForText('Number: Ama (0241234567)')
    expect(right.text).not.toContain('looks like')
    expect(labelsOf(right).join()).not.toContain('Use ')
  })

  test('is mentioned in a list, and one press replaces it', async ({ reseller }) => {
    await save(reseller, 'Ama', '0241234567')
    const card = await says(reseller, '0241234563 2gb\n0551112223 2gb', '2 lines')
    expect(card.text).toContain('⚠️ 0241234563 looks like Ama (0241234567) with one digit wrong.')
    reseller.chat.press('Use 0241234567 for line 1')
    const right = await reseller.chat.waitForText('Line 1 is now: 0241234567 2gb')
    expect(right.text).not.toContain('looks like')
  })

  test('is not mentioned if it is saved itself', async ({ reseller }) => {
    await save(reseller, 'Ama', '0241234567')
    await save(reseller, 'Her other SIM', '0241234568')
    expect((await says(reseller, '0241234568 2gb', asksToConfirm)).text).not.toContain('looks like')
  })
})

/** Orders for the number so often that it is familiar. */
const serveOften = async (world: World, reseller: Reseller, phone: string) => {
  for (const size of ['1gb', '2gb', '10gb']) {
    const card = await says(reseller, `${phone} ${size}`, asksToConfirm)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, 'BUD-API-')
  }
}

describe('a number that resembles a number often served', () => {
  test('is mentioned in a list, even while the list asks for the size', async ({ world, reseller }) => {
    await serveOften(world, reseller, '0241234567')
    const card = await says(reseller, '024 123 4576\n0551112223 2gb', 'no size. Which?')
    expect(card.text).toContain('⚠️ 0241234576 looks like 0241234567 with two digits swapped.')
    reseller.chat.press('Use 0241234567 for line 1')
    const right = await reseller.chat.waitForText('Line 1 is now: 0241234567')
    expect(right.text).not.toContain('looks like')
  })

  test('is mentioned in a list even if the other number is below it', async ({ world, reseller }) => {
    await serveOften(world, reseller, '0241234567')
    const card = await says(reseller, '+233 24 123 4576 2gb\n0241234567 10gb', '2 lines')
    expect(card.text).toContain('⚠️ 0241234576 looks like 0241234567 with two digits swapped.')
    expect(labelsOf(card)).toContain('Use 0241234567 for line 1')
  })

  test('is not mentioned to an agent who never served that number', async ({ world, reseller }) => {
    await serveOften(world, reseller, '0241234567')
    const agent = await addMember(world, reseller)
    const { message_id: after } = agent.chat.say('0241234576 2gb\n0551112223 2gb')
    const card = await agent.chat.waitForText('2 lines', { after })
    expect(card.text).not.toContain('looks like')
  })

  test('is still mentioned on the order’s card after a change of size', async ({ reseller }) => {
    await save(reseller, 'Ama', '0241234567')
    await says(reseller, '0241234576 2gb', 'looks like Ama')
    reseller.chat.press('✏️ Size')
    await reseller.chat.waitForText('which bundle for')
    reseller.chat.press('3GB')
    expect((await reseller.chat.waitForText('MTN 3GB')).text).toContain('looks like Ama')
  })
})

test('two numbers of a list that differ by two swapped digits are mentioned', async ({ reseller }) => {
  const card = await says(reseller, '0241234567 2gb\n0241234576 2gb', '2 lines')
  expect(card.text).toContain('⚠️ 0241234576 looks like 0241234567 in this list, with two digits swapped.')
})

test('a list’s line in which number and size run together gets a button that corrects it', async ({
  reseller,
}) => {
  const card = await says(reseller, '0241112223.2GB\n0241113334 two gig\n0241114445 500', '3 lines')
  expect(labelsOf(card)).toEqual(
    expect.arrayContaining(['Use 0241112223 2GB for line 1', 'Use 2GB for line 2']),
  )
  reseller.chat.press('Use 0241112223 2GB for line 1')
  await reseller.chat.waitForText('Line 1 is now: 0241112223 2GB')
})
