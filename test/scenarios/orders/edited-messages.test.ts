import type { Message } from 'grammy/types'
import { describe, expect } from 'vitest'
import { asksToConfirm, draftLabels } from '../../../src/telegram/cards/words/draft.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { captionReread, tooLate, unclear } from '../../../src/telegram/features/lists/edit-words.ts'
import { notUnderstood } from '../../../src/telegram/words/unusable.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { cardReads, dataOf, debitsOf, newPhone, ordersFor, postsFor, toastOf } from '../shop.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

const misunderstood = notUnderstood(true).replaceAll(/<[^>]+>/g, '')

const edit = ({ id }: Pick<Reseller, 'id'>, { message_id: edits }: Message, text: string): Message =>
  world.telegram.say({ from: id, text, edits })

/** Waits until the bot has answered everything that was sent before. */
const saysNoMore = async ({ chat }: Pick<Reseller, 'chat'>): Promise<string[]> => {
  const { message_id: after } = chat.say('/help')
  await chat.waitForText(helpTitle, { after })
  return chat.texts().filter((text) => !text.startsWith(helpTitle))
}

const oneOrder = async (reseller: Reseller, phone = newPhone()) => {
  const said = reseller.chat.say(`${phone} 2GB`)
  const card = await reseller.chat.waitForText(asksToConfirm, { after: said.message_id })
  return { phone, said, card }
}

const isPreview = /Nothing is charged before you confirm|Nothing can be ordered yet/
const list = async (reseller: Reseller, text: string) => {
  const said = reseller.chat.say(text)
  return { said, card: await reseller.chat.waitForText(isPreview, { after: said.message_id }) }
}

describe('an edited order for one number', () => {
  test('gets a new card before Confirm, and the old card orders nothing any more', async () => {
    const reseller = await world.newReseller()
    const { phone, said, card } = await oneOrder(reseller)
    const old = dataOf(card, 'Confirm')
    const right = newPhone()
    edit(reseller, said, `${right} 2GB`)
    const closed = await reseller.chat.waitForText('You edited your message', { after: card.message_id })
    expect(closed.text).toContain(`MTN 2GB for ${phone}`)
    const corrected = await reseller.chat.waitForText(asksToConfirm, { after: closed.message_id })
    expect(corrected.text).toContain(`Number: ${right}`)
    await cardReads(world, reseller, card, /Replaced by the card below/)
    const press = world.telegram.press({
      from: reseller.id,
      messageId: card.message_id,
      data: old,
      stale: true,
    })
    expect(await toastOf(world, press)).toContain('This card is closed')
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, corrected, /BUD-API-/)
    expect(postsFor(world, phone)).toEqual([])
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('is refused as too late after Confirm, and the order stays as it was confirmed', async () => {
    const reseller = await world.newReseller()
    const { phone, said, card } = await oneOrder(reseller)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /BUD-API-/)
    edit(reseller, said, `${newPhone()} 2GB`)
    await reseller.chat.waitForText(tooLate(`MTN 2GB for ${phone}`, true), { after: card.message_id })
    expect(ordersFor(world, phone)).toHaveLength(1)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('gets no answer if only the spelling changes, before or after Confirm', async () => {
    const reseller = await world.newReseller()
    const { phone, said, card } = await oneOrder(reseller)
    const before = await saysNoMore(reseller)
    edit(reseller, said, `pls ${phone} 2 gig MTN`)
    expect(await saysNoMore(reseller)).toEqual(before)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /BUD-API-/)
    const after = await saysNoMore(reseller)
    edit(reseller, said, `${phone} 2gb`)
    expect(await saysNoMore(reseller)).toEqual(after)
  })

  test('keeps the changes made on its card by buttons, if only the spelling changes', async () => {
    const reseller = await world.newReseller()
    const { phone, said, card } = await oneOrder(reseller)
    reseller.chat.press(draftLabels.size)
    await cardReads(world, reseller, card, /which bundle/)
    reseller.chat.press('▶')
    await reseller.chat.waitForButton('10GB · GHS 43.90')
    reseller.chat.press('10GB · GHS 43.90')
    await cardReads(world, reseller, card, /MTN 10GB\s+Number/)
    edit(reseller, said, `${phone} 2gb`)
    await saysNoMore(reseller)
    await cardReads(world, reseller, card, /MTN 10GB\s+Number/)
  })

  test('has one card, for the last edit, even after two edits that Telegram delivers repeatedly', async () => {
    const reseller = await world.newReseller()
    const { said } = await oneOrder(reseller)
    const [second, third] = [newPhone(), newPhone()]
    edit(reseller, said, `${second} 2GB`)
    const secondCard = await reseller.chat.waitForText(`Number: ${second}`)
    edit(reseller, said, `${third} 2GB`)
    world.telegram.redeliver()
    world.telegram.redeliver({ asNew: true })
    await reseller.chat.waitForText(`Number: ${third}`)
    await cardReads(world, reseller, secondCard, /Replaced by the card below/)
    const texts = await saysNoMore(reseller)
    expect(texts.filter((text) => text.includes(asksToConfirm))).toHaveLength(1)
    reseller.chat.press('Confirm')
    await world.until(() => ordersFor(world, third).length === 1, 'the order')
    expect(postsFor(world, second)).toEqual([])
  })

  test('that is confirmed during the edit is sent as its card showed, or not at all', async () => {
    for (let round = 0; round < 4; round += 1) {
      const reseller = await world.newReseller()
      const { phone, said, card } = await oneOrder(reseller)
      const other = newPhone()
      const data = dataOf(card, 'Confirm')
      const press = () => world.telegram.press({ from: reseller.id, messageId: card.message_id, data })
      if (round % 2 === 0) press()
      edit(reseller, said, `${other} 2GB`)
      if (round % 2 === 1) press()
      await reseller.chat.waitForText(round % 2 === 0 ? 'your edit changes nothing' : `Number: ${other}`)
      await saysNoMore(reseller)
      expect(postsFor(world, other)).toEqual([])
      expect(postsFor(world, phone)).toHaveLength(round % 2 === 0 ? 1 : 0)
    }
  })

  test('closes its card if the new text is not an order', async () => {
    const reseller = await world.newReseller()
    const { phone, said, card } = await oneOrder(reseller)
    edit(reseller, said, 'sorry, wrong chat')
    await reseller.chat.waitForText('Your edited message isn’t an order', { after: card.message_id })
    await cardReads(world, reseller, card, /Replaced by the card below/)
    expect(postsFor(world, phone)).toEqual([])
  })

  test('is read as a list or a damaged line if the edit makes it one', async () => {
    const reseller = await world.newReseller()
    const { said } = await oneOrder(reseller)
    edit(reseller, said, `${newPhone()} 2GB\n${newPhone()} 1GB`)
    const preview = await reseller.chat.waitForText('2 lines: 2 to order')
    edit(reseller, said, `${newPhone()} 2GB\n024123456 1GB`)
    await reseller.chat.waitForText('2 lines: 1 to order · 1 to fix', { after: preview.message_id })
  })
})

test('a text that becomes an order by an edit gets a card, and any other edited text gets no answer', async () => {
  const reseller = await world.newReseller()
  const said = reseller.chat.say('the red one')
  await reseller.chat.waitForText(misunderstood, { after: said.message_id })
  const phone = newPhone()
  edit(reseller, said, `${phone} 2GB`)
  const card = await reseller.chat.waitForText(asksToConfirm, { after: said.message_id })
  expect(card.text).toContain(phone)
  const before = await saysNoMore(reseller)
  const talk = reseller.chat.say('the blue one')
  await reseller.chat.waitForText(misunderstood, { after: talk.message_id })
  const silent = await saysNoMore(reseller)
  edit(reseller, talk, 'the green one')
  expect(await saysNoMore(reseller)).toEqual(silent)
  expect(before.filter((text) => text.includes(asksToConfirm))).toHaveLength(1)
})

describe('an edited message that led to a question', () => {
  const asked = async (reseller: Reseller, text: string, question: string | RegExp) => {
    const said = reseller.chat.say(text)
    return { said, question: await reseller.chat.waitForText(question, { after: said.message_id }) }
  }

  test('is read again, and its question is closed', async () => {
    const reseller = await world.newReseller()
    const [wrong, right] = [newPhone(), newPhone()]
    const { said, question } = await asked(reseller, wrong, `which bundle for ${wrong}`)
    edit(reseller, said, right)
    const next = await reseller.chat.waitForText(`which bundle for ${right}`, { after: question.message_id })
    await cardReads(world, reseller, question, /this question is closed/)
    edit(reseller, said, `${right} 2GB`)
    const card = await reseller.chat.waitForText(asksToConfirm, { after: next.message_id })
    expect(card.text).toContain(`Number: ${right}`)
    await cardReads(world, reseller, next, /this question is closed/)
  })

  test('closes its question if it is no order, and gets no answer if only the spelling changes', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const { said, question } = await asked(reseller, `${phone} 5gb`, /Which/)
    const before = await saysNoMore(reseller)
    edit(reseller, said, `${phone.slice(0, 3)} ${phone.slice(3)} - 5 GB pls`)
    expect(await saysNoMore(reseller)).toEqual(before)
    edit(reseller, said, 'never mind')
    await cardReads(world, reseller, question, /isn’t an order, so this question is closed/)
  })

  test('replaces the card that followed its question, but not after Confirm', async () => {
    const reseller = await world.newReseller()
    const [wrong, right] = [newPhone(), newPhone()]
    const { said, question } = await asked(reseller, wrong, `which bundle for ${wrong}`)
    reseller.chat.press('2GB')
    await cardReads(world, reseller, question, asksToConfirm)
    edit(reseller, said, right)
    const card = await reseller.chat.waitForText(`Number: ${right}`)
    expect(card.text).toContain('MTN 2GB')
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /BUD-API-/)
    edit(reseller, said, wrong)
    await reseller.chat.waitForText(tooLate(`MTN 2GB for ${right}`, true), { after: card.message_id })
    expect(postsFor(world, wrong)).toEqual([])
  })
})

describe('an edited list', () => {
  test('gets a new preview that names the changed line, and only the previewed numbers are ordered', async () => {
    const reseller = await world.newReseller()
    const [first, wrong, right] = [newPhone(), newPhone('055'), newPhone('055')]
    const { said, card } = await list(reseller, `${first} 3\n${wrong} 2`)
    const old = dataOf(card, 'Confirm')
    edit(reseller, said, `${first} 3\n${right} 2`)
    const better = await reseller.chat.waitForText(`Line 2 is now: ${right} 2`, { after: card.message_id })
    world.telegram.press({ from: reseller.id, messageId: card.message_id, data: old, stale: true })
    await saysNoMore(reseller)
    expect(postsFor(world, wrong)).toEqual([])
    reseller.chat.press('Confirm 2')
    await cardReads(world, reseller, better, /List of 2 numbers/)
    await world.until(() => ordersFor(world, right).length === 1, 'the right number')
    expect(postsFor(world, wrong)).toEqual([])
    edit(reseller, said, `${first} 3\n${newPhone()} 2`)
    await reseller.chat.waitForText(tooLate('This list', true), { after: better.message_id })
  })

  test('keeps the corrections of the lines that the edit leaves alone', async () => {
    const reseller = await world.newReseller()
    const first = newPhone()
    const { said, card } = await list(reseller, `${first} 3\n024123050 1gb\n024123051 2gb`)
    reseller.chat.say('2. 0241230502 1gb')
    const corrected = await reseller.chat.waitForText('2 to order · 1 to fix', { after: card.message_id })
    edit(reseller, said, `${first} 2\n024123050 1gb\n024123051 2gb`)
    const edited = await reseller.chat.waitForText(`Line 1 is now: ${first} 2`, {
      after: corrected.message_id,
    })
    expect(edited.text).toContain('0241230502')
    expect(edited.text).toContain('2 to order · 1 to fix')
  })

  test('gets no answer if only the spelling changes', async () => {
    const reseller = await world.newReseller()
    const [first, second] = [newPhone(), newPhone()]
    const { said } = await list(reseller, `${first} 3\n${second} 2`)
    const before = await saysNoMore(reseller)
    edit(reseller, said, `${first} - 3gb\n${second}: 2 gig`)
    expect(await saysNoMore(reseller)).toEqual(before)
  })

  test('is corrected again if its last correction is edited', async () => {
    const reseller = await world.newReseller()
    const { card } = await list(reseller, `${newPhone()} 3\n024123050 1gb\n024123051 2gb`)
    const older = reseller.chat.say('2. 0241230502 1gb')
    const once = await reseller.chat.waitForText('2 to order · 1 to fix', { after: card.message_id })
    edit(reseller, older, '2. 0241230503 1gb')
    const again = await reseller.chat.waitForText('0241230503', { after: once.message_id })
    expect(again.text).not.toContain('0241230502')
    expect(again.text).toContain('2 to order · 1 to fix')
    reseller.chat.say('3. 0241230512 2gb')
    const all = await reseller.chat.waitForText('3 lines: 3 to order', { after: again.message_id })
    edit(reseller, older, '2. 0241230504 1gb')
    await reseller.chat.waitForText(unclear.replaceAll(/<[^>]+>/g, ''), { after: all.message_id })
  })
})

test('an edited caption of a list file is read again before Confirm, and refused as too late after it', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  const phone = newPhone()
  const file = chat.sendFile('a.csv', `Phone\n${phone}\n`, { caption: 'all 2gb' })
  const card = await chat.waitForText('MTN 2GB × 1', { after: file.message_id })
  edit(reseller, file, 'all 3gb')
  await chat.waitForText(captionReread, { after: file.message_id })
  await cardReads(world, reseller, card, /MTN 3GB × 1/)
  chat.press('Confirm 1')
  await world.until(() => ordersFor(world, phone).length === 1, 'the order')
  expect(ordersFor(world, phone)[0]?.volume).toBe('3GB')
  edit(reseller, file, 'all 5gb')
  await chat.waitForText('This list is already', { after: card.message_id })
})

test('an edited caption of an album applies to all of its list files', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  const [first, second] = [newPhone(), newPhone()]
  const sent = chat.sendFile('a.csv', `Phone\n${first}\n`, { caption: 'all 2gb', album: 'a1' })
  chat.sendFile('b.csv', `Phone\n${second}\n`, { album: 'a1' })
  const cards = await Promise.all(
    [first, second].map((phone) => chat.waitForText(new RegExp(`MTN 2GB × 1[^]*${phone}`))),
  )
  edit(reseller, sent, 'all 3gb')
  for (const card of cards) await cardReads(world, reseller, card, /MTN 3GB × 1/)
  await chat.waitForText(captionReread)
  const before = await saysNoMore(reseller)
  edit(reseller, sent, 'all 3 GB')
  expect(await saysNoMore(reseller)).toEqual(before)
})
