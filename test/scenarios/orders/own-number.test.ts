import { describe, expect } from 'vitest'
import * as words from '../../../src/telegram/features/buying/own-number-words.ts'
import { hints } from '../../../src/telegram/words/hints.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

const keysOf = ({ id }: Pick<Reseller, 'id'>) => world.telegram.chat(id).keyboard

/** A reseller who is asked for their own number, with a bundle of MTN chosen. */
const asked = async (): Promise<Reseller> => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  chat.say('/buy')
  await chat.waitForButton('MTN')
  chat.press('MTN')
  await chat.waitForButton('GHS')
  chat.press('GHS')
  await chat.waitForButton(words.ownNumberLabels.ask)
  chat.press(words.ownNumberLabels.ask)
  await chat.waitForText(words.askOwnNumber)
  await world.until(() => keysOf(reseller) !== undefined, 'the keys that share a number')
  return reseller
}

const share = ({ id }: Pick<Reseller, 'id'>, contact: { phoneNumber: string; userId?: number }) =>
  world.telegram.sendContact({ from: id, firstName: 'Ama', ...contact })

describe('the person’s own number', () => {
  test('can be shared with one press, which leads to the order’s card', async () => {
    const reseller = await asked()
    expect(keysOf(reseller)).toMatchObject({
      rows: [[{ text: words.ownNumberLabels.share, asksContact: true }], [labels.leave]],
      once: true,
      placeholder: hints.number,
    })
    share(reseller, { phoneNumber: '+233241230987', userId: reseller.id })
    await reseller.chat.waitForButton('Confirm')
    expect(reseller.chat.texts().some((text) => text.includes('0241230987'))).toBe(true)
    expect(keysOf(reseller)).toBeUndefined()
  })

  test('is not accepted if the contact is another person’s, and the keyboard stays', async () => {
    const reseller = await asked()
    for (const userId of [world.newPerson().id, undefined]) {
      const { message_id: after } = share(reseller, {
        phoneNumber: '+233241230987',
        ...(userId !== undefined && { userId }),
      })
      await reseller.chat.waitForText(words.notOwnNumber, { after })
    }
    expect(keysOf(reseller)).toBeDefined()
  })

  test('can be typed or left out, and then the keyboard disappears', async () => {
    const [typing, leaving, elsewhere] = [await asked(), await asked(), await asked()]
    typing.chat.say('0241230987')
    await typing.chat.waitForButton('Confirm')
    expect(keysOf(typing)).toBeUndefined()
    leaving.chat.say(labels.leave)
    await leaving.chat.waitForText('Nothing new was ordered')
    expect(keysOf(leaving)).toBeUndefined()
    elsewhere.chat.say('/start')
    await elsewhere.chat.waitForButton('Buy')
    await world.until(() => keysOf(elsewhere) === undefined, 'the keys to go')
  })
})
