// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { cardReads, changeDatabase, dataOf, inDatabase, newPhone, place, toastOf } from '../shop.ts'

let world: World
const worlds = {
  get: () => world,
  set: (other: World) => {
    world = other
  },
}

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.provider.clearFaults())
afterAll(() => world?.close())

type Person = Pick<Reseller, 'id' | 'chat'>

const overviewOf = async ({ chat }: Person): Promise<Message> => {
  const { message_id: after } = chat.say('/settings')
  return chat.waitForText('Your settings', { after })
}

const press = ({ id }: Person, message: Message, label: string): { id: string } =>
  world.telegram.press({ from: id, messageId: message.message_id, data: dataOf(message, label) })

/** Opens the choices of one setting, on the settings' message. */
const open = async (person: Person, label: string, screen: RegExp): Promise<Message> => {
  const overview = await overviewOf(person)
  press(person, overview, label)
  return cardReads(world, person, overview, screen)
}

/** Like `open`, for a setting behind `More`. */
const openRare = async (person: Person, label: string, screen: RegExp): Promise<Message> => {
  const more = await open(person, 'More', /Your settings/)
  await world.until(() => labelsNow(person, more).some((each) => each.includes(label)), `the button ${label}`)
  const now = world.telegram.messages(person.id).find((each) => each.message_id === more.message_id)
  press(person, now ?? more, label)
  return cardReads(world, person, more, screen)
}

const labelsNow = ({ id }: Person, { message_id }: Message): string[] =>
  world.telegram
    .messages(id)
    .filter((each) => each.message_id === message_id)
    .flatMap(labelsOf)

/** The labels of a message's buttons. */
const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

describe('the settings', () => {
  test('show all values, can be changed and undone, and survive a restart', async () => {
    const reseller = await world.newReseller()
    const overview = await overviewOf(reseller)
    expect(labelsOf(overview)).toEqual([
      '🔔 Notifications: results only',
      '🌙 Quiet hours: off',
      '💰 Low balance: off',
      '🔁 Quick repeat: off',
      '📊 Daily summary: off',
      '🗂 My data',
      '⋯ More',
      '🏠 Home',
    ])
    const choices = await open(reseller, 'Notifications', /a message for each new status/)
    press(reseller, choices, 'Problems only')
    const saved = await cardReads(world, reseller, choices, /Saved\. .*Notifications: problems only/)
    press(reseller, saved, 'Undo')
    await cardReads(world, reseller, saved, /Saved\. .*Notifications: results only/)
    const again = await open(reseller, 'Notifications', /a message for each new status/)
    press(reseller, again, 'Every change')
    await cardReads(world, reseller, again, /Notifications: every change/)
    await world.bot.restart()
    expect(labelsOf(await overviewOf(reseller))).toContain('🔔 Notifications: every change')
  })

  test('take typed values, and after a wrong value the answer gives the reason and the question stays open', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    await open(reseller, 'Quiet hours', /good news and summaries wait/)
    let { message_id: after } = chat.say('at night')
    const refusal = await chat.waitForText('I don’t understand “at night”', { after })
    expect(refusal.text).toMatch(/Nothing was changed[\s\S]*21:30-6/)
    after = chat.say('21:30-6').message_id
    await chat.waitForText(/Saved\. .*Quiet hours: 21:30 to 06:00/, { after })
    await openRare(reseller, 'Time zone', /use this time zone/)
    after = chat.say('mars').message_id
    await chat.waitForText('Send the nearest capital', { after })
    after = chat.say('Kumasi').message_id
    await chat.waitForText(/Saved\. .*Time zone: Africa\/Accra/, { after })
    for (const [typed, time] of [
      ['8pm', '20:00'],
      ['14:00', '14:00'],
      ['morning', '07:00'],
    ] as const) {
      await open(reseller, 'Daily summary', /or send another hour/)
      after = chat.say(typed).message_id
      await chat.waitForText(`Daily summary: at ${time}`, { after })
    }
    await open(reseller, 'Quick repeat', /orders and charges straight away/)
    after = chat.say('5000').message_id
    await chat.waitForText('up to GHS 1,000.00', { after })
    after = chat.say('/cancel').message_id
    await chat.waitForText('Cancelled', { after })
    expect(labelsOf(await overviewOf(reseller))).toContain('🔁 Quick repeat: off')
  })

  test('warn immediately if the balance is already below the chosen low-balance level', async () => {
    const reseller = await world.newReseller(12_000)
    const choices = await open(reseller, 'Low balance', /falls below this amount/)
    press(reseller, choices, 'GHS 200.00')
    await cardReads(
      world,
      reseller,
      choices,
      /below GHS 200\.00[\s\S]*already below GHS 200\.00: GHS 120\.00/,
    )
  })

  test('of an account cannot be changed by an owner who has left, even with old buttons', async () => {
    const reseller = await world.newReseller()
    const choices = await open(reseller, 'Low balance', /falls below this amount/)
    const { message_id: after } = reseller.chat.say('150')
    const named = await reseller.chat.waitForText('Low balance: below GHS 150.00', { after })
    const question = reseller.chat.say('/disconnect').message_id
    await reseller.chat.waitForText('Remove your account', { after: question })
    reseller.chat.press('Confirm')
    await reseller.chat.waitForText('Disconnected')
    expect(await toastOf(world, press(reseller, named, 'Undo'))).toBe(
      'Only the account’s owner can set that.',
    )
    press(reseller, choices, 'Back')
    const left = await cardReads(world, reseller, choices, /Your settings/)
    expect(labelsOf(left).join()).not.toContain('Low balance')
  })

  test('include a first network, with which /buy, /bulk and /bundles then begin', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const choices = await openRare(reseller, 'Main network', /One button shows the others/)
    press(reseller, choices, 'MTN')
    await cardReads(world, reseller, choices, /Main network: MTN/)
    for (const command of ['/buy', '/bulk']) {
      const { message_id: after } = chat.say(command)
      const bundles = await chat.waitForText('MTN', { after })
      press(reseller, bundles, 'Other networks')
      const networks = await world.telegram.waitFor(
        () => chat.texts().length > 0 && labelsOf(chat.last() as Message).includes('MTN') && chat.last(),
        { message: 'Waiting for all networks' },
      )
      expect(labelsOf(networks as Message).length).toBeGreaterThan(2)
    }
    const { message_id: after } = chat.say('/bundles')
    const prices = await chat.waitForText('MTN', { after })
    expect(prices.text).not.toMatch(/AirtelTigo|Telecel/)
  })

  test('of a person without an account are only about messages', async () => {
    const contact = world.newPerson()
    const overview = await overviewOf(contact)
    expect(labelsOf(overview)).toContain('🔔 Notifications: results only')
    expect(labelsOf(overview).join()).not.toMatch(/Low balance|Daily summary/)
  })
})

describe('the daily summary', () => {
  const makeDue = (people: Person[]) =>
    changeDatabase(world, (db) => {
      for (const { id } of people) {
        db.prepare('UPDATE Preference SET summaryAt = ? WHERE userId = ?').run(
          new Date(Date.now() - 60_000).toISOString().replace('Z', '+00:00'),
          id,
        )
      }
    })

  const choose = async (person: Person): Promise<void> => {
    const choices = await open(person, 'Daily summary', /I’ll send a summary/)
    press(person, choices, 'Evening')
    await cardReads(world, person, choices, /Daily summary: at 19:00/)
  }

  const summaries = ({ chat }: Person): string[] => chat.texts().filter((text) => text.startsWith('📊'))

  describe('with two processes that are killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('is sent exactly once to each person', async () => {
      const busy = await world.newReseller()
      const idle = await world.newReseller()
      const failed = await place(world, busy, newPhone())
      await place(world, busy, newPhone())
      world.provider.setStatus(failed.reference, 'failed')
      await busy.chat.waitForText(/: failed/)
      await choose(busy)
      await choose(idle)
      await world.bot.kill()
      await makeDue([busy, idle])
      const other = await world.anotherBot()
      await Promise.all([world.bot.start(), other.start()])
      const summary = await busy.chat.waitForText('Your day')
      expect(summary.text).toMatch(
        /Finished: 1 · .*1 failed[\s\S]*Still open: 1 on the way[\s\S]*Spent: GHS[\s\S]*Balance: GHS/,
      )
      await idle.chat.waitForText(/No orders since .* Balance: GHS 500\.00/)
      await world.until(
        () =>
          inDatabase(world, (db) => db.prepare(`SELECT id FROM Notice WHERE kind = 'summary'`).all())
            .length === 0,
        'the summaries to be sent',
      )
      await other.kill()
      await world.bot.kill()
      await world.bot.start()
      const after = busy.chat.say('/help').message_id
      await busy.chat.waitForText(helpTitle, { after })
      expect(summaries(busy)).toHaveLength(1)
      expect(summaries(idle)).toHaveLength(1)
    })
  })
})
