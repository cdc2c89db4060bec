// @module-tag screens
import { expect } from 'vitest'
import { alreadyEnded, asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { correctOrNew, labels } from '../../../src/telegram/cards/words/list-preview.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { cardReads, dataOf, newPhone, ordersFor, toastOf } from '../shop.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

const isPreview = /Nothing is charged before you confirm|Nothing can be ordered yet/

const previewOf = ({ chat }: Reseller, text: string, part: string | RegExp = isPreview) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(part, { after })
}

const served = ({ account }: Reseller): string[] =>
  world.provider
    .orders()
    .filter(({ accountId }) => accountId === account.id)
    .flatMap(({ volume, phones }) => phones.map(({ phone }) => `${phone} ${volume}`))
    .toSorted()

/** Opens a list with two valid lines and two to fix. */
const openList = async (reseller: Reseller) => {
  const [first, fourth] = [newPhone(), newPhone('055')]
  await previewOf(reseller, `${first} 1gb\n024123050 1gb\n024123051 2gb\n${fourth} 2gb`, '2 to fix')
  return { first, fourth }
}

test('corrected lines in an ordinary message correct the open list, and one press orders the whole list', async () => {
  const reseller = await world.newReseller()
  const { first, fourth } = await openList(reseller)
  const card = await previewOf(reseller, '2. 0241230502 1gb\n3. 0241230513 2gb', '4 lines: 4 to order')
  expect(card.text).toContain('Corrected: lines 2, 3')
  reseller.chat.press('Confirm 4')
  await cardReads(world, reseller, card, /List of 4 numbers/)
  await world.until(() => served(reseller).length === 4, 'all four')
  expect(served(reseller)).toEqual(
    [`${first} 1GB`, '0241230502 1GB', '0241230513 2GB', `${fourth} 2GB`].toSorted(),
  )
})

test('a single corrected line corrects the open list, and a different number is a new order', async () => {
  const reseller = await world.newReseller()
  await openList(reseller)
  await previewOf(reseller, '0241230502 1gb', '4 lines: 3 to order · 1 to fix')
  const other = newPhone('020')
  const card = await previewOf(reseller, `${other} 2GB`, asksToConfirm)
  expect(card.text).toContain(other)
})

test('the bot asks whether lines correct the open list or start a new one, and both answers work', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  await openList(reseller)
  const other = newPhone('020')
  const lines = `2. 0241230502 1gb\n${other} 2gb`
  const asked = await previewOf(reseller, lines, correctOrNew)
  const old = dataOf(asked, labels.correctList)
  chat.press(labels.correctList)
  const card = await chat.waitForText('5 lines: 4 to order · 1 to fix', { after: asked.message_id })
  expect(card.text).toContain('Corrected: lines 2, 5')
  const press = world.telegram.press({
    from: reseller.id,
    messageId: asked.message_id,
    data: old,
    stale: true,
  })
  expect(await toastOf(world, press)).toBe(alreadyEnded)
  chat.press('Confirm 4')
  await world.until(() => served(reseller).length === 4, 'the corrected list')

  const another = await world.newReseller()
  await openList(another)
  const question = await previewOf(another, `2. 0241230502 1gb\n${newPhone('020')} 2gb`, correctOrNew)
  another.chat.press(labels.newList)
  const fresh = await cardReads(world, another, question, /2 lines: 2 to order/)
  expect(fresh.text).toContain('2 numbers in your earlier list still haven’t been ordered.')
})

test('a second list’s card and closing message mention an older list that is still open', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  const { first, fourth } = await openList(reseller)
  const [third, second] = [newPhone('020'), newPhone('020')]
  const reminder = /2 numbers in your earlier list still haven’t been ordered\./
  const card = await previewOf(reseller, `${third} 2gb\n${second} 5gb`, '2 lines: 2 to order')
  expect(card.text).toMatch(reminder)
  chat.press('Confirm 2')
  const confirmed = await cardReads(world, reseller, card, /List of 2 numbers/)
  expect(confirmed.text).toMatch(reminder)
  await world.until(() => served(reseller).length === 2, 'the second list')
  for (const { reference } of [...ordersFor(world, third), ...ordersFor(world, second)])
    world.provider.setStatus(reference, 'delivered')
  const done = await chat.waitForText('List of 2 numbers: done')
  expect(done.text).toMatch(reminder)
  chat.press(labels.earlier(2))
  const earlier = await chat.waitForText('4 lines: 2 to order · 2 to fix', { after: done.message_id })
  expect(earlier.text).not.toMatch(/earlier list/)
  chat.press('Confirm 2')
  await world.until(() => served(reseller).length === 4, 'both lists')
  expect(served(reseller)).toContain(`${first} 1GB`)
  expect(served(reseller)).toContain(`${fourth} 2GB`)
})
